/**
 * Following is staying with an exchange until it has ended, needs a person, or must stop.
 *
 * 1. The time in which a person decides is nobody's: whoever goes on after a decision begins to count anew.
 * 2. What an agent tells of its tokens counts as soon as it tells it.
 */

import type { Asked } from "../../agent/agent.ts";
import type { Signal } from "../../base/abort.ts";
import type { Failure } from "../../base/failure.ts";
import type { Attention } from "./attention.ts";
import { type AgentLimits, aboveBudget, failed, STOPPED } from "./limits.ts";

/** An exchange as whoever follows it sees it. */
export interface Followed {
  /** What the agent is called. */
  readonly name: string;
  readonly attention: Attention;
  /** What a person is to decide on next. */
  readonly asked: Asked | undefined;
  /** Whether the agent has ended its work, or is gone. */
  readonly hasEnded: boolean;
  /** The tokens that the turn has taken at least, as far as that was told. */
  readonly tokens: number;
}

/** How it went on: a person is asked, the agent has ended, or it has to be stopped for this reason. */
export type Onward = { readonly kind: "asks" | "ended" } | { readonly kind: "stop"; readonly why: Failure };

export interface Following {
  readonly signal: Signal;
  readonly limits: AgentLimits;
  /** When the turn has to be over, on the clock of `performance`. */
  readonly deadline: number;
}

export async function follow(one: Followed, { signal, limits, deadline }: Following): Promise<Onward> {
  const wake = (): void => one.attention.wake();
  signal.addEventListener("abort", wake);
  try {
    for (;;) {
      if (signal.aborted) return { kind: "stop", why: STOPPED };
      if (one.hasEnded) return { kind: "ended" };
      const above = aboveBudget(one.tokens, limits.tokens); // (2)
      if (above !== undefined) return { kind: "stop", why: above };
      if (one.asked !== undefined) return { kind: "asks" };
      const late = await wait(one, limits, deadline);
      if (late !== undefined) return { kind: "stop", why: late };
    }
  } finally {
    signal.removeEventListener("abort", wake);
  }
}

/** Waits for the next change; says what limit was reached, if one was. */
async function wait(
  { name, attention }: Followed,
  { idleMs, turnMs }: AgentLimits,
  deadline: number,
): Promise<Failure | undefined> {
  const { signs } = attention;
  const began = performance.now();
  await attention.changed(Math.max(0, Math.min(deadline - began, idleMs)));
  const now = performance.now();
  if (now >= deadline) return failed(`${name} took longer than ${turnMs / 1000} s for its turn.`, true);
  if (attention.signs > signs || now - began < idleMs) return undefined;
  return failed(`${name} showed no sign of life for ${idleMs / 1000} s.`, true);
}

/** Gives an exchange so many milliseconds to end after it was told to; false when it did not. */
export async function comesToAnEnd(
  one: Followed,
  milliseconds: number,
  dismiss: () => void,
): Promise<boolean> {
  const deadline = performance.now() + milliseconds;
  dismiss();
  while (!one.hasEnded && performance.now() < deadline) {
    await one.attention.changed(deadline - performance.now());
    dismiss(); // it may ask something before it hears that it is to stop
  }
  return one.hasEnded;
}
