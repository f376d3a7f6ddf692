/**
 * An interrupt is a question that a node asks in the middle of its work.
 *
 * 1. The node runs again from its start once every question that it asked is answered; the n-th call of `interrupt`
 *    in a run of the node returns the n-th answer.
 * 2. This is the one place that throws for control flow: an unanswered call leaves the node by a throw, and what was
 *    asked counts even when the node catches it.
 */

import { Ambient } from "../../base/ambient.ts";
import type { Json } from "../../base/json.ts";
import type { TaskContext } from "../../kernel/program.ts";
import { GraphError } from "./errors.ts";
import { open, seal } from "./values.ts";

/** One run of a node, as far as its questions go. */
export interface Asking {
  readonly context: TaskContext;
  /** How often `interrupt` was called. */
  calls: number;
  /** What is asked and not answered yet. */
  readonly questions: Json[];
}

const current = new Ambient<Asking>();

/** Leaves the node that asked. */
class Suspension extends Error {
  override readonly name: string = "Suspension";

  constructor() {
    super("This node waits for an answer. Let this pass: do not catch it.");
  }
}

/**
 * Pauses the node and shows `value` to a person; returns what they answer, once `Command({ resume })` brings it.
 * What stands before it in the node runs again then: put effects after it, or into `config.once`.
 */
export function interrupt<Answer = unknown, Value = unknown>(value: Value): Answer {
  const asking = current.get();
  if (asking === undefined) {
    throw new GraphError("interrupt() was called outside of a node: only a running node can ask.");
  }
  const { answers } = asking.context;
  const call = asking.calls++;
  if (call < answers.length) return open(answers[call] as Json) as Answer; // the caller says what it asked for
  asking.questions.push(seal(value, "The value of interrupt()"));
  throw new Suspension();
}

/** Calls a node so that it may ask; what it threw to suspend itself is no error. */
export function callAsking<T>(asking: Asking, call: () => T): T {
  return current.run(asking, call);
}
