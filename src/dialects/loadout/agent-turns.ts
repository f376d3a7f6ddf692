/** What the log keeps of the turns of an agent's visit, and how another process reads it back. */

import type { Approval, Turn } from "../../agent/agent.ts";
import { type Failure, failure } from "../../base/failure.ts";
import type { Json, JsonObject } from "../../base/json.ts";
import type { TaskContext } from "../../kernel/program.ts";
import { type AskedKind, askedOf, sayingOf } from "../saying.ts";

/** What the log keeps of a turn. */
export type TurnRecord = {
  readonly attempt: number;
  readonly prompt: string;
  readonly usage: { readonly tokens: number; readonly costUsd: number | null };
  readonly cursor: Json;
  /** How many answers of this task belong to this turn and the ones before it. */
  readonly answers: number;
} & ({ readonly text: string } | { readonly failure: JsonObject });

/** What the log keeps of a turn that waits for a person, so that another process can take it up again. */
export type Proposal = {
  /** Absent in older logs, where everything is an approval. */
  readonly kind?: AskedKind;
  readonly title: string;
  readonly args: Json;
  readonly cursor: Json;
};

/** The decision that the person took on the turn in hand, and where the agent stood when it asked. */
export function decisionAfter(
  known: number,
  context: TaskContext,
): { readonly approval: Approval; readonly cursor: Json | undefined } | undefined {
  const { answers } = context;
  if (answers.length <= known) return undefined;
  const said = answers.at(-1);
  const proposal = context.recall(askedKey(answers.length - 1)) as Proposal | undefined; // written by the visit that asked
  const { kind = "approval" } = proposal ?? {};
  const approval = sayingOf(kind, said) ?? { approved: false };
  if (proposal === undefined) return { approval, cursor: undefined };
  return {
    approval: { ...approval, asked: askedOf({ ...proposal, kind }) },
    cursor: proposal.cursor ?? undefined,
  };
}

/** Why a turn counts as failed; one that was interrupted does, whatever it still said. */
export function whyOf(turn: Extract<Turn, { kind: "done" | "failed" }>): Failure {
  return turn.kind === "failed" ? turn.failure : failure("agent_failed", "The turn was interrupted.");
}

/** The key of what was asked after so many answers. */
export function askedKey(answers: number): string {
  return `asked:${answers}`;
}

/** The key of a turn, counted from 1. */
export function keyOf(turn: number): string {
  return `turn:${turn}`;
}
