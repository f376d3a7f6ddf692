/** A cursor is where a conversation with an agent stands, as the log keeps it. */

import { isJsonObject, type Json, type JsonObject } from "../../base/json.ts";

export interface Cursor {
  readonly agent: string;
  readonly sessionId: string;
  /** The working folder, absolute. */
  readonly cwd: string;
  /** What the session had cost, in US dollars, where the agent says so. */
  readonly costUsd: number | null;
}

export function cursorJson(cursor: Cursor): JsonObject {
  return { ...cursor };
}

/** Reads a cursor back; nothing when it is another agent's, or for another folder. */
export function readCursor(json: Json | undefined, agent: string, cwd: string): Cursor | undefined {
  if (!isJsonObject(json) || json["agent"] !== agent || json["cwd"] !== cwd) return undefined;
  const { sessionId, costUsd } = json;
  if (typeof sessionId !== "string") return undefined;
  return { agent, sessionId, cwd, costUsd: typeof costUsd === "number" ? costUsd : null };
}
