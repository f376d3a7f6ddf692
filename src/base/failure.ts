/** A failure is why work did not succeed, as data for the log and for the person who operates the run. */

import type { Json } from "./json.ts";

/** Every way in which a task or a run can fail. */
export type FailureCode =
  | "node_failed"
  | "timeout"
  | "step_limit"
  | "invalid_update"
  | "unknown_target"
  | "invalid_input"
  | "agent_failed"
  | "agent_refused"
  | "script_exhausted"
  | "utility_failed"
  | "output_too_large"
  | "output_invalid"
  | "handoff_invalid"
  | "edge_exhausted"
  | "no_progress"
  | "child_failed"
  | "interrupt_unavailable"
  | "internal";

export interface Failure {
  readonly code: FailureCode;
  /** One sentence that says what happened and, where there is one, what to do. */
  readonly message: string;
  /** True when trying the same thing again may succeed. */
  readonly retryable: boolean;
  /** The node or socket that it happened in. */
  readonly at?: string;
  /** Evidence for views: the cycle, the missing fields, what stood on stderr. */
  readonly detail?: Json;
  /** The JavaScript error behind it, described. */
  readonly cause?: ErrorDescription;
}

export interface ErrorDescription {
  readonly name: string;
  readonly message: string;
  readonly stack?: string;
}

/** Describes anything that was thrown. */
export function describeError(thrown: unknown): ErrorDescription {
  if (!(thrown instanceof Error)) return { name: "Error", message: messageOf(thrown) };
  const { name, message, stack } = thrown;
  return stack === undefined ? { name, message } : { name, message, stack };
}

/** What anything that was thrown says. */
export function messageOf(thrown: unknown): string {
  if (thrown instanceof Error) return thrown.message;
  try {
    return String(thrown);
  } catch {
    return "a value that cannot be printed was thrown";
  }
}

/** Builds a failure that is not worth trying again unless told otherwise. */
export function failure(code: FailureCode, message: string, more: Partial<Failure> = {}): Failure {
  return { code, message, retryable: false, ...more };
}

/** A bug of ours: a state that the rules exclude. */
export function invariant(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Error(`Bug in Baton: ${message}. Please report it.`);
}
