/** An approval is what a person decided on something that somebody wants to do. */

import type { Approval } from "../../agent/agent.ts";
import { isJsonObject, type Json } from "../../base/json.ts";

/** Reads what a person decided: `{ approved, args?, reason? }`, or just true or false. */
export function approvalOf(answer: Json | undefined): Approval {
  if (!isJsonObject(answer)) return { approved: answer === true };
  const { approved, args, reason } = answer;
  return {
    approved: approved === true,
    ...(args !== undefined && { args }),
    ...(typeof reason === "string" && { reason }),
  };
}
