/** Copying puts a log into a journal in one append, with the head that its events amount to. */

import type { RunId } from "../base/names.ts";
import type { Event } from "../kernel/event.ts";
import { evolve } from "../kernel/evolve.ts";
import { emptyState, type RunState } from "../kernel/state.ts";
import { headOf } from "../run/head.ts";
import type { Journal, RunHead, StoredText } from "../run/journal.ts";

/** Appends a whole log to a run that does not exist. Throws a `Conflict` when it does. */
export async function putLog(
  journal: Journal,
  run: RunId,
  { events, texts = [] }: { readonly events: readonly Event[]; readonly texts?: readonly StoredText[] },
): Promise<RunState> {
  const state = emptyState(run);
  let head: RunHead | undefined;
  for (const event of events) {
    evolve(state, event);
    head = headOf(state, head, event.at);
  }
  await journal.append({ run, after: 0, events, texts, ...(head && { head }) });
  return state;
}
