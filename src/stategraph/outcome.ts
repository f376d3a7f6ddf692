/** What a call of a graph comes to: the state, the state with open questions, or an error. */

import { type Failure, invariant } from "../base/failure.ts";
import { isObject } from "../base/json.ts";
import type { TaskId } from "../base/names.ts";
import {
  GraphError,
  GraphRecursionError,
  InvalidUpdateError,
  NodeExecutionError,
} from "../dialects/graph/errors.ts";
import { CONTROL } from "../dialects/graph/names.ts";
import { copy, open } from "../dialects/graph/values.ts";
import { channelValue, openQuestions, type RunState } from "../kernel/state.ts";
import type { Maybe } from "../run/journal.ts";
import type { Stop } from "../run/loop.ts";
import { missingCheckpointer } from "./begin.ts";
import type { Session } from "./session.ts";
import { validOutput } from "./validate.ts";

/** A question that waits for an answer. */
export interface Interrupt<Value = unknown> {
  readonly id: string;
  readonly value: Value;
}

/** What a call returns when the run waits for a person: the state so far, and the open questions. */
export interface Interrupted<Value = unknown> {
  /** Empty when the run paused before or after a node and asked nothing. */
  readonly __interrupt__: Interrupt<Value>[];
}

/** Says whether a result is that of a run that waits for a person. */
export function isInterrupted<Value = unknown>(result: unknown): result is Interrupted<Value> {
  return typeof result === "object" && result !== null && Object.hasOwn(result, "__interrupt__");
}

/** The values of a run, as copies that belong to the caller. */
export function valuesOf(state: RunState): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const channel of state.plan.output) {
    if (channel.startsWith(CONTROL)) continue;
    const value = channelValue(state, channel);
    if (value !== undefined) values[channel] = copy(value);
    else if (state.plan.channels[channel]?.kind === "topic") values[channel] = [];
  }
  return values;
}

/** The open questions of a run. */
export function interruptsOf(state: RunState): Interrupt[] {
  return openQuestions(state).map(({ question }) => ({ id: question.id, value: open(question.value) }));
}

/** What a call returns after its run has stopped. Throws when it did not succeed. */
export function resultOf(session: Session, stop: Stop): Maybe<Record<string, unknown>> {
  const { graph, ledger, config, isKept } = session;
  const { state } = ledger;
  if (stop.kind === "stopped") throw config.signal?.reason ?? new DOMException("Aborted.", "AbortError");
  if (state.status === "failed") throw errorOf(session, stop.thrown);
  if (state.status === "cancelled") throw new GraphError(`Thread ${state.run} was cancelled.`);
  const values = valuesOf(state);
  if (state.status === "completed") return graph.output === undefined ? values : validOutput(graph, values);
  const interrupts = interruptsOf(state);
  if (!isKept) {
    throw new GraphError(
      missingCheckpointer(interrupts.length > 0 ? "interrupt()" : "interruptBefore/After"),
    );
  }
  // A pause that asks nothing shows in `isInterrupted`, and leaves the values as they are.
  const enumerable = interrupts.length > 0;
  return Object.defineProperty(values, "__interrupt__", { value: interrupts, enumerable });
}

function errorOf({ ledger, limit }: Session, thrown: ReadonlyMap<TaskId, unknown>): GraphError {
  const { state } = ledger;
  const { failure } = state;
  invariant(failure, "a failed run says why");
  const task = [...state.tasks.values()].find(({ phase }) => phase === "failed");
  const cause = task === undefined ? undefined : thrown.get(task.id);
  if (isStepLimit(failure)) {
    const who = task === undefined ? "The run" : `Sub-graph ${JSON.stringify(task.node)}`;
    return new GraphRecursionError(
      `${who} took ${limit} supersteps (the recursionLimit) without reaching END. Its state is kept: with a checkpointer, invoke(null, { recursionLimit }) goes on.`,
    );
  }
  if (failure.code === "invalid_update") {
    return cause instanceof InvalidUpdateError ? cause : new InvalidUpdateError(failure.message);
  }
  if (task === undefined) return new GraphError(failure.message);
  return new NodeExecutionError(
    { node: task.node, task: task.id },
    failure.message,
    cause ?? restoredCause(failure),
  );
}

/** A limit is that of the call, however deep the graph that reached it. */
function isStepLimit({ code, detail }: Failure): boolean {
  return (
    code === "step_limit" || (code === "child_failed" && isObject(detail) && detail["code"] === "step_limit")
  );
}

/** The error that another process met, as far as the log describes it. */
function restoredCause({ cause, message }: Failure): Error {
  const error = new Error(cause?.message ?? message);
  if (cause !== undefined) error.name = cause.name;
  return error;
}
