/**
 * Edits of loops and of where they lead when their items are done.
 *
 * 1. An exit belongs to its loop: it stands in `loops.<id>.exits` alone, no edge of a socket is touched for it, and it
 *    is gone with its loop.
 */

import type { Json, JsonObject } from "../../model/baton.ts";
import type { Change } from "../text/change.ts";
import type { Path } from "../text/tree.ts";
import {
  type Draft,
  type Edit,
  listAt,
  loopsOf,
  materiaOf,
  objectAt,
  socketsOf,
  textAt,
  textsAt,
} from "./draft.ts";
import { CONDITIONS, type Condition } from "./edges.ts";
import { set, setOrRemove, withoutItems } from "./sockets.ts";

export function loopPath({ at }: Draft, id: string, ...more: Path): Path {
  return [...at, "loops", id, ...more];
}

/** Makes a loop of sockets. It works on what the generator gives that leads into it, when there is just one. */
export function createLoop(draft: Draft, chosen: readonly string[], name?: string): Edit {
  const sockets = socketsOf(draft);
  const members = [...sockets.keys()].filter((id) => chosen.includes(id));
  if (members.length === 0) return "Choose the sockets that the loop is to have.";
  for (const [id, loop] of loopsOf(draft)) {
    const shared = members.find((member) => textsAt(loop, "sockets").includes(member));
    if (shared !== undefined) return `${shared} is in loop ${id} already. Break that loop first.`;
  }
  const id = name ?? freeLoopId(draft);
  if (loopsOf(draft).has(id)) return `There is a loop called ${id} already.`;
  const from = generatorInto(draft, members);
  const consumes = from === undefined ? {} : { consumes: { from, output: "workItems" } };
  return [set(loopPath(draft, id), { sockets: members, ...consumes, exits: [] })];
}

function freeLoopId(draft: Draft): string {
  const taken = loopsOf(draft);
  let id = "workItemIteration";
  for (let number = 2; taken.has(id); number++) id = `workItemIteration-${number}`;
  return id;
}

/** The one generator with an edge to a member from outside. */
export function generatorInto(draft: Draft, members: readonly string[]): string | undefined {
  const found = generatorsOf(draft).filter((id) => {
    const edges = listAt(socketsOf(draft).get(id), "edges");
    return !members.includes(id) && edges.some((edge) => members.includes(textAt(edge, "to") ?? ""));
  });
  return found.length === 1 ? found[0] : undefined;
}

/** The sockets whose materia makes work items. */
export function generatorsOf(draft: Draft): readonly string[] {
  const materia = materiaOf(draft);
  return [...socketsOf(draft)].flatMap(([id, socket]) => {
    return materia.get(textAt(socket, "materia") ?? "")?.materia.generator === true ? [id] : [];
  });
}

/** Takes a loop away and leaves its sockets; their `advance` goes with it, since it moves the cursor of a loop. */
export function breakLoop(draft: Draft, id: string): Edit {
  const loops = loopsOf(draft);
  const loop = loops.get(id);
  if (loop === undefined) return `There is no loop ${id}.`;
  const advancing = textsAt(loop, "sockets").filter((member) => {
    const socket = socketsOf(draft).get(member);
    return socket !== undefined && Object.hasOwn(socket, "advance");
  });
  const path = loops.size === 1 ? [...draft.at, "loops"] : loopPath(draft, id);
  return [
    ...advancing.map(
      (member): Change => ({ type: "remove", path: [...draft.at, "sockets", member, "advance"] }),
    ),
    { type: "remove", path },
  ];
}

export function renameLoop(draft: Draft, id: string, name: string): Edit {
  if (name.trim() === "") return "A loop needs a name.";
  if (name !== id && loopsOf(draft).has(name)) return `There is a loop called ${name} already.`;
  return [{ type: "rename", path: loopPath(draft, id), key: name }];
}

export type LoopField = "consumes" | "iterator" | "parallel" | "sockets";

/** Sets a field of a loop; `undefined` takes it away. */
export function setLoopField(draft: Draft, id: string, field: LoopField, value: Json | undefined): Edit {
  if (!loopsOf(draft).has(id)) return `There is no loop ${id}.`;
  return [setOrRemove(loopPath(draft, id, field), value)];
}

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

export function isCondition(value: Json | undefined): value is Condition {
  return CONDITIONS.some((one) => one === value);
}
