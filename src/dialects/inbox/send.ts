/** A send by its content: what counts of it, as plain data, and a key that two of the same content share. */

import type { StagedSend } from "../../agent/agent.ts";
import { canonical, type Json, type JsonObject } from "../../base/json.ts";

/** A send as plain data, with nothing in it but what counts. */
export function plainSend({ to, message, structured, artifacts }: StagedSend): JsonObject {
  return {
    ...{ to: to ?? null, message: message ?? null }, // agents speak JSON, which has no types
    ...(structured !== undefined && { structured }),
    ...(artifacts !== undefined && artifacts.length > 0 && { artifacts: artifacts as unknown as Json }), // plain data
  };
}

export function sendKey(send: StagedSend): string {
  return canonical(plainSend(send));
}
