/** The head of a run whose own is damaged: made anew from its log, or one that says so where that is damaged as well. */

import type { RunId } from "../../base/names.ts";
import type { Event } from "../../kernel/event.ts";
import { evolve } from "../../kernel/evolve.ts";
import { emptyState } from "../../kernel/state.ts";
import { headOf } from "../../run/head.ts";
import type { RunHead } from "../../run/journal.ts";

export function headAnew(run: RunId, readLog: () => readonly Event[]): RunHead {
  try {
    const state = emptyState(run);
    let head: RunHead | undefined;
    for (const event of readLog()) {
      evolve(state, event);
      head = headOf(state, head, event.at);
    }
    if (head !== undefined) return head;
  } catch {
    // The log is damaged as well: whoever reads it is told.
  }
  const program = { dialect: "unknown", name: "(damaged)", revision: "" };
  return { run, program, status: "failed", reason: "damaged", startedAt: 0, updatedAt: 0 };
}
