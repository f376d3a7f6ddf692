/**
 * Evolve folds one event into the state: what happened, and nothing that still should.
 *
 * 1. It decides nothing, and it never fails on an event that the kernel proposed.
 * 2. Its cost is that of the change, however long the run is; only a fork costs as much as the state that it brings.
 */

import type { Json } from "../base/json.ts";
import type { ChannelName, TaskId } from "../base/names.ts";
import { restoreState } from "./archive.ts";
import type { Event, Write } from "./event.ts";
import { type Patch, resolve } from "./patch.ts";
import { indexOf, type Limits } from "./plan.ts";
import { markListeners, signal } from "./signal.ts";
import {
  adoptPlan,
  cellOf,
  findQuestion,
  type RunState,
  type RunStatus,
  type Task,
  taskOf,
} from "./state.ts";
import { closeTask, dropTasks, failTask, openTask, retryQueued, retryTask, setPhase } from "./task.ts";

/** The node in whose name a start signals the entries of a plan. */
export const START_NODE = "__start__";

/** An event of this type. */
type Of<Type extends Event["type"]> = Extract<Event, { type: Type }>;

/** Folds an event into the state that it belongs to; `type` is its type, for callers that have just looked. */
export function evolve(state: RunState, event: Event, type: Event["type"] = event.type): void {
  // Those of each step have functions that are called by name, which is faster than a look into a table.
  if (type === "task.finished") finishTask(state, event as Of<"task.finished">);
  else if (type === "step.committed") commitStep(state, event as Of<"step.committed">);
  else if (type === "step.opened") openStep(state, event as Of<"step.opened">);
  else {
    state.seq = event.seq;
    (rows[type] as (state: RunState, event: Event) => void)(state, event);
  }
}

function openStep(state: RunState, { step, tasks, seq }: Of<"step.opened">): void {
  state.seq = seq;
  state.step = step;
  state.mayPass = false;
  let sent = 0;
  for (const opened of tasks) {
    openTask(state, step, opened, seq);
    if (opened.sent) sent++;
  }
  if (sent > 0) state.sends = state.sends.slice(sent);
}

function finishTask(state: RunState, event: Of<"task.finished">): void {
  state.seq = event.seq;
  const task = taskOf(state, event.task);
  task.result = event;
  setPhase(state, task, "finished");
}

function commitStep(state: RunState, { ran: ids, patches, seq }: Of<"step.committed">): void {
  state.seq = seq;
  const ran = tasksOf(state, ids);
  applyPatches(state, patches, seq, ran);
  for (const task of ran) commitTask(state, task, seq);
}

type Rows = {
  readonly [Type in Exclude<Event["type"], "step.opened" | "task.finished" | "step.committed">]: (
    state: RunState,
    event: Of<Type>,
  ) => void;
};

const rows: Rows = {
  "run.started"(state, event) {
    dropTasks(state);
    if (event.plan !== undefined) adoptPlan(state, event.plan);
    state.program = event.program;
    state.parent = event.parent;
    for (const channel of indexOf(state.plan).fleeting) cellOf(state, channel).apply({ op: "clear" });
    applyPatches(state, event.patches, event.seq);
    for (const channel of event.route) signal(state, channel, START_NODE, event.seq);
    if (event.sends !== undefined) state.sends.push(...event.sends);
    begin(state, event.limits);
  },
  "run.resumed"(state, event) {
    state.mayPass = state.reason === "interrupt_before";
    applyPatches(state, event.patches, event.seq);
    if (state.count.failed > 0 && (state.plan.onFailure === "stop" || state.status === "failed")) {
      for (const task of state.tasks.values()) if (task.phase === "failed") retryTask(state, task);
    }
    // An interruption stops what ran then; a resume lets it run again.
    for (const task of state.ready.values()) task.interrupted = undefined;
    begin(state, event.limits);
  },
  "run.paused"(state, event) {
    end(state, "paused", event);
  },
  "run.finished"(state, event) {
    end(state, "completed", event);
  },
  "run.failed"(state, event) {
    end(state, "failed", { reason: event.failure.code, message: event.failure.message });
    state.failure = event.failure;
  },
  "run.cancelled"(state, event) {
    end(state, "cancelled", event);
  },
  "run.forked"(state, event) {
    Object.assign(state, restoreState(state.run, event.state), { seq: event.seq });
  },
  "plan.amended"(state, event) {
    adoptPlan(state, event.plan);
    state.program = event.program;
    state.snapshot = undefined;
    retryQueued(state);
  },
  "state.updated"(state, event) {
    applyPatches(state, event.patches, event.seq);
    for (const channel of event.route) signal(state, channel, event.as ?? START_NODE, event.seq);
    if (event.sends !== undefined) state.sends.push(...event.sends);
    reopen(state);
  },
  "task.failed"(state, event) {
    const task = taskOf(state, event.task);
    task.failure = event.failure;
    if (event.retryAt === undefined) failTask(state, task);
    else {
      task.attempt++;
      task.notBefore = event.retryAt;
    }
  },
  "task.asked"(state, event) {
    const task = taskOf(state, event.task);
    task.questions = [
      ...task.questions,
      ...event.questions.map((asked) => ({ ...asked, answer: undefined })),
    ];
    setPhase(state, task, "asked");
  },
  "task.answered"(state, event) {
    const found = findQuestion(state, event.question);
    if (found === undefined) return;
    found.question.answer = { value: event.value };
    if (found.task.questions.every(({ answer }) => answer !== undefined))
      setPhase(state, found.task, "ready");
  },
  "task.remembered"(state, event) {
    const task = taskOf(state, event.task);
    task.memory ??= new Map();
    task.memory.set(event.key, event.value);
  },
  "task.noted"() {},
  "task.interrupted"(state, event) {
    taskOf(state, event.task).interrupted = event.reason;
  },
  "task.retried"(state, event) {
    retryTask(state, taskOf(state, event.task));
    reopen(state);
  },
};

function begin(state: RunState, limits: Limits | undefined): void {
  state.status = "running";
  state.reason = state.message = state.detail = state.failure = undefined;
  state.lastStep = state.step + (limits?.steps ?? state.plan.limits.steps ?? Number.POSITIVE_INFINITY);
}

/** A run whose plan holds its failures is over only until somebody brings it work again. */
function reopen(state: RunState): void {
  const isOver = state.status === "completed" || state.status === "failed";
  if (isOver && state.plan.onFailure === "hold") begin(state, undefined);
}

function end(
  state: RunState,
  status: RunStatus,
  why: { readonly reason?: string; readonly message?: string; readonly detail?: Json },
): void {
  state.status = status;
  state.reason = why.reason;
  state.message = why.message;
  state.detail = why.detail;
  state.halt = undefined;
  state.pauseAfter = [];
}

function commitTask(state: RunState, task: Task, seq: number): void {
  closeTask(state, task, seq);
  const result = task.result;
  if (result === undefined) return;
  for (const channel of result.route) signal(state, channel, task.node, seq);
  if (result.sends !== undefined) for (const send of result.sends) state.sends.push(send);
  if (result.halt !== undefined) state.halt ??= result.halt;
  if (!indexOf(state.plan).hasPauses) return;
  const pause = state.plan.nodes[task.node]?.pause;
  if (pause === "after" || pause === "both") state.pauseAfter.push(task.node);
}

function tasksOf(state: RunState, ids: readonly TaskId[]): readonly Task[] {
  return ids.length === 1 ? [taskOf(state, ids[0] as TaskId)] : ids.map((id) => taskOf(state, id));
}

function applyPatches(
  state: RunState,
  patches: readonly Patch[],
  seq: number,
  ran: readonly Task[] = [],
): void {
  if (patches.length === 0) return;
  const written = ran.length > 1 ? writtenBy(ran) : undefined;
  const { hasQueues } = indexOf(state.plan);
  for (const patch of patches) {
    const { channel } = patch;
    const values = written === undefined ? writtenTo(channel, ran[0]) : (written.get(channel) ?? []);
    cellOf(state, channel).apply(resolve(patch, values));
    if (hasQueues && state.plan.channels[channel]?.kind === "queue") markListeners(state, channel, seq);
  }
  state.snapshot = undefined;
}

/** What one task wrote to a channel. */
function writtenTo(channel: ChannelName, task: Task | undefined): readonly Json[] {
  const writes = task?.result?.writes ?? NOTHING_WRITTEN;
  const first = writes[0];
  return writes.length === 1 && first?.channel === channel ? [first.value] : valuesFor(channel, writes);
}

const NOTHING_WRITTEN: readonly Write[] = [];

function valuesFor(channel: ChannelName, writes: readonly Write[]): readonly Json[] {
  return writes.filter((write) => write.channel === channel).map(({ value }) => value);
}

/** What tasks wrote to each channel, in task order. */
function writtenBy(tasks: readonly Task[]): Map<ChannelName, readonly Json[]> {
  const written = new Map<ChannelName, Json[]>();
  for (const task of tasks) {
    for (const { channel, value } of task.result?.writes ?? []) {
      const values = written.get(channel);
      if (values === undefined) written.set(channel, [value]);
      else values.push(value);
    }
  }
  return written;
}
