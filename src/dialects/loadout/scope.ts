/**
 * A scope is what is counted for the work item in hand: its cursor, passed edges, the way it went, and open rework.
 * Outside of loops there is one scope for the whole run.
 *
 * 1. It is a flat object, so a step writes only the counters that it moved.
 * 2. Advancing replaces it by the next cursor alone: an item leaves nothing behind.
 */

import type { Json, JsonObject } from "../../base/json.ts";
import type { ChannelName } from "../../base/names.ts";
import type { Write } from "../../kernel/event.ts";
import type { Condition } from "./definition.ts";

/** Why a socket is visited again for the same item. */
export interface Rework {
  readonly from: string;
  readonly label: string;
  readonly item?: string;
  readonly condition: Condition;
  readonly reason: string;
}

/** The cursor of a scope, counted from 0. */
export function cursorOf(scope: JsonObject): number {
  return typeof scope["index"] === "number" ? scope["index"] : 0;
}

/** The one item of a lane, which its run is given in place of the list. */
export interface LaneItem {
  readonly value: Json;
  /** How many items the loop has in all its lanes. */
  readonly count: number;
}

/** The scope that a lane begins with. */
export function laneScope(index: number, { value, count }: LaneItem): JsonObject {
  return { index, lane: { value, count } };
}

/** The item of a lane that it has not done yet. */
export function laneOf(scope: JsonObject): LaneItem | undefined {
  return scope["lane"] as LaneItem | undefined; // written by `laneScope`
}

/** How often an edge was passed. */
export function passesOf(scope: JsonObject, edge: string): number {
  const count = scope[passKey(edge)];
  return typeof count === "number" ? count : 0;
}

export function passKey(edge: string): string {
  return `edge:${edge}`;
}

export function reworkKey(socket: string): string {
  return `rework:${socket}`;
}

/** The open rework of a socket, oldest first. */
export function reworkOf(scope: JsonObject, socket: string): readonly Rework[] {
  return (scope[reworkKey(socket)] ?? []) as unknown as readonly Rework[]; // written by `capture`
}

/**
 * Where the scope of a child run keeps the rework that its graph socket got: it is for whoever is prompted first there.
 * No socket has this key, since theirs begin with `rework:`.
 */
export const REWORK_FROM_AROUND = "rework";

/** The rework that a child run was begun with, until somebody has been shown it. */
export function reworkFromAround(scope: JsonObject): readonly Rework[] {
  return (scope[REWORK_FROM_AROUND] ?? []) as unknown as readonly Rework[]; // written by `reworkWrites`
}

/** The write that begins a run with rework from around it; none when there is nothing to tell. */
export function reworkWrites(channel: ChannelName, entries: readonly Rework[]): Write[] {
  if (entries.length === 0) return [];
  return [{ channel, value: { [REWORK_FROM_AROUND]: entries.map((entry) => ({ ...entry })) } }];
}

/** The sockets that the item went through, without the circles that it closed. */
export function trailOf(scope: JsonObject): readonly string[] {
  return (scope["trail"] ?? []) as readonly string[];
}

/** How many cycles the item closed. */
function cyclesOf(scope: JsonObject): number {
  return typeof scope["cycles"] === "number" ? scope["cycles"] : 0;
}

/** The counters as people read them. */
export function countersOf(scope: JsonObject): { [name: string]: Json } {
  const counters: { [name: string]: Json } = {};
  for (const [key, value] of Object.entries(scope)) {
    if (key.startsWith("edge:") || key === "cycles") counters[key] = value;
  }
  return counters;
}

export type Arrival =
  | { readonly ok: true; readonly changes: JsonObject }
  /** The item goes in circles. */
  | { readonly ok: false; readonly cycle: readonly string[]; readonly cycles: number };

/**
 * Entering a socket for the item. A socket that is already on the trail closes a cycle, which counts unless the edge
 * bounds itself; the trail is then cut back to it, so that one round counts once.
 */
export function arrive(
  scope: JsonObject,
  target: string,
  { isBounded, most }: { readonly isBounded: boolean; readonly most: number },
): Arrival {
  const trail = trailOf(scope);
  const place = trail.indexOf(target);
  if (place === -1) return { ok: true, changes: { trail: [...trail, target] } };
  const cut = { trail: trail.slice(0, place + 1) };
  if (isBounded) return { ok: true, changes: cut };
  const cycles = cyclesOf(scope) + 1;
  if (cycles > most) return { ok: false, cycle: [...trail.slice(place), target], cycles };
  return { ok: true, changes: { ...cut, cycles } };
}
