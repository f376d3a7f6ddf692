/**
 * Staging holds what a turn wants to send until the turn is committed.
 *
 * 1. An agent that stages a send hears at once whether it may go; what is rejected is recorded with the turn.
 * 2. What an agent stages and also returns is one send, and so is what it stages again after an answer.
 * 3. What was staged before a question is recorded with the question, because another process may go on with the turn.
 */

import type { SendVerdict, StagedSend } from "../../agent/agent.ts";
import { canonical, type Json, type JsonObject } from "../../base/json.ts";
import type { Rejection } from "./dispatch.ts";

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
    if (!takeOne(this.#earlier, send)) this.#sends.push(send); // (2)
    return { ok: true };
  }

  /** Ends the staging; gives back everything that the turn wants to send, what it returned included (2). */
  close(returned: readonly StagedSend[] = []): readonly StagedSend[] {
    this.#isOpen = false;
    const staged = countOf(this.#sends);
    return [...this.#sends, ...returned.filter((send) => !takeOne(staged, send))];
  }

  /** What the agent was told that it cannot send. */
  get rejections(): readonly Rejection[] {
    return this.#rejections;
  }
}

function countOf(sends: readonly StagedSend[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const send of sends) counts.set(keyOf(send), (counts.get(keyOf(send)) ?? 0) + 1);
  return counts;
}

/** Counts down; says whether there was one left. */
function takeOne(counts: Map<string, number>, send: StagedSend): boolean {
  const left = counts.get(keyOf(send)) ?? 0;
  if (left > 0) counts.set(keyOf(send), left - 1);
  return left > 0;
}

/** The same content has the same key; agents speak JSON, which has no types. */
function keyOf(send: StagedSend): string {
  return canonical(plainSend(send));
}

/** A send as plain data, with nothing in it but what counts. */
export function plainSend({ to, message, structured, artifacts }: StagedSend): JsonObject {
  return {
    ...{ to: to ?? null, message: message ?? null },
    ...(structured !== undefined && { structured }),
    ...(artifacts !== undefined && artifacts.length > 0 && { artifacts: artifacts as unknown as Json }), // plain data
  };
}
