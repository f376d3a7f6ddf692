/**
 * Next says what a run does now, in the order in which it is written here.
 *
 * 1. It looks at the state and nothing else, so any process that folds the same log goes the same way.
 * 2. The two paces differ in one predicate: when settled tasks commit (`toCommit`).
 * 3. A pause stops new steps only: what is in hand settles, and at pace `turn` commits.
 */

import { failure } from "../base/failure.ts";
import type { NodeName, TaskId } from "../base/names.ts";
import { commit } from "./commit.ts";
import type { Emit, Fact, OpenedTask } from "./event.ts";
import { indexOf } from "./plan.ts";
import type { Outcome, Program } from "./program.ts";
import { schedule } from "./schedule.ts";
import { settle } from "./settle.ts";
import type { RunState, Task } from "./state.ts";

export type Decision =
  /** Something is to be recorded, and then `next` asked again. */
  | { readonly kind: "record"; readonly fact: Fact }
  /** Run the tasks that are ready. */
  | { readonly kind: "execute" }
  /** Only answers move it on. */
  | { readonly kind: "waiting" }
  /** Only a command moves it on. */
  | { readonly kind: "idle" };

/** What the run does now. */
export function next(program: Program, state: RunState): Decision {
  const { status, count } = state;
  if (status !== "running" && status !== "paused") return IDLE;
  const tasks = toCommit(state);
  if (tasks.length > 0) return record(committed(program, state, tasks));
  if (status === "paused") return IDLE;
  const ending = ended(state);
  if (ending !== undefined) return record(ending);
  if (state.plan.pace === "turn" || state.tasks.size === 0) {
    const opening = opened(state);
    if (opening !== undefined) return record(opening);
  }
  if (count.ready > 0) return EXECUTE;
  if (count.asked > 0) return WAITING;
  return record(finished(state));
}

const IDLE: Decision = { kind: "idle" };
const EXECUTE: Decision = { kind: "execute" };
const WAITING: Decision = { kind: "waiting" };

function record(fact: Fact): Decision {
  return { kind: "record", fact };
}

/** The tasks that commit now: all of a step together once all have finished, or each as it finishes. */
function toCommit(state: RunState): readonly Task[] {
  if (state.count.finished === 0) return NOBODY;
  if (state.plan.pace === "turn") return [state.finished.first() as Task];
  return state.count.finished === state.tasks.size ? state.tasks.list() : NOBODY;
}

const NOBODY: readonly never[] = [];
const IN_LOG = { inLog: true };

function committed(program: Program, state: RunState, tasks: readonly Task[]): Fact {
  const made = commit(program, state, tasks, IN_LOG);
  if (!made.ok) return { type: "run.failed", failure: made.failure };
  const step = tasks[0]?.step ?? state.step;
  return { type: "step.committed", step, ran: tasks.map(idOf), patches: made.patches };
}

function idOf({ id }: Task): TaskId {
  return id;
}

/** How the run ends or pauses because of what the last commit or a failure said. */
function ended(state: RunState): Fact | undefined {
  const { halt, count } = state;
  if (halt?.status === "failed") return { type: "run.failed", failure: halt.failure };
  if (halt?.status === "paused") return { type: "run.paused", ...withoutStatus(halt) };
  if (halt?.status === "completed" && state.tasks.size === 0)
    return { type: "run.finished", ...withoutStatus(halt) };
  if (state.pauseAfter.length > 0) {
    return { type: "run.paused", reason: "interrupt_after", nodes: [...state.pauseAfter] };
  }
  if (count.failed > 0 && count.ready === 0 && state.plan.onFailure === "stop") return failedBy(state);
  return undefined;
}

function withoutStatus<T extends { status: string }>({ status: _, ...rest }: T): Omit<T, "status"> {
  return rest;
}

function failedBy(state: RunState): Fact {
  for (const task of state.tasks.values()) {
    if (task.phase === "failed" && task.failure !== undefined) {
      return { type: "run.failed", failure: task.failure, task: task.id };
    }
  }
  return { type: "run.failed", failure: failure("internal", "A task failed and left no reason.") };
}

/** The next step, or what keeps it from being opened. */
function opened(state: RunState): Fact | undefined {
  if (state.plan.onFailure === "stop" && state.count.failed > 0) return undefined;
  const tasks = schedule(state);
  if (tasks.length === 0) return undefined;
  const step = state.step + 1;
  if (step > state.lastStep) {
    const message = `The run opened ${state.step} steps without reaching its end. Raise the limit to go on.`;
    return { type: "run.failed", failure: failure("step_limit", message) };
  }
  const nodes = state.mayPass || !indexOf(state.plan).hasPauses ? [] : pausingBefore(state, tasks);
  if (nodes.length > 0) return { type: "run.paused", reason: "interrupt_before", nodes };
  return { type: "step.opened", step, tasks };
}

/** The nodes before which the run pauses for a person, of those that these tasks are of. */
function pausingBefore({ plan }: RunState, tasks: readonly OpenedTask[]): NodeName[] {
  const nodes = tasks.map(({ node }) => node);
  return [...new Set(nodes)].filter((node) => {
    const pause = plan.nodes[node]?.pause;
    return pause === "before" || pause === "both";
  });
}

function finished(state: RunState): Fact {
  return state.count.failed > 0 ? failedBy(state) : { type: "run.finished" };
}

export interface Returned {
  readonly task: TaskId;
  readonly outcome: Outcome;
}

/** What is to be done next, once everything that follows from the state has been recorded. */
export type Advanced = Exclude<Decision, { kind: "record" }> | { readonly kind: "yielded" };

/** Settles what came back and goes on until an effect, an answer or a command is needed, or `mayOpen` says no. */
export function advance(program: Program, state: RunState, given: Advance): Advanced {
  const { returned, emit, mayOpen } = given;
  for (const { task, outcome } of returned) settle(state, task, outcome, given);
  for (;;) {
    const decision = next(program, state);
    if (decision.kind !== "record") return decision;
    if (decision.fact.type === "step.opened" && mayOpen !== undefined && !mayOpen())
      return { kind: "yielded" };
    emit(decision.fact);
  }
}

export interface Advance {
  readonly returned: readonly Returned[];
  /** Milliseconds since 1970 UTC. */
  readonly now: number;
  readonly emit: Emit;
  /** Asked before each step; when it says no, the run yields. */
  readonly mayOpen?: () => boolean;
}
