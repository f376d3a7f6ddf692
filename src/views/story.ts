/** A story is how a dialect tells the events that mean more in it than they do to the kernel. */

import type { NodeName } from "../base/names.ts";
import type { Event } from "../kernel/event.ts";
import type { NameBook } from "./nodes.ts";
import type { Tone } from "./notes.ts";

/** What there is to say about an event. */
export interface Said {
  readonly tone: Tone;
  readonly text: string;
  readonly node?: NodeName;
}

export interface Story {
  /** What is said about an event in place of what is said in every dialect; `"nothing"` is said in place of it, too. */
  tell(event: Event, names: NameBook): Said | "nothing" | undefined;
}

/** A text as part of a line: its white space as single blanks, its end left out when it is long. */
export function brief(text: string, most: number = 160): string {
  const line = text
    .slice(0, 4 * most)
    .replace(/\s+/g, " ")
    .trim();
  return line.length > most ? `${line.slice(0, most - 1)}…` : line;
}
