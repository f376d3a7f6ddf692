/**
 * The picture of a moment is the last that a run had named by then, or that a child at work in the same folder had.
 *
 * 1. A child works in the folder of its parent when it is the only one of its task; lanes have folders of their own.
 * 2. A child counts while the task that started it is open: once that is over, its parent has named a later picture.
 */

import { childRunId, type RunId } from "../../base/names.ts";
import type { Event } from "../../kernel/event.ts";
import { evolve } from "../../kernel/evolve.ts";
import { emptyState } from "../../kernel/state.ts";
import type { Journal } from "../../run/journal.ts";
import { readEvents } from "../../run/load.ts";
import { type RecordedTree, treeAt } from "../trees.ts";

export interface MomentPicture extends RecordedTree {
  /** The run whose log names it. */
  readonly run: RunId;
}

/** What the folder of a run held right after an event, or at its latest event; nothing where no log says it. */
export async function pictureAt(
  journal: Journal,
  run: RunId,
  at: number = Number.POSITIVE_INFINITY,
): Promise<MomentPicture | undefined> {
  return pictureUntil(journal, run, ({ seq }) => seq <= at);
}

async function pictureUntil(
  journal: Journal,
  run: RunId,
  isPast: (event: Event) => boolean,
): Promise<MomentPicture | undefined> {
  const state = emptyState(run);
  const events: Event[] = [];
  let last: Event | undefined;
  for await (const event of readEvents(journal, run, 0)) {
    events.push(event);
    if (!isPast(event)) continue;
    evolve(state, event);
    last = event;
  }
  if (last === undefined) return undefined;
  const time = last.at;
  for (const { id, phase } of state.tasks.values()) {
    if (phase !== "ready" && phase !== "asked") continue; // (2)
    const found = await pictureUntil(journal, childRunId(run, id, ""), ({ at }) => at <= time); // (1)
    if (found !== undefined) return found;
  }
  const tree = treeAt(events, last.seq);
  return tree && { ...tree, run };
}
