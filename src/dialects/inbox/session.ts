/** A session is where an agent's conversation with a node stands, and what the agent was told to be in it. */

import type { Json } from "../../base/json.ts";
import type { Seat } from "./seat.ts";
import type { FailedTurn } from "./turn-log.ts";

export interface Session {
  /** Which agent it is with; the empty string is the default one. */
  readonly agent: string;
  /** The role that the agent was told to play; see `Seat`. */
  readonly role: string;
  readonly cursor: Json;
}

/** The session that the next turn goes on with; nothing when that turn is to begin a new one. */
export function latestSession(
  seat: Seat,
  kept: Session | undefined,
  failures: readonly FailedTurn[],
): Session | undefined {
  const agent = seat.node.agent ?? "";
  const failed = failures.findLast(({ cursor }) => cursor !== undefined);
  if (failed?.cursor !== undefined) return { agent, role: seat.role, cursor: failed.cursor };
  return kept?.agent === agent ? kept : undefined;
}

/** The session that a turn left behind. */
export function sessionAfter(
  seat: Seat,
  before: Session | undefined,
  cursor: Json | undefined,
): Session | undefined {
  return cursor === undefined ? before : { agent: seat.node.agent ?? "", role: seat.role, cursor };
}
