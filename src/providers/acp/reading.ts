/**
 * The reading of an ending: what a turn came to, whatever way the agent has of saying so.
 *
 * 1. A good stop reason is no success when the agent's own signs say that its model failed.
 * 2. What cannot be known stays unknown: no cost is `null`, which is not zero.
 */

import { type PromptResponse, RequestError } from "@agentclientprotocol/sdk/unstable";
import { type Failure, failure } from "../../base/failure.ts";
import { isObject } from "../../base/json.ts";
import { failed } from "../agent-process/limits.ts";
import type { Exchange } from "./exchange.ts";
import type { FailureSign, Quirks } from "./quirks.ts";
import { within } from "./tokens.ts";

/** The code with which agents say that somebody has to log in first. */
const AUTH_REQUIRED = -32000;

/** Why an answered prompt is a failure nevertheless; nothing when it is none. */
export function failureIn(
  exchange: Exchange,
  answer: PromptResponse,
  { name, failures }: Quirks,
): Failure | undefined {
  for (const sign of failures) {
    const said = signIn(exchange, answer, sign);
    if (said !== undefined) return failed(`${name} could not get an answer from its model: ${said}`, true);
  }
  switch (answer.stopReason) {
    case "end_turn":
      return undefined;
    case "refusal":
      return failure("agent_refused", `${name} declined to go on. ${exchange.message}`.trim());
    case "max_tokens":
      return failed(`${name} stopped in the middle: its model may say no more in one answer.`, false);
    case "max_turn_requests":
      return failed(`${name} stopped in the middle: it may ask its model no more often in one turn.`, false);
    case "cancelled":
      return failed(`${name} says that its turn was cancelled, and nobody here did that.`, true);
    default:
      return failed(`${name} stopped for a reason that is not known: ${String(answer.stopReason)}.`, false);
  }
}

/** Why a prompt that was answered with an error failed. */
export function failureOf(error: unknown, name: string): Failure {
  if (!(error instanceof RequestError)) return failed(`${name} failed: ${describe(error)}`, true);
  if (error.code === AUTH_REQUIRED) {
    return failed(
      `${name} is not logged in: ${describe(error)} Log in with its own command, then try again.`,
      false,
    );
  }
  return failed(`${name} answered with an error: ${describe(error)}`, true);
}

function signIn(exchange: Exchange, answer: PromptResponse, sign: FailureSign): string | undefined {
  switch (sign.kind) {
    case "text":
      return exchange.message.startsWith(sign.begins) ? exchange.message : undefined;
    case "meta":
      return titleOf(within(answer._meta, sign.path));
    case "silence":
      return exchange.message === "" ? "it said nothing at all." : undefined;
  }
}

function titleOf(sign: unknown): string | undefined {
  if (sign === undefined || sign === null) return undefined;
  if (isObject(sign) && typeof sign["title"] === "string") return sign["title"];
  return JSON.stringify(sign);
}

/** The message of an error, and what stands beside it. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (!(error instanceof RequestError) || error.data === undefined) return error.message;
  const data = isObject(error.data)
    ? (error.data["message"] ?? error.data["details"] ?? error.data)
    : error.data;
  return `${error.message}: ${typeof data === "string" ? data : JSON.stringify(data)}`;
}
