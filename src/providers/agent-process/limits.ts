/** Limits are what a turn of an agent may take, and what is said when it takes more. */

import { type Failure, failure } from "../../base/failure.ts";

/** Times in milliseconds. */
export interface AgentLimits {
  /** How long the agent may take to start; 60,000 when absent. */
  readonly startMs: number;
  /** How long a turn may take from one decision of a person to the next; an hour when absent. */
  readonly turnMs: number;
  /** How long it may show no sign of life in a turn; ten minutes when absent. */
  readonly idleMs: number;
  /** How long it may take to stop before its process is ended; 5000 when absent. */
  readonly cancelMs: number;
  /** How many tokens a turn may take, as far as the agent tells; any number when absent. */
  readonly tokens: number;
}

export const LIMITS: AgentLimits = {
  ...{ startMs: 60_000, turnMs: 3_600_000, idleMs: 600_000, cancelMs: 5000 },
  tokens: Number.POSITIVE_INFINITY,
};

/** Why a turn that took so many tokens cannot go on; nothing while it is within its budget. */
export function aboveBudget(taken: number, budget: number): Failure | undefined {
  if (taken <= budget) return undefined;
  return failure("step_limit", `The turn took ${taken} tokens, and its budget is ${budget}.`);
}

export const STOPPED: Failure = failed("The turn was stopped.", false);

export function failed(message: string, retryable: boolean): Failure {
  return failure("agent_failed", message, { retryable });
}
