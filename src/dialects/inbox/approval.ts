/**
 * An approval is what a person decides on an action that an agent may not take by itself.
 *
 * 1. It is bound to what the person was shown, by its digest: whatever else comes up is asked again.
 * 2. Only an explicit decision counts. A text, however friendly, approves nothing.
 */

import type { Approval } from "../../agent/agent.ts";
import { canonical, isJsonObject, type Json } from "../../base/json.ts";
import type { Ask, TaskContext } from "../../kernel/program.ts";

/** What a person is shown. */
export interface Proposal {
  readonly kind: "approval";
  readonly title: string;
  readonly args: Json;
  readonly node: string;
  /** The hash of title, arguments and node. */
  readonly digest: string;
}

export function proposalOf(
  context: Pick<TaskContext, "keep" | "node">,
  { title, args }: { readonly title: string; readonly args: Json },
): Proposal {
  const { node } = context;
  const { ref } = context.keep("approval", canonical({ title, args, node }));
  return { kind: "approval", title, args, node, digest: ref };
}

/** The question of a proposal. */
export function askFor(proposal: Proposal): Ask {
  return { value: { ...proposal }, schema: ANSWER };
}

/** The JSON Schema of an answer. */
const ANSWER: Json = {
  anyOf: [
    { type: "boolean" },
    {
      type: "object",
      properties: {
        approved: { type: "boolean" },
        args: { description: "The arguments to use instead of those that were asked for." },
        reason: { type: "string", description: "What the agent is told." },
        digest: { type: "string", description: "The digest of what was shown; another one counts as none." },
      },
      required: ["approved"],
      additionalProperties: false,
    },
  ],
};

/** Reads a decision on a proposal; nothing when the answer decides nothing, or decides on something else. */
export function decisionOn(proposal: Proposal, answer: Json | undefined): Approval | undefined {
  if (typeof answer === "boolean") return { approved: answer };
  if (!isJsonObject(answer)) return undefined;
  const { approved, args, reason, digest } = answer;
  if (typeof approved !== "boolean") return undefined;
  if (digest !== undefined && digest !== proposal.digest) return undefined;
  return {
    approved,
    ...(approved && args !== undefined && { args }),
    ...(typeof reason === "string" && { reason }),
  };
}

/** Says in one sentence why an answer does not fit a question; `undefined` when it does. */
export function checkAnswer(question: { readonly value: Json }, answer: Json): string | undefined {
  const shown = question.value;
  if (!isJsonObject(shown) || shown["kind"] !== "approval") return undefined;
  if (decisionOn(shown as unknown as Proposal, answer) !== undefined) return undefined; // asked by `askFor`
  const isOther = isJsonObject(answer) && typeof answer["approved"] === "boolean";
  if (isOther) return "This decides on something else than what is asked now; look at it again.";
  return "This needs a decision: approve it or deny it. A text approves nothing.";
}
