/**
 * Following reads a run from its log: what was recorded after a sequence number, and then what is recorded live.
 *
 * 1. Each event is shown once, in the order of the log, with the state that it led to.
 * 2. It drives nothing, and it may watch a run that another process drives.
 */

import type { RunId } from "../base/names.ts";
import type { Graph } from "../dialects/graph/graph.ts";
import { evolve } from "../kernel/evolve.ts";
import { emptyState, type RunState } from "../kernel/state.ts";
import { systemClock } from "../run/clock.ts";
import { standingOf } from "../run/head.ts";
import type { Journal } from "../run/journal.ts";
import { readEvents } from "../run/load.ts";
import { type Chunk, chunksOf } from "./chunks.ts";
import { checkpointOf } from "./moments.ts";
import type { StreamMode } from "./run-config.ts";

/** A chunk of a stream, with its place in the log of the thread. */
export interface RecordedChunk extends Chunk {
  /** The number of the event; give the last one that was seen as `after` to go on behind it. */
  readonly seq: number;
  /** Milliseconds since 1970 UTC. */
  readonly at: number;
}

export interface FollowOptions {
  /** The number of the last event that was seen; 0, the beginning, by default. */
  readonly after?: number;
  /** How often to look for what other processes record, in milliseconds; 50 by default. */
  readonly interval?: number;
}

export interface Followed {
  readonly journal: Journal;
  readonly run: RunId;
  readonly graph: Graph;
  readonly modes: readonly StreamMode[];
  readonly signal: AbortSignal | undefined;
}

/** Yields the chunks of a run until it is over or waits for a person. */
export async function* followRun(
  { journal, run, graph, modes, signal }: Followed,
  { after = 0, interval = 50 }: FollowOptions,
): AsyncGenerator<RecordedChunk, void> {
  const state = emptyState(run);
  let parent: number | undefined;
  for (;;) {
    for await (const event of readEvents(journal, run, state.seq)) {
      evolve(state, event);
      const checkpoint = checkpointOf(event, state, parent);
      parent = checkpoint?.seq ?? parent;
      if (event.seq <= after) continue;
      const happening = { event, state, checkpoint, graph, told: NOTHING_TOLD, isDeep: false };
      const { seq, at } = event;
      for (const chunk of chunksOf(modes, happening)) yield { seq, at, ...chunk };
    }
    if (signal?.aborted || isAtRest(state)) return;
    await systemClock.sleep(interval, signal);
  }
}

const NOTHING_TOLD: ReadonlySet<string> = new Set();

function isAtRest(state: RunState): boolean {
  return state.status === "new" || standingOf(state) !== "running";
}
