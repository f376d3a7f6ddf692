/** The moments of a thread: what its state was after each event that changed it, read from its log. */

import type { RunId } from "../base/names.ts";
import { open } from "../dialects/graph/values.ts";
import type { Event } from "../kernel/event.ts";
import { evolve } from "../kernel/evolve.ts";
import { schedule } from "../kernel/schedule.ts";
import { emptyState, type RunState, type Task } from "../kernel/state.ts";
import type { Journal } from "../run/journal.ts";
import { readEvents } from "../run/load.ts";
import { type Interrupt, valuesOf } from "./outcome.ts";
import type { RunConfig } from "./run-config.ts";

export type Source = "input" | "loop" | "update" | "fork";

/** The events that make a checkpoint, and what brought each about. */
const SOURCES: Readonly<Partial<Record<Event["type"], Source>>> = {
  "run.started": "input",
  "step.committed": "loop",
  "state.updated": "update",
  "run.forked": "fork",
};

/** The state of a thread at one moment. */
export interface StateSnapshot<Values = Record<string, unknown>> {
  readonly values: Values;
  /** The nodes that run next; none when the run is over. */
  readonly next: readonly string[];
  readonly tasks: readonly TaskSnapshot[];
  /** The open questions. */
  readonly interrupts: readonly Interrupt[];
  readonly metadata: { readonly source: Source; readonly step: number };
  readonly config: RunConfig;
  readonly parentConfig: RunConfig | undefined;
  /** ISO 8601 in UTC; absent when the thread has not begun. */
  readonly createdAt: string | undefined;
}

export interface TaskSnapshot {
  readonly id: string;
  readonly name: string;
  readonly interrupts: readonly Interrupt[];
  /** Why it failed. */
  readonly error?: string;
  /** The state of the sub-graph that it stands in, when that was asked for. */
  readonly state?: StateSnapshot;
}

/** A checkpoint: the event that made it. */
export interface Checkpoint {
  readonly run: RunId;
  readonly seq: number;
  readonly at: number;
  readonly source: Source;
  readonly step: number;
  readonly parent: number | undefined;
}

/** The checkpoint that an event makes, if it makes one; `state` is what it led to. */
export function checkpointOf(
  event: Event,
  state: RunState,
  parent: number | undefined,
): Checkpoint | undefined {
  const source = SOURCES[event.type];
  if (source === undefined) return undefined;
  const { run, seq, at } = event;
  const step = event.type === "step.committed" ? event.step : state.step;
  return { run, seq, at, source, step, parent: event.type === "run.forked" ? event.from.seq : parent };
}

/** Calls `visit` for each checkpoint of a thread, oldest first, with the state as it was before the next one. */
export async function visitMoments(
  journal: Journal,
  run: RunId,
  visit: (checkpoint: Checkpoint, state: RunState) => void,
): Promise<void> {
  const state = emptyState(run);
  let latest: Checkpoint | undefined;
  for await (const event of readEvents(journal, run, 0)) {
    if (latest !== undefined && SOURCES[event.type] !== undefined) visit(latest, state);
    evolve(state, event);
    latest = checkpointOf(event, state, latest?.seq) ?? latest;
  }
  if (latest !== undefined) visit(latest, state);
}

const PAGE = 256;

/** The sequence number of the last checkpoint of a thread, or nothing when it has not begun. */
export async function lastCheckpoint(journal: Journal, run: RunId, end: number): Promise<number | undefined> {
  for (let after = end; after > 0; ) {
    const from = Math.max(0, after - PAGE);
    const page = await journal.read(run, from, after - from);
    const found = page.findLast(({ type }) => SOURCES[type] !== undefined);
    if (found !== undefined) return found.seq;
    after = from;
  }
  return undefined;
}

/** Says whether an event makes a checkpoint. */
export function isCheckpoint({ type }: Event): boolean {
  return SOURCES[type] !== undefined;
}

/** What users see of a moment. */
export function snapshotOf(checkpoint: Checkpoint, state: RunState): StateSnapshot {
  const { run, seq, at, source, step, parent } = checkpoint;
  const tasks = tasksAt(state);
  return {
    values: valuesOf(state),
    next: tasks.map(({ name }) => name),
    tasks,
    interrupts: tasks.flatMap(({ interrupts }) => interrupts),
    metadata: { source, step },
    config: configFor(run, seq),
    parentConfig: parent === undefined ? undefined : configFor(run, parent),
    createdAt: new Date(at).toISOString(),
  };
}

/** The config that names a moment of a thread. */
export function configFor(run: RunId, seq: number): RunConfig {
  return { configurable: { thread_id: run, checkpoint_id: String(seq) } };
}

/** The tasks that are still to be done: those that are open, or those that the next step would open. */
function tasksAt(state: RunState): TaskSnapshot[] {
  const open = [...state.tasks.values()];
  if (open.length === 0) {
    return schedule(state).map(({ task, node }) => ({ id: task, name: node, interrupts: [] }));
  }
  // At pace `turn` a task is committed as it ends, so at each moment all that are open were still to be done.
  if (state.plan.pace === "turn") return open.map(taskSnapshot);
  const unfinished = open.filter(({ phase }) => phase !== "finished");
  return (unfinished.length > 0 ? unfinished : open).map(taskSnapshot);
}

function taskSnapshot({ id, node, questions, phase, failure }: Task): TaskSnapshot {
  const interrupts = questions
    .filter(({ answer }) => answer === undefined)
    .map((question) => ({ id: question.id, value: open(question.value) }));
  const error = phase === "failed" ? failure?.message : undefined;
  return { id, name: node, interrupts, ...(error !== undefined && { error }) };
}
