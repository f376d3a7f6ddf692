/**
 * The state of a run is what its log folds to.
 *
 * 1. Only `evolve` changes it, and only in answer to an event.
 * 2. It holds no clock, no code and nothing in flight: a new process folds the same log to the same state.
 * 3. It belongs to whoever folds it; what leaves it (values, snapshots) does not change afterwards.
 */

import type { Failure } from "../base/failure.ts";
import { invariant } from "../base/failure.ts";
import type { Json } from "../base/json.ts";
import type { ChannelName, NodeName, QuestionId, RunId, TaskId } from "../base/names.ts";
import { SmallMap } from "../base/small-map.ts";
import { Cell } from "./cell.ts";
import type { Asked, Halt, ProgramName, Result, Send } from "./event.ts";
import { indexOf, type Plan } from "./plan.ts";
import { Snapshot } from "./snapshot.ts";

export type RunStatus = "new" | "running" | "paused" | "completed" | "failed" | "cancelled";

/** `ready` to run (maybe not before a time), waiting for answers, or settled as finished or failed. */
export type TaskPhase = "ready" | "asked" | "finished" | "failed";

export interface Task {
  readonly id: TaskId;
  readonly node: NodeName;
  readonly step: number;
  readonly input: Json | undefined;
  readonly sent: boolean;
  readonly taken: Readonly<Record<ChannelName, readonly Json[]>>;
  phase: TaskPhase;
  attempt: number;
  /** The attempt with which the present allowance of attempts began. */
  firstAttempt: number;
  /** Not to be run before this time, in milliseconds since 1970 UTC. */
  notBefore: number;
  result: Result | undefined;
  failure: Failure | undefined;
  questions: readonly Question[];
  memory: Map<string, Json> | undefined;
  /** Why somebody wants it to stop; what it leaves behind is for its handler to say. */
  interrupted: string | undefined;
  /** True for a failed task that is to be tried again as soon as another one gives up its key. */
  isQueued: boolean;
}

export interface Question extends Asked {
  answer: { readonly value: Json } | undefined;
}

export interface RunState {
  readonly run: RunId;
  seq: number;
  plan: Plan;
  program: ProgramName | undefined;
  status: RunStatus;
  /** Why it is paused, failed, cancelled, or ended in an unusual way. */
  reason: string | undefined;
  message: string | undefined;
  detail: Json | undefined;
  failure: Failure | undefined;
  parent: { readonly run: RunId; readonly task: TaskId } | undefined;
  /** The number of the step opened last. */
  step: number;
  /** No step beyond this one is opened. */
  lastStep: number;
  cells: Map<ChannelName, Cell>;
  /** The pulses that were signalled, and who has signalled each gate since it last fired. */
  signals: SmallMap<ChannelName, ReadonlySet<NodeName>>;
  /** The nodes that can run, with the event that made them so. */
  runnable: SmallMap<NodeName, number>;
  sends: Send[];
  /** The nodes that their own triggers have started and that have not committed yet. */
  busy: SmallMap<NodeName, true>;
  /** The keys that open tasks have for themselves; a failed task has none. */
  keys: SmallMap<string, TaskId>;
  /** The open tasks, in task order. */
  tasks: SmallMap<TaskId, Task>;
  /** Those of them in the phase `ready`, in the same order. */
  ready: SmallMap<TaskId, Task>;
  /** Those in the phase `finished`, in the order in which they finished. */
  finished: SmallMap<TaskId, Task>;
  /** How many open tasks are in each phase. */
  count: Record<TaskPhase, number>;
  halt: Halt | undefined;
  /** True when a person let the run pass the pause before its next step. */
  mayPass: boolean;
  /** The nodes after which the run pauses next. */
  pauseAfter: NodeName[];
  snapshot: Snapshot | undefined;
}

/** The part of a state that commits look at. */
export type Channels = Pick<RunState, "plan" | "cells">;

const NO_PLAN: Plan = {
  name: "",
  pace: "step",
  channels: {},
  nodes: {},
  entry: [],
  output: [],
  limits: {},
  onFailure: "stop",
};

/** The state of a run whose log is empty. */
export function emptyState(run: RunId): RunState {
  return {
    run,
    seq: 0,
    plan: NO_PLAN,
    program: undefined,
    status: "new",
    reason: undefined,
    message: undefined,
    detail: undefined,
    failure: undefined,
    parent: undefined,
    step: 0,
    lastStep: Number.POSITIVE_INFINITY,
    cells: new Map(),
    signals: new SmallMap(),
    runnable: new SmallMap(),
    sends: [],
    busy: new SmallMap(),
    keys: new SmallMap(),
    tasks: new SmallMap(),
    ready: new SmallMap(),
    finished: new SmallMap(),
    count: { ready: 0, asked: 0, finished: 0, failed: 0 },
    halt: undefined,
    mayPass: false,
    pauseAfter: [],
    snapshot: undefined,
  };
}

/** The cell of a data channel, made when it is first asked for. */
export function cellOf(state: Pick<RunState, "cells">, channel: ChannelName): Cell {
  let cell = state.cells.get(channel);
  if (cell === undefined) {
    cell = new Cell(undefined);
    state.cells.set(channel, cell);
  }
  return cell;
}

/** Puts a plan in place; channels that are new to the run get their initial values. */
export function adoptPlan(state: Channels, plan: Plan): void {
  state.plan = plan;
  for (const [channel, spec] of Object.entries(plan.channels)) {
    if ("initial" in spec && spec.initial !== undefined && !state.cells.has(channel)) {
      state.cells.set(channel, new Cell(spec.initial));
    }
  }
}

/** What a channel holds now. */
export function channelValue(state: RunState, channel: ChannelName): Json | undefined {
  return state.cells.get(channel)?.value;
}

/** What all tasks that run now may look at. */
export function snapshotOf(state: RunState): Snapshot {
  state.snapshot ??= new Snapshot(indexOf(state.plan), state.cells);
  return state.snapshot;
}

/** The open task with this id. */
export function taskOf(state: RunState, id: TaskId): Task {
  return state.tasks.get(id) ?? notOpen(state, id);
}

/** Apart from `taskOf`, so that the sentence is made only when it is needed. */
function notOpen({ run }: RunState, id: TaskId): never {
  invariant(false, `task ${id} is not open in run ${run}`);
}

/** The questions that wait for an answer, in task order. */
export function openQuestions(state: RunState): { readonly task: Task; readonly question: Question }[] {
  if (state.count.asked === 0) return [];
  return [...state.tasks.values()].flatMap((task) =>
    task.phase === "asked"
      ? task.questions.filter(({ answer }) => answer === undefined).map((question) => ({ task, question }))
      : [],
  );
}

/** The open question with this id, if there is one. */
export function findQuestion(
  state: RunState,
  id: QuestionId,
): { task: Task; question: Question } | undefined {
  for (const task of state.tasks.values()) {
    const question = task.questions.find((candidate) => candidate.id === id);
    if (question !== undefined) return { task, question };
  }
  return undefined;
}

/** The channels that are the result of a run, those that hold nothing left out. */
export function outputOf(state: RunState): Record<ChannelName, Json> {
  const output: Record<ChannelName, Json> = {};
  for (const channel of state.plan.output) {
    const value = channelValue(state, channel);
    if (value !== undefined) output[channel] = value;
  }
  return output;
}
