/** Settle turns what came back from a task into facts: its result, its questions, or when it is tried again. */

import type { TaskId } from "../base/names.ts";
import { questionId } from "../base/names.ts";
import { random } from "../base/random.ts";
import type { Fact } from "./event.ts";
import type { Attempts } from "./plan.ts";
import type { Note, Outcome } from "./program.ts";
import type { RunState, Task } from "./state.ts";

/** The facts of a task that came back. One that is no longer waited for leaves none. */
export function settle(state: RunState, id: TaskId, outcome: Outcome, now: number): Fact[] {
  const task = state.tasks.get(id);
  if (task?.phase !== "ready" || state.status === "cancelled") return [];
  const facts: Fact[] = outcome.notes === undefined ? [] : outcome.notes.map((note) => noted(id, note));
  facts.push(...settled(state, task, outcome, now));
  return facts;
}

function noted(task: TaskId, { kind, data }: Note): Fact {
  return { type: "task.noted", task, kind, data };
}

function settled(state: RunState, task: Task, outcome: Outcome, now: number): Fact[] {
  switch (outcome.kind) {
    case "done": {
      const { writes, route, sends, halt } = outcome;
      const fact = { type: "task.finished", task: task.id, writes, route } as const;
      return [
        sends === undefined && halt === undefined
          ? fact
          : { ...fact, ...(sends && { sends }), ...(halt && { halt }) },
      ];
    }
    case "asks": {
      const asked = outcome.questions.map((ask, index) => ({
        id: questionId(task.id, task.questions.length + index),
        ...ask,
      }));
      return [{ type: "task.asked", task: task.id, questions: asked }];
    }
    case "failed":
      return [failed(state, task, outcome, now)];
    case "held": {
      const { reason, message, detail } = outcome;
      const why = { reason, message, nodes: [task.node], ...(detail !== undefined && { detail }) };
      return state.status === "paused" ? [] : [{ type: "run.paused", ...why }];
    }
  }
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
