/**
 * Edits of the edges of sockets, in the order of asking.
 *
 * 1. An edge that asks for an outcome needs an output that is read as JSON, so the socket is told to read it like that.
 * 2. Behind an edge for everything no other is ever asked, so a new one goes before it.
 */

import type { Json, JsonObject } from "../../model/baton.ts";
import type { Edit } from "../take.ts";
import type { Change } from "../text/change.ts";
import { listAt, textAt } from "../text/held.ts";
import { set, setOrRemove, withoutItems } from "../text/set.ts";
import { type Draft, materiaOf, socketsOf } from "./draft.ts";
import { socketPath } from "./sockets.ts";

export type Condition = "always" | "satisfied" | "not_satisfied";
export const CONDITIONS: readonly Condition[] = ["always", "satisfied", "not_satisfied"];
export const END = "end";

export function isCondition(value: Json | undefined): value is Condition {
  return CONDITIONS.some((one) => one === value);
}

export interface NewEdge {
  readonly from: string;
  readonly to: string;
  /** The first one that has no edge yet, when absent. */
  readonly when?: Condition;
}

export function addEdge(draft: Draft, { from, to, when }: NewEdge): Edit {
  const socket = socketsOf(draft).get(from);
  if (socket === undefined) return `There is no socket ${from}.`;
  const edges = listAt(socket, "edges");
  const taken = edges.map((edge) => edge["when"]);
  const chosen = when ?? freeCondition(taken);
  if (chosen === undefined)
    return `${from} has an edge for every outcome. Change one of them, or take it away.`;
  const always = taken.indexOf("always");
  if (chosen === "always" && always !== -1) return `${from} has an edge that is always taken already.`;
  const index = always === -1 ? edges.length : always; // (2)
  return [
    ...readAsJson(draft, from, chosen),
    { type: "insert", path: socketPath(draft, from, "edges"), index, value: { when: chosen, to } },
  ];
}

/** The first edge is for everything; those that come to it ask for outcomes first. */
function freeCondition(taken: readonly (Json | undefined)[]): Condition | undefined {
  if (taken.length === 0) return "always";
  return (["satisfied", "not_satisfied", "always"] as const).find((one) => !taken.includes(one));
}

/** (1) A utility says by itself how it is read, and a generator always gives JSON. */
export function readAsJson(draft: Draft, id: string, when: Condition | undefined): readonly Change[] {
  const socket = socketsOf(draft).get(id) ?? {};
  const materia = materiaOf(draft).get(textAt(socket, "materia") ?? "")?.materia;
  const said = textAt(socket, "parse") ?? (materia?.type === "utility" ? materia.parse : undefined);
  if (when === undefined || when === "always" || said === "json" || materia?.generator === true) return [];
  return [set(socketPath(draft, id, "parse"), "json")];
}

export interface EdgeChange {
  readonly when?: Condition;
  readonly to?: string;
  /** `null` takes the limit away. */
  readonly maxTraversals?: number | null;
}

export function changeEdge(draft: Draft, from: string, index: number, change: EdgeChange): Edit {
  const edge = edgeOf(draft, from, index);
  if (edge === undefined) return `${from} has no edge ${index + 1}.`;
  const path = socketPath(draft, from, "edges", index);
  const { when, to, maxTraversals } = change;
  return [
    ...readAsJson(draft, from, when),
    ...(when === undefined ? [] : [set([...path, "when"], when)]),
    ...(to === undefined ? [] : [set([...path, "to"], to)]),
    ...(maxTraversals === undefined
      ? []
      : [setOrRemove([...path, "maxTraversals"], maxTraversals ?? undefined)]),
  ];
}

export function removeEdge(draft: Draft, from: string, index: number): Edit {
  const edges = listAt(socketsOf(draft).get(from), "edges");
  if (edges[index] === undefined) return `${from} has no edge ${index + 1}.`;
  return withoutItems(socketPath(draft, from, "edges"), edges, (_, at) => at === index);
}

/** Asks an edge earlier or later. */
export function moveEdge(draft: Draft, from: string, index: number, to: number): Edit {
  if (edgeOf(draft, from, index) === undefined || edgeOf(draft, from, to) === undefined) {
    return `${from} has no edge there.`;
  }
  return [{ type: "move", path: socketPath(draft, from, "edges"), from: index, to }];
}

function edgeOf(draft: Draft, from: string, index: number): JsonObject | undefined {
  return listAt(socketsOf(draft).get(from), "edges")[index];
}
