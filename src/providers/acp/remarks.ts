/**
 * Remarks are what an agent must still be told after a decision of a person: what it said more than yes or no, or that
 * it was a no, where the agent has stopped without a word.
 */

import type { Approval } from "../../agent/agent.ts";
import type { Json } from "../../base/json.ts";

export class Remarks {
  #decision: Approval | undefined;
  #isSilent = false;

  /** A request was declined, and the agent has not spoken since. */
  declined(): void {
    this.#isSilent = true;
  }

  spoke(): void {
    this.#isSilent = false;
  }

  /** Keeps a decision that the answer to the request could not carry. */
  keep(decision: Approval): void {
    this.#decision = decision;
  }

  /** What to tell, once. */
  take(): string | undefined {
    const decision = this.#decision;
    const isSilent = this.#isSilent;
    this.#decision = undefined;
    this.#isSilent = false;
    const said = decision && told(decision);
    if (said !== undefined || !isSilent) return said;
    return "What you asked for was declined. Go on with your task to its end without it, and close with your final message.";
  }
}

function told({ answer, args, reason }: Approval): string | undefined {
  if (answer !== undefined) {
    return `A person has answered your question: ${textOf(answer)}\nGo on with your task to its end.`;
  }
  if (args !== undefined) {
    return `A person changed what you asked for. Do it with these arguments instead: ${JSON.stringify(args)}\nThen go on with your task to its end.`;
  }
  if (reason === undefined || reason === "") return undefined;
  return `A person declined what you asked for and says: ${reason}\nGo on with your task to its end without it.`;
}

function textOf(answer: Json): string {
  return typeof answer === "string" ? answer : JSON.stringify(answer);
}
