/** Inspecting reads every log of a journal to its end, and says which can be read and which are damaged. */

import { messageOf } from "../../base/failure.ts";
import type { RunId } from "../../base/names.ts";
import { evolve } from "../../kernel/evolve.ts";
import { emptyState } from "../../kernel/state.ts";
import type { Journal } from "../../run/journal.ts";
import { readEvents } from "../../run/load.ts";

export interface Inspection {
  readonly readable: readonly RunId[];
  readonly damaged: readonly Damage[];
}

export interface Damage {
  readonly run: RunId;
  /** The last event that can be read. */
  readonly seq: number;
  /** One sentence that says what is wrong. */
  readonly message: string;
}

/** Looks at every run, children too. Damage in one keeps nobody from the others. */
export async function inspectJournal(journal: Journal): Promise<Inspection> {
  const readable: RunId[] = [];
  const damaged: Damage[] = [];
  for (const { run } of await journal.runs({ children: true })) {
    const state = emptyState(run);
    try {
      for await (const event of readEvents(journal, run, 0)) evolve(state, event);
      readable.push(run);
    } catch (error) {
      damaged.push({ run, seq: state.seq, message: messageOf(error) });
    }
  }
  return { readable, damaged };
}
