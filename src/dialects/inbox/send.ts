/** A send by its content: what counts of it, as plain data, and a key that two of the same content share. */

import type { StagedSend } from "../../agent/agent.ts";
import { canonical, type Json, type JsonObject } from "../../base/json.ts";
import { DEEPEST, isTooDeep } from "../depth.ts";

/** In place of data that no edge carries, as `dispatch` says, and no log can hold. */
const TOO_DEEP = `(nested deeper than ${DEEPEST} levels)`;

/** A send as plain data, with nothing in it but what counts. */
export function plainSend({ to, message, structured, artifacts }: StagedSend): JsonObject {
  return {
    ...{ to: to ?? null, message: message ?? null }, // agents speak JSON, which has no types
    ...(structured !== undefined && { structured: isTooDeep(structured) ? TOO_DEEP : structured }),
    ...(artifacts !== undefined && artifacts.length > 0 && { artifacts: artifacts as unknown as Json }), // plain data
  };
}

export function sendKey(send: StagedSend): string {
  return canonical(plainSend(send));
}
