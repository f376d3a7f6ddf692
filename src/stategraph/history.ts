/** Reading what a thread is and was. */

import { GraphError } from "../dialects/graph/errors.ts";
import type { Journal } from "../run/journal.ts";
import { missingCheckpointer } from "./begin.ts";
import { type StateSnapshot, snapshotOf, visitMoments } from "./moments.ts";
import { type RunConfig, threadOf } from "./run-config.ts";

export interface HistoryOptions {
  /** The most states to tell; all by default. */
  readonly limit?: number;
  /** Only what came before this moment. */
  readonly before?: RunConfig;
  /** Only what has this metadata. */
  readonly filter?: Partial<StateSnapshot["metadata"]>;
}

/** The state of a thread, now or at the checkpoint that the config names. */
export async function readState(journal: Journal | undefined, config: RunConfig): Promise<StateSnapshot> {
  if (journal === undefined) throw new GraphError(missingCheckpointer("getState()"));
  const run = threadOf(config, true);
  const id = config.configurable?.checkpoint_id;
  let found: StateSnapshot | undefined;
  await visitMoments(journal, run, (checkpoint, state) => {
    if (id === undefined || String(checkpoint.seq) === id) found = snapshotOf(checkpoint, state);
  });
  if (found !== undefined) return found;
  if (id !== undefined) throw new GraphError(`Thread ${run} has no checkpoint ${id}.`);
  return {
    values: {},
    next: [],
    tasks: [],
    interrupts: [],
    metadata: { source: "input", step: 0 },
    config: { configurable: { thread_id: run } },
    parentConfig: undefined,
    createdAt: undefined,
  };
}

/** The states of a thread, newest first. */
export async function readHistory(
  journal: Journal | undefined,
  config: RunConfig,
  { limit = Number.POSITIVE_INFINITY, before, filter = {} }: HistoryOptions,
): Promise<StateSnapshot[]> {
  if (journal === undefined) throw new GraphError(missingCheckpointer("getStateHistory()"));
  const run = threadOf(config, true);
  const end = Number(before?.configurable?.checkpoint_id ?? Number.POSITIVE_INFINITY);
  const wanted = Object.entries(filter);
  const found: StateSnapshot[] = [];
  await visitMoments(journal, run, (checkpoint, state) => {
    if (checkpoint.seq >= end) return;
    const metadata: Readonly<Record<string, unknown>> = { source: checkpoint.source, step: checkpoint.step };
    if (!wanted.every(([key, value]) => metadata[key] === value)) return;
    found.push(snapshotOf(checkpoint, state));
    if (found.length > limit) found.shift();
  });
  return found.reverse();
}
