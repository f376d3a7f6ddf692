/**
 * Staging holds what a turn wants to send until the turn is committed.
 *
 * 1. An agent that stages a send hears at once whether it may go; what is rejected is recorded with the turn.
 * 2. What an agent stages and also returns is one send, and so is what it stages again after an answer; that it came
 *    again is recorded.
 * 3. What was staged before a question is recorded with the question, because another process may go on with the turn.
 */

import type { SendVerdict, StagedSend } from "../../agent/agent.ts";
import type { Rejection } from "./dispatch.ts";
import { sendKey } from "./send.ts";

/** What a question finds staged. */
export type Staged = {
  /** The turn that staged it. */
  readonly turn: number;
  readonly sends: readonly StagedSend[];
  readonly rejections: readonly Rejection[];
};

/** Says why a send cannot go; nothing when it can. */
export type Judge = (send: StagedSend) => Rejection | undefined;

export class Staging {
  readonly #judge: Judge;
  readonly #sends: StagedSend[];
  readonly #rejections: Rejection[];
  /** How often each send from before the question was not staged again yet. */
  readonly #earlier: Map<string, number>;
  readonly #again: StagedSend[] = [];
  #isOpen = true;

  constructor(judge: Judge, before?: Pick<Staged, "sends" | "rejections">) {
    this.#judge = judge;
    this.#sends = [...(before?.sends ?? [])];
    this.#rejections = [...(before?.rejections ?? [])];
    this.#earlier = countOf(this.#sends);
  }

  /** Stages a send of the agent's. */
  stage(send: StagedSend): SendVerdict {
    if (!this.#isOpen) {
      return { ok: false, code: "turn_over", message: "The turn is over: send it in the next one." };
    }
    const rejection = this.#judge(send);
    if (rejection !== undefined) {
      this.#rejections.push(rejection);
      return { ok: false, code: rejection.code, message: rejection.message };
    }
    (takeOne(this.#earlier, send) ? this.#again : this.#sends).push(send); // (2)
    return { ok: true };
  }

  /** Ends the staging; gives back everything that the turn wants to send, what it returned included (2). */
  close(returned: readonly StagedSend[] = []): readonly StagedSend[] {
    this.#isOpen = false;
    const staged = countOf(this.#sends);
    const isNew = returned.map((send) => !takeOne(staged, send));
    this.#again.push(...returned.filter((_, index) => !isNew[index]));
    return [...this.#sends, ...returned.filter((_, index) => isNew[index])];
  }

  /** What came a second time, and goes out once. */
  get again(): readonly StagedSend[] {
    return this.#again;
  }

  /** What the agent was told that it cannot send. */
  get rejections(): readonly Rejection[] {
    return this.#rejections;
  }
}

function countOf(sends: readonly StagedSend[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const send of sends) counts.set(sendKey(send), (counts.get(sendKey(send)) ?? 0) + 1);
  return counts;
}

/** Counts down; says whether there was one left. */
function takeOne(counts: Map<string, number>, send: StagedSend): boolean {
  const left = counts.get(sendKey(send)) ?? 0;
  if (left > 0) counts.set(sendKey(send), left - 1);
  return left > 0;
}
