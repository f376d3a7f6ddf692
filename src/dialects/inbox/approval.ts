/**
 * An approval is what a person decides on an action that an agent may not take by itself.
 *
 * 1. It is bound to what the person was shown, by its digest: whatever else comes up is asked again.
 * 2. Only an explicit decision counts. A text, however friendly, approves nothing.
 */

import type { Approval, Asked } from "../../agent/agent.ts";
import { canonical, isJsonObject, type Json } from "../../base/json.ts";
import type { Ask, TaskContext } from "../../kernel/program.ts";
import { type AskedKind, kindOf, sayingOf, unsaid } from "../saying.ts";

/** What a person is shown. */
export interface Proposal {
  readonly kind: AskedKind;
  readonly title: string;
  readonly args: Json;
  readonly node: string;
  /** The hash of title, arguments and node. */
  readonly digest: string;
}

export function proposalOf(
  context: Pick<TaskContext, "keep" | "node">,
  { title, args, wants }: Asked,
): Proposal {
  const { node } = context;
  const { ref } = context.keep("approval", canonical({ title, args, node }));
  return { kind: kindOf({ ...(wants && { wants }) }), title, args, node, digest: ref };
}

/** The question of a proposal. */
export function askFor(proposal: Proposal): Ask {
  return { value: { ...proposal }, ...(proposal.kind === "approval" && { schema: ANSWER }) };
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

/** Reads what a person said to a proposal; nothing when it says nothing, or was said to something else. */
export function decisionOn(proposal: Proposal, answer: Json | undefined): Approval | undefined {
  return isForAnother(proposal, answer) ? undefined : sayingOf(proposal.kind, answer);
}

/** Says in one sentence why an answer does not fit a question; `undefined` when it does. */
export function checkAnswer(question: { readonly value: Json }, answer: Json): string | undefined {
  const shown = question.value;
  if (!isJsonObject(shown) || (shown["kind"] !== "approval" && shown["kind"] !== "question"))
    return undefined;
  const proposal = shown as unknown as Proposal; // asked by `askFor`
  if (isForAnother(proposal, answer)) {
    return "This decides on something else than what is asked now; look at it again.";
  }
  return unsaid(proposal.kind, answer);
}

function isForAnother({ kind, digest }: Proposal, answer: Json | undefined): boolean {
  if (kind !== "approval" || !isJsonObject(answer) || typeof answer["approved"] !== "boolean") return false;
  return answer["digest"] !== undefined && answer["digest"] !== digest;
}
