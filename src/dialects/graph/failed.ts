/** How the error of a node becomes a failed outcome. */

import { describeError, type FailureCode, failure } from "../../base/failure.ts";
import type { Outcome } from "../../kernel/program.ts";
import {
  GraphError,
  InvalidUpdateError,
  isOfFrozen,
  NodeTimeoutError,
  UnknownTargetError,
} from "./errors.ts";
import type { GraphNode } from "./graph.ts";
import type { RetryPolicy } from "./node-options.ts";

const CODES: readonly [type: abstract new (...args: never[]) => unknown, code: FailureCode][] = [
  [InvalidUpdateError, "invalid_update"],
  [UnknownTargetError, "unknown_target"],
  [NodeTimeoutError, "timeout"],
];

/** The outcome of a node that threw. An error of ours is not worth another attempt, save that its time was up. */
export function failed(node: GraphNode, thrown: unknown): Outcome {
  const cause = describeError(thrown);
  const hint = isOfFrozen(thrown)
    ? " The state that a node reads is frozen: return an update instead of changing it."
    : "";
  const code = CODES.find(([type]) => thrown instanceof type)?.[1] ?? "node_failed";
  const retryable = mayPass(thrown) && isWorthRetrying(node, thrown);
  return { kind: "failed", failure: failure(code, `${cause.message}${hint}`, { retryable, cause }), thrown };
}

/** The outcome of a node whose sub-graph failed: what a node of it threw is worth what the policy of this node says. */
export function failedWithin(node: GraphNode, outcome: Outcome): Outcome {
  if (outcome.kind !== "failed" || outcome.thrown === undefined) return outcome;
  const retryable = mayPass(outcome.thrown) && isWorthRetrying(node, outcome.thrown);
  return { ...outcome, failure: { ...outcome.failure, retryable } };
}

function mayPass(thrown: unknown): boolean {
  return !(thrown instanceof GraphError) || thrown instanceof NodeTimeoutError;
}

/** Says whether a policy tries again after this error. */
export function isWorthRetrying({ retryOn }: Pick<RetryPolicy, "retryOn">, thrown: unknown): boolean {
  if (retryOn === undefined) return true;
  if (Array.isArray(retryOn)) return retryOn.some((type) => thrown instanceof type);
  return (retryOn as (error: unknown) => boolean)(thrown);
}
