/** The lines of a log as Baton's transcript tells them, kept and added to as the log grows. */

import { useMemo, useRef } from "react";
import { type Event, type Line, Transcript } from "../../../model/baton.ts";

/** An event with what there is to say of it; the plain name of its type where there is nothing. */
export interface FeedLine extends Line {
  readonly type: Event["type"];
}

class Telling {
  readonly #transcript: Transcript = new Transcript("labels");
  readonly lines: FeedLine[] = [];

  upTo(length: number, events: readonly Event[]): void {
    for (let index = this.lines.length; index < length; index++) {
      const event = events[index] as Event; // within the list
      const { seq, at, type } = event;
      const line = this.#transcript.tell(event);
      this.lines.push(line ? { ...line, type } : { seq, at, type, tone: "detail", text: type });
    }
  }
}

export function useLines(events: readonly Event[], length: number): readonly FeedLine[] {
  const told = useRef<Telling | undefined>(undefined);
  return useMemo(() => {
    told.current ??= new Telling();
    told.current.upTo(length, events);
    return told.current.lines.slice(0, length);
  }, [events, length]);
}
