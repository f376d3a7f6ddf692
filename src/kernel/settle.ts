/** Settle turns what came back from a task into facts: its result, its questions, or when it is tried again. */

import type { TaskId } from "../base/names.ts";
import { questionId } from "../base/names.ts";
import { random } from "../base/random.ts";
import type { Emit, Fact, Result } from "./event.ts";
import type { Attempts } from "./plan.ts";
import type { Note, Outcome } from "./program.ts";
import type { RunState, Task } from "./state.ts";

export interface Settling {
  /** Milliseconds since 1970 UTC. */
  readonly now: number;
  readonly emit: Emit;
}

/** Records what a task came back with. One that is no longer waited for leaves nothing. */
export function settle(state: RunState, id: TaskId, outcome: Outcome, { now, emit }: Settling): void {
  const task = state.tasks.get(id);
  if (task?.phase !== "ready" || state.status === "cancelled") return;
  for (const note of outcome.notes ?? NO_NOTES) emit({ type: "task.noted", task: id, ...note });
  const fact = settled(state, task, outcome, now);
  if (fact !== undefined) emit(fact);
}

const NO_NOTES: readonly Note[] = [];

function settled(state: RunState, task: Task, outcome: Outcome, now: number): Fact | undefined {
  switch (outcome.kind) {
    case "done":
      return finished(task, outcome);
    case "asks": {
      const first = task.questions.length;
      const questions = outcome.questions.map((ask, index) => ({
        id: questionId(task.id, first + index),
        ...ask,
      }));
      return { type: "task.asked", task: task.id, questions };
    }
    case "failed":
      return failed(state, task, outcome, now);
    case "held": {
      if (state.status === "paused") return undefined;
      const { reason, message, detail } = outcome;
      return {
        type: "run.paused",
        reason,
        message,
        nodes: [task.node],
        ...(detail !== undefined && { detail }),
      };
    }
  }
}

function finished(task: Task, { writes, route, sends, halt }: Result): Fact {
  const fact = { type: "task.finished", task: task.id, writes, route } as const;
  if (sends === undefined && halt === undefined) return fact;
  return { ...fact, ...(sends && { sends }), ...(halt && { halt }) };
}

function failed(state: RunState, task: Task, outcome: Outcome & { kind: "failed" }, now: number): Fact {
  const failure = { at: task.node, ...outcome.failure };
  const fact = { type: "task.failed", task: task.id, attempt: task.attempt, failure } as const;
  const attempts = state.plan.nodes[task.node]?.attempts;
  const made = task.attempt - task.firstAttempt + 1;
  if (attempts === undefined || !failure.retryable || made >= attempts.max) return fact;
  return { ...fact, retryAt: now + delay(attempts, made, `${state.run}/${task.id}/${task.attempt}`) };
}

/**
 * How long to wait after the `made`-th attempt, in milliseconds: exponential backoff with a cap, and "equal jitter"
 * (Brooker, "Exponential Backoff And Jitter", 2015) drawn from the seed.
 */
export function delay(attempts: Attempts, made: number, seed: string): number {
  const full = Math.min(
    attempts.initialInterval * attempts.backoffFactor ** (made - 1),
    attempts.maxInterval,
  );
  return Math.round(attempts.jitter ? full * (0.5 + random(seed)() / 2) : full);
}
