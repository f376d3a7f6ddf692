/** `baton events`: what happened in a run, as lines, as one document, or as a stream. */

import type { RunId } from "../../base/names.ts";
import type { Event } from "../../kernel/event.ts";
import { EXIT, type ExitCode } from "../../protocol/codes.ts";
import { systemClock } from "../../run/clock.ts";
import type { Journal } from "../../run/journal.ts";
import { readEvents } from "../../run/load.ts";
import { Transcript } from "../../views/transcript.ts";
import { findRun, withStore } from "../runs/store.ts";
import { lineText } from "../terminal/lines.ts";
import type { Terminal } from "../terminal/terminal.ts";
import type { Call } from "../verb.ts";

/** How often to look for new events, in milliseconds. */
const INTERVAL = 200;
const OVER: readonly string[] = ["completed", "failed", "cancelled"];

/** Prints the events of a run; followed, until it is over. */
export async function events({ args: [id = ""], options, terminal }: Call): Promise<ExitCode> {
  return withStore(options.db, { create: false }, async ({ journal }) => {
    const { run } = await findRun(journal, id);
    const teller = new Teller(terminal);
    let seen = 0;
    for (;;) {
      const isOver = OVER.includes((await journal.head(run))?.status ?? "");
      seen = await tellFrom(journal, run, seen, teller);
      if (!options.follow || isOver) break;
      await systemClock.sleep(INTERVAL);
    }
    terminal.document({ run, events: teller.events });
    return EXIT.done;
  });
}

async function tellFrom(journal: Journal, run: RunId, after: number, teller: Teller): Promise<number> {
  let seen = after;
  for await (const event of readEvents(journal, run, after)) {
    teller.tell(event);
    seen = event.seq;
  }
  return seen;
}

class Teller {
  readonly #terminal: Terminal;
  readonly #transcript: Transcript = new Transcript();
  /** Kept only when they are wanted as one document. */
  readonly events: Event[] = [];

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
  }

  tell(event: Event): void {
    const { format, isVerbose, paint } = this.#terminal;
    if (format === "json") this.events.push(event);
    else if (format === "jsonl") this.#terminal.event(event);
    else {
      const line = this.#transcript.tell(event);
      if (line && (isVerbose || line.tone !== "detail")) this.#terminal.print(lineText(line, paint));
    }
  }
}
