/**
 * Moments of a run: what its channels held right after an event.
 *
 * 1. Going forward costs the events in between: the moment that was looked at last is kept.
 */

import type { Json } from "../../base/json.ts";
import type { RunId } from "../../base/names.ts";
import { differences } from "../../history/difference.ts";
import type { Event } from "../../kernel/event.ts";
import { evolve } from "../../kernel/evolve.ts";
import { emptyState, type RunState } from "../../kernel/state.ts";
import type { MomentDocument } from "../../protocol/studio.ts";
import type { Journal } from "../../run/journal.ts";
import { readEvents } from "../../run/load.ts";
import { Problem } from "../../server/problem.ts";

export class Moments {
  readonly #journal: Journal;
  #last: { readonly run: RunId; readonly startedAt: number; readonly state: RunState } | undefined;

  constructor(journal: Journal) {
    this.#journal = journal;
  }

  /** The moment right after an event. */
  async at(run: RunId, seq: number): Promise<MomentDocument> {
    const [first] = await this.#journal.read(run, 0, 1);
    const [event] = await this.#journal.read(run, seq - 1, 1);
    if (first === undefined || event === undefined) {
      throw new Problem("not_found", `Run ${run} has no event ${seq}.`);
    }
    const state = await this.#before(run, first, seq);
    const before = channelsOf(state);
    evolve(state, event);
    this.#last = { run, startedAt: first.at, state };
    const after = channelsOf(state);
    const changes = [...differences(before, after)].map(({ path, left, right }) => ({
      pointer: path,
      ...(left !== undefined && { before: left }),
      ...(right !== undefined && { after: right }),
    }));
    return { seq, event, state: after, changes };
  }

  async #before(run: RunId, first: Event, seq: number): Promise<RunState> {
    const last = this.#last;
    this.#last = undefined; // it is changed from here on, and only whole again at the end
    const isNear = last?.run === run && last.startedAt === first.at && last.state.seq < seq;
    const state = isNear ? last.state : emptyState(run);
    for await (const event of readEvents(this.#journal, run, state.seq)) {
      if (event.seq >= seq) break;
      evolve(state, event);
    }
    return state;
  }
}

/** What the channels hold, by their names; nothing of those that are only signals. */
function channelsOf(state: RunState): Record<string, Json> {
  const held = [...state.cells].flatMap(([channel, cell]): [string, Json][] => {
    const { value } = cell;
    return value === undefined ? [] : [[channel, value]];
  });
  return Object.fromEntries(held);
}
