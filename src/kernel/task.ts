/**
 * The life of a task in the state: opened, moved from phase to phase, closed by its commit.
 *
 * 1. A task of an exclusive node has its node's key from its opening to its commit, while it waits for answers too.
 * 2. One that failed gives its key up, so that it stops nobody, and is tried again once it can have the key back.
 */

import type { Json } from "../base/json.ts";
import type { ChannelName } from "../base/names.ts";
import type { OpenedTask } from "./event.ts";
import { indexOf } from "./plan.ts";
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
    isQueued: false,
  };
  state.tasks.set(task.id, task);
  state.ready.set(task.id, task);
  state.count.ready++;
  const key = keyOf(state, task);
  if (key !== undefined) state.keys.set(key, task.id);
}

function keyOf({ plan }: RunState, { node }: Task): string | undefined {
  return indexOf(plan).hasExclusive ? plan.nodes[node]?.exclusive : undefined;
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
  else if (phase === "finished" && state.plan.pace === "turn") state.finished.set(task.id, task);
}

/** Ends the last attempt of a task that failed (2). */
export function failTask(state: RunState, task: Task): void {
  setPhase(state, task, "failed");
  giveUpKey(state, task);
}

function giveUpKey(state: RunState, { id }: Task): void {
  if (state.keys.size === 0) return;
  const held = state.keys.keys().filter((key) => state.keys.get(key) === id);
  for (const key of held) state.keys.delete(key);
  if (held.length > 0) retryQueued(state);
}

/** Tries those again that waited for a key, as far as they can have it now. */
export function retryQueued(state: RunState): void {
  for (const task of state.tasks.values()) if (task.isQueued) retryTask(state, task);
}

/** Gives a failed task a new allowance of attempts, once its key is free (2). */
export function retryTask(state: RunState, task: Task): void {
  const key = keyOf(state, task);
  task.isQueued = key !== undefined && state.keys.has(key);
  if (task.isQueued) return;
  if (key !== undefined) state.keys.set(key, task.id);
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
  giveUpKey(state, task);
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
  state.keys.clear();
  state.runnable.clear();
  state.signals.clear();
  state.sends = [];
  state.pauseAfter = [];
  state.halt = undefined;
  state.count = { ready: 0, asked: 0, finished: 0, failed: 0 };
}
