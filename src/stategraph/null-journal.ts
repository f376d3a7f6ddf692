/** A journal that keeps nothing: for runs that nobody will go on with. */

import type { Event } from "../kernel/event.ts";
import type { Journal, RunHead } from "../run/journal.ts";

const NO_EVENTS: readonly Event[] = [];
const NO_RUNS: readonly RunHead[] = [];

export class NullJournal implements Journal {
  append(): void {}

  read(): readonly Event[] {
    return NO_EVENTS;
  }

  text(): undefined {}

  head(): undefined {}

  runs(): readonly RunHead[] {
    return NO_RUNS;
  }

  snapshot(): undefined {}

  saveSnapshot(): void {}

  weight(): number {
    return 0;
  }

  close(): void {}
}
