/**
 * A saying is what a person said to an agent that asked in the middle of its turn: yes or no to something that it wants
 * to do (`approval`), or an answer in words (`question`).
 *
 * 1. Only an explicit decision approves anything.
 * 2. Any answer answers a question. A denial declines to answer it, and approving it says nothing.
 */

import type { Approval, Asked } from "../agent/agent.ts";
import { isJsonObject, type Json } from "../base/json.ts";

export type AskedKind = "approval" | "question";

export function kindOf({ wants }: Pick<Asked, "wants">): AskedKind {
  return wants === "answer" ? "question" : "approval";
}

/** What an agent asked, as it was recorded. */
export function askedOf({ kind, title, args }: { kind: AskedKind; title: string; args: Json }): Asked {
  return { title, args, ...(kind === "question" && { wants: "answer" }) };
}

/** Reads an answer; nothing when it says nothing to what was asked. */
export function sayingOf(kind: AskedKind, answer: Json | undefined): Approval | undefined {
  const decision = decisionIn(answer);
  if (kind === "approval" || decision?.approved === false) return decision;
  return answer === undefined || decision !== undefined ? undefined : { approved: true, answer };
}

/** `{ approved, args?, reason? }`, or just true or false. */
function decisionIn(answer: Json | undefined): Approval | undefined {
  if (typeof answer === "boolean") return { approved: answer };
  if (!isJsonObject(answer) || typeof answer["approved"] !== "boolean") return undefined;
  const { approved, args, reason } = answer;
  return {
    approved,
    ...(approved && args !== undefined && { args }),
    ...(typeof reason === "string" && { reason }),
  };
}

/** Says in one sentence why an answer does not fit; `undefined` when it does. */
export function unsaid(kind: AskedKind, answer: Json): string | undefined {
  if (sayingOf(kind, answer) !== undefined) return undefined;
  return kind === "question"
    ? "This question wants an answer in words; deny it to decline."
    : "This needs a decision: approve it or deny it. A text approves nothing.";
}
