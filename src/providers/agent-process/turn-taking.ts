/**
 * Turn-taking is what agents with conversations have in common: they remember what they were about to do when they asked,
 * and try again when the way to their model failed.
 *
 * 1. A turn is tried again only when nothing was done in it: no tool was called, nobody asked, nothing written. A turn
 *    that goes on after a decision has asked, so it is not.
 * 2. A decision counts for what was asked, and only that.
 * 3. The waits between tries grow, and are drawn from the key of the turn; they count as time of the turn.
 */

import {
  type Approval,
  type Asked,
  addUsage,
  NO_USAGE,
  type Turn,
  type TurnRequest,
} from "../../agent/agent.ts";
import { type Policy, policyWith } from "../../agent/policy.ts";
import type { Json } from "../../base/json.ts";
import type { Attempts } from "../../kernel/plan.ts";
import { delay } from "../../kernel/settle.ts";
import { systemClock } from "../../run/clock.ts";
import { type AgentLimits, LIMITS, STOPPED } from "./limits.ts";

/** What a try came to. */
export interface Try {
  readonly turn: Turn;
  /** True when the way to the model failed, and nothing was done (1). */
  readonly isLost: boolean;
}

export interface TurnTakingOptions {
  /** Changes to the default policy, in which only what looks needs nobody. */
  readonly policy?: Partial<Policy> | undefined;
  readonly limits?: Partial<AgentLimits> | undefined;
  /** How often a turn is tried again whose way to the model failed before anything was done; never when absent. */
  readonly retries?: number | Partial<Attempts> | undefined;
}

/** How tries follow each other where nothing else is said. */
const ATTEMPTS: Attempts = {
  max: 1,
  initialInterval: 1000,
  backoffFactor: 3,
  maxInterval: 30_000,
  jitter: true,
};

/** What a turn was about to be decided on when it returned. */
interface Left {
  readonly asked: Asked;
  readonly cursor: Json | undefined;
}

/** What is known of a turn that was left open before. */
export interface Again {
  readonly cursor: Json | undefined;
  /** The decision to apply when the exchange that asked for it is gone. */
  readonly decided: Approval | undefined;
}

export class TurnTaking {
  readonly limits: AgentLimits;
  readonly policy: Policy;
  readonly #attempts: Attempts;
  /** What turns left open, by their key, in case that the process does not live to see the answer. */
  readonly #left: Map<string, Left> = new Map();

  constructor({ policy, limits, retries }: TurnTakingOptions) {
    this.limits = { ...LIMITS, ...limits };
    this.policy = policyWith(policy);
    this.#attempts = attemptsFor(retries, ATTEMPTS);
  }

  /** Takes a turn; `deadline` is when it has to be over, on the clock of `performance`. */
  async turn(request: TurnRequest, take: (deadline: number) => Promise<Try>): Promise<Turn> {
    if (request.signal.aborted) return { kind: "failed", failure: STOPPED, usage: NO_USAGE };
    const deadline = performance.now() + this.limits.turnMs;
    const turn = await tryAgain(request, this.#attempts, () => take(deadline));
    if (turn.kind === "asks") {
      const { title, args, wants, cursor } = turn;
      this.#left.set(request.idempotencyKey, { asked: { title, args, ...(wants && { wants }) }, cursor });
    } else this.#left.delete(request.idempotencyKey);
    return turn;
  }

  /** What is known when a turn is begun that may have been left open (2). */
  again({ idempotencyKey, approval, cursor }: TurnRequest): Again {
    const left = this.#left.get(idempotencyKey);
    const asked = approval?.asked ?? left?.asked;
    return { cursor: cursor ?? left?.cursor, decided: approval && asked && { ...approval, asked } };
  }
}

/** Tries until a try is not lost, or there are no more (1). What lost tries cost counts too. */
async function tryAgain(
  request: Pick<TurnRequest, "approval" | "idempotencyKey" | "progress" | "signal">,
  attempts: Attempts,
  take: () => Promise<Try>,
): Promise<Turn> {
  let before: Turn | undefined;
  for (let made = 1; ; made++) {
    const { turn: last, isLost } = await take();
    const turn = withCostOf(before, last);
    const isLast = made >= attempts.max || request.approval !== undefined || request.signal.aborted;
    if (!isLost || isLast || turn.kind !== "failed") return turn;
    before = turn;
    request.progress({ kind: "thought", text: `${turn.failure.message} Trying again.\n` });
    const wait = delay(attempts, made, `${request.idempotencyKey}/${made}`); // (3)
    await systemClock.sleep(wait, request.signal);
    if (request.signal.aborted) return { ...turn, failure: STOPPED };
  }
}

/** So many more tries than the first, or all that is said of them. */
export function attemptsFor(retries: number | Partial<Attempts> | undefined, usual: Attempts): Attempts {
  return typeof retries === "number" ? { ...usual, max: retries + 1 } : { ...usual, ...retries };
}

function withCostOf(before: Turn | undefined, turn: Turn): Turn {
  const isFree = before?.kind !== "failed" || before.usage.tokens === 0;
  return isFree || turn.kind === "asks" ? turn : { ...turn, usage: addUsage(before.usage, turn.usage) };
}
