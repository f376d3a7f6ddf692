/** The life of a task in the state: opened, moved from phase to phase, closed by its commit. */

import type { Json } from "../base/json.ts";
import type { ChannelName } from "../base/names.ts";
import type { OpenedTask } from "./event.ts";
import { disarm, markListeners } from "./signal.ts";
import { cellOf, type RunState, type Task, type TaskPhase } from "./state.ts";

const NO_QUESTIONS: Task["questions"] = Object.freeze([]);
const NOTHING_TAKEN: Task["taken"] = Object.freeze({});

/** Opens a task, which takes its items from the queues and disarms its triggers. */
export function openTask(state: RunState, step: number, opened: OpenedTask, seq: number): void {
  const sent = opened.sent === true;
  if (!sent) {
    state.busy.set(opened.node, true);
    disarm(state, opened.node);
  }
  const task: Task = {
    id: opened.task,
    node: opened.node,
    step,
    input: opened.input,
    sent,
    taken: opened.takes === undefined ? NOTHING_TAKEN : take(state, opened.takes, seq),
    phase: "ready",
    attempt: 1,
    firstAttempt: 1,
    notBefore: 0,
    result: undefined,
    failure: undefined,
    questions: NO_QUESTIONS,
    memory: undefined,
    interrupted: undefined,
  };
  state.tasks.set(task.id, task);
  state.ready.set(task.id, task);
  state.count.ready++;
}

function take(state: RunState, takes: Readonly<Record<ChannelName, number>>, seq: number): Task["taken"] {
  const taken: Record<ChannelName, readonly Json[]> = {};
  for (const [channel, count] of Object.entries(takes)) {
    const cell = cellOf(state, channel);
    const items = (cell.value ?? []) as readonly Json[];
    taken[channel] = items.slice(0, count);
    cell.apply(count < items.length ? { op: "set", value: items.slice(count) } : { op: "clear" });
    if (!cell.isEmpty) markListeners(state, channel, seq);
  }
  return taken;
}

/** Moves a task to another phase and keeps the counts right. */
export function setPhase(state: RunState, task: Task, phase: TaskPhase): void {
  state.count[task.phase]--;
  state.count[phase]++;
  if (task.phase === "ready") state.ready.delete(task.id);
  task.phase = phase;
  if (phase === "ready") state.ready.set(task.id, task);
  else if (phase === "finished") state.finished.set(task.id, task);
}

/** Gives a failed task a new allowance of attempts. */
export function retryTask(state: RunState, task: Task): void {
  task.attempt++;
  task.firstAttempt = task.attempt;
  task.notBefore = 0;
  setPhase(state, task, "ready");
}

/** Takes a finished task out of the state; a node that was triggered meanwhile is runnable from now on. */
export function closeTask(state: RunState, task: Task, seq: number): void {
  state.tasks.delete(task.id);
  state.finished.delete(task.id);
  state.count[task.phase]--;
  if (task.sent) return;
  state.busy.delete(task.node);
  if (state.runnable.delete(task.node)) state.runnable.set(task.node, seq);
}

/** Drops every open task and everything that would start another. */
export function dropTasks(state: RunState): void {
  state.tasks.clear();
  state.ready.clear();
  state.finished.clear();
  state.busy.clear();
  state.runnable.clear();
  state.signals.clear();
  state.sends = [];
  state.pauseAfter = [];
  state.halt = undefined;
  state.count = { ready: 0, asked: 0, finished: 0, failed: 0 };
}
