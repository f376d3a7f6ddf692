/** Loading folds what a journal has of a run: its snapshot when there is one, and the events since. */

import type { RunId } from "../base/names.ts";
import { restoreState } from "../kernel/archive.ts";
import type { Event } from "../kernel/event.ts";
import { evolve } from "../kernel/evolve.ts";
import { emptyState, type RunState } from "../kernel/state.ts";
import type { Journal } from "./journal.ts";

const PAGE = 1000;

/** The state of a run as the journal has it; that of an empty log when there is no such run. */
export async function loadState(
  journal: Journal,
  run: RunId,
): Promise<{ state: RunState; snapshotSeq: number }> {
  const stored = await journal.snapshot(run);
  const state = stored === undefined ? emptyState(run) : restoreState(run, stored.state);
  if (stored !== undefined) state.seq = stored.seq;
  for await (const event of readEvents(journal, run, state.seq)) evolve(state, event);
  return { state, snapshotSeq: stored?.seq ?? 0 };
}

/** The state of a run as it was right after an event. */
export async function loadStateAt(journal: Journal, run: RunId, seq: number): Promise<RunState> {
  const state = emptyState(run);
  for await (const event of readEvents(journal, run, 0)) {
    if (event.seq > seq) break;
    evolve(state, event);
  }
  return state;
}

/** The events of a run after a sequence number, read page by page. */
export async function* readEvents(journal: Journal, run: RunId, after: number): AsyncGenerator<Event> {
  for (let seen = after; ; ) {
    const page = await journal.read(run, seen, PAGE);
    yield* page;
    if (page.length < PAGE) return;
    seen = (page.at(-1) as Event).seq;
  }
}
