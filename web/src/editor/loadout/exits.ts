/**
 * Edits of where a loop leads once its items are done.
 *
 * 1. An exit belongs to its loop: it stands in `loops.<id>.exits` alone, no edge of a socket is touched for it, and it
 *    is gone with its loop.
 */

import type { JsonObject } from "../../model/baton.ts";
import type { Edit } from "../take.ts";
import { listAt, objectAt, textsAt } from "../text/held.ts";
import { set, withoutItems } from "../text/set.ts";
import { type Draft, loopsOf, socketsOf } from "./draft.ts";
import type { Condition } from "./edges.ts";
import { loopPath } from "./loops.ts";

export interface NewExit {
  /** The member that moves the cursor, when absent. */
  readonly from?: string;
  readonly to: string;
  /** The first one that this member has no exit for, when absent. */
  readonly condition?: Condition;
}

/** (1) */
export function addExit(draft: Draft, id: string, { from, to, condition }: NewExit): Edit {
  const loop = loopsOf(draft).get(id);
  if (loop === undefined) return `There is no loop ${id}.`;
  const member = from ?? advancingMember(draft, loop);
  if (member === undefined) return `Loop ${id} has no member that an exit could start from.`;
  const exits = listAt(loop, "exits");
  const taken = exits.filter((exit) => exit["from"] === member).map((exit) => exit["condition"]);
  const order: readonly Condition[] = ["satisfied", "always", "not_satisfied"];
  const chosen = condition ?? order.find((one) => !taken.includes(one));
  if (chosen === undefined) return `Loop ${id} has an exit for every outcome of ${member} already.`;
  const value = {
    id: freeExitId(exits, member, chosen),
    from: member,
    condition: chosen,
    targetSocketId: to,
  };
  return [{ type: "insert", path: loopPath(draft, id, "exits"), index: exits.length, value }];
}

function freeExitId(exits: readonly JsonObject[], from: string, condition: Condition): string {
  const taken = new Set(exits.map((exit) => exit["id"]));
  const base = `exit:${from}:${condition}`;
  let id = base;
  for (let number = 2; taken.has(id); number++) id = `${base}-${number}`;
  return id;
}

export function advancingMember(draft: Draft, loop: JsonObject): string | undefined {
  const members = textsAt(loop, "sockets");
  const sockets = socketsOf(draft);
  const advancing = members.find((id) => Object.keys(objectAt(sockets.get(id), "advance")).length > 0);
  return advancing ?? members.at(-1);
}

export interface ExitChange {
  readonly from?: string;
  readonly condition?: Condition;
  readonly to?: string;
  readonly id?: string;
}

/** (1) */
export function changeExit(draft: Draft, id: string, exit: string, change: ExitChange): Edit {
  const index = exitIndex(draft, id, exit);
  if (index === -1) return `Loop ${id} has no exit ${exit}.`;
  const path = loopPath(draft, id, "exits", index);
  const { to, ...same } = change;
  const fields = { ...same, ...(to !== undefined && { targetSocketId: to }) };
  return Object.entries(fields).map(([field, value]) => set([...path, field], value));
}

/** (1) */
export function removeExit(draft: Draft, id: string, exit: string): Edit {
  const index = exitIndex(draft, id, exit);
  if (index === -1) return `Loop ${id} has no exit ${exit}.`;
  const exits = listAt(loopsOf(draft).get(id), "exits");
  if (exits.length === 1) return [set(loopPath(draft, id, "exits"), [])];
  return withoutItems(loopPath(draft, id, "exits"), exits, (_, at) => at === index);
}

function exitIndex(draft: Draft, id: string, exit: string): number {
  return listAt(loopsOf(draft).get(id), "exits").findIndex((one) => one["id"] === exit);
}

/** The id of the edge that is drawn for an exit. */
export function exitEdgeId(loop: string, exit: string): string {
  return `loop-exit:${loop}:${exit}`;
}
