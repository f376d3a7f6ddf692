/** Reading what a thread is and was. */

import { childRunId, type TaskId } from "../base/names.ts";
import { GraphError } from "../dialects/graph/errors.ts";
import type { Graph } from "../dialects/graph/graph.ts";
import type { Journal } from "../run/journal.ts";
import { missingCheckpointer } from "./begin.ts";
import { subGraphAt } from "./chunks.ts";
import { type StateSnapshot, snapshotOf, type TaskSnapshot, visitMoments } from "./moments.ts";
import { type RunConfig, threadOf } from "./run-config.ts";

/** Which states of a thread `getStateHistory` tells, newest first. */
export interface HistoryOptions {
  /** The most states to tell; all by default. */
  readonly limit?: number;
  /** Only what came before this moment. */
  readonly before?: RunConfig;
  /** Only what has this metadata. */
  readonly filter?: Partial<StateSnapshot["metadata"]>;
}

/** The state of a thread, now or at the checkpoint that the config names; with a graph, those of its sub-graphs too. */
export async function readState(
  journal: Journal | undefined,
  config: RunConfig,
  deepIn?: Graph,
): Promise<StateSnapshot> {
  if (journal === undefined) throw new GraphError(missingCheckpointer("getState()"));
  const run = threadOf(config, true);
  const given = config.configurable?.checkpoint_id;
  const id = given === undefined ? undefined : String(given);
  let found: StateSnapshot | undefined;
  await visitMoments(journal, run, (checkpoint, state) => {
    if (id === undefined || String(checkpoint.seq) === id) found = snapshotOf(checkpoint, state);
  });
  if (found !== undefined) return id === undefined && deepIn ? withSubGraphs(journal, found, deepIn) : found;
  if (id !== undefined) {
    throw new GraphError(
      `Thread ${run} has no checkpoint ${id}. getStateHistory tells the ids that there are.`,
    );
  }
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

async function withSubGraphs(journal: Journal, state: StateSnapshot, graph: Graph): Promise<StateSnapshot> {
  const run = threadOf(state.config, true);
  const tasks: TaskSnapshot[] = [];
  for (const task of state.tasks) {
    const sub = subGraphAt(graph, task.name);
    const child = childRunId(run, task.id as TaskId, ""); // a task of this run
    const isBegun = sub !== undefined && (await journal.head(child)) !== undefined;
    tasks.push(isBegun ? { ...task, state: await readState(journal, { threadId: child }, sub) } : task);
  }
  return { ...state, tasks };
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
  if (Number.isNaN(end)) {
    throw new GraphError("before has no checkpoint_id that a thread could have: give the config of a state.");
  }
  if (!(limit >= 0)) throw new GraphError(`limit is ${limit}; it has to be a number of at least 0.`);
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
