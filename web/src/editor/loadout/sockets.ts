/** Edits of sockets: which there are, what they hold, how their output is read, and where they lie on the canvas. */

import type { Json, JsonObject } from "../../model/baton.ts";
import type { Point } from "../../parts/canvas/path.ts";
import { rounded } from "../canvas/places.ts";
import type { Edit } from "../take.ts";
import type { Change } from "../text/change.ts";
import { itemsAt, listAt, objectAt, textAt, textsAt } from "../text/held.ts";
import { set, setOrRemove, withoutItems, withoutKeys } from "../text/set.ts";
import type { Path } from "../text/tree.ts";
import { type Draft, loopsOf, materiaOf, socketsOf } from "./draft.ts";

export function socketPath({ at }: Draft, id: string, ...more: Path): Path {
  return [...at, "sockets", id, ...more];
}

/** The id that the next socket gets: one more than the highest. */
export function nextSocketId(draft: Draft): string {
  const numbers = [...socketsOf(draft).keys()].map((id) => Number(/^Socket-(\d+)$/.exec(id)?.[1] ?? 0));
  return `Socket-${Math.max(0, ...numbers) + 1}`;
}

/** Makes a socket that holds a materia. The first one is where the run begins. */
export function addSocket(draft: Draft, materia: string, place?: Point): Edit {
  const id = nextSocketId(draft);
  const isFirst = socketsOf(draft).size === 0;
  const isKnown = textAt(draft.loadout, "entry") === id;
  return [
    ...(isFirst && !isKnown ? [set([...draft.at, "entry"], id)] : []),
    set(socketPath(draft, id), { materia }),
    ...(place ? placeSockets(draft, new Map([[id, place]])) : []),
  ];
}

/** Puts a materia into a socket, in the place of the one that it holds. */
export function swapMateria(draft: Draft, id: string, materia: string): Edit {
  if (!socketsOf(draft).has(id)) return `There is no socket ${id}.`;
  if (!materiaOf(draft).has(materia)) return `There is no materia ${materia}.`;
  return [set(socketPath(draft, id, "materia"), materia)];
}

/** Takes a socket away, with every edge, exit and place that names it. */
export function removeSocket(draft: Draft, id: string): Edit {
  return removeSockets(draft, [id]);
}

/** Takes sockets away, with everything that names them; a loop that has no other members goes with them. */
export function removeSockets(draft: Draft, ids: readonly string[]): Edit {
  const sockets = socketsOf(draft);
  const entry = textAt(draft.loadout, "entry") ?? "";
  if (sockets.size > ids.length && ids.includes(entry)) {
    return `The run begins at ${entry}. Let it begin at another socket first.`;
  }
  const changes: Change[] = [];
  for (const [from, socket] of sockets) {
    if (ids.includes(from)) continue;
    const leads = ({ to }: JsonObject): boolean => isOneOf(ids, to);
    changes.push(...withoutItems(socketPath(draft, from, "edges"), listAt(socket, "edges"), leads));
  }
  changes.push(...leaveLoops(draft, ids));
  for (const id of ids) changes.push({ type: "remove", path: socketPath(draft, id) });
  return [...changes, ...withoutKeys([...draft.at, "layout"], objectAt(draft.loadout, "layout"), ids)];
}

function isOneOf(ids: readonly string[], value: Json | undefined): boolean {
  return typeof value === "string" && ids.includes(value);
}

function leaveLoops(draft: Draft, ids: readonly string[]): readonly Change[] {
  const loops = loopsOf(draft);
  const gone = [...loops].flatMap(([loop, held]) => {
    const members = textsAt(held, "sockets");
    return members.length > 0 && members.every((member) => ids.includes(member)) ? [loop] : [];
  });
  const left = [...loops].filter(([loop]) => !gone.includes(loop));
  return [
    ...left.flatMap(([loop, held]) => leaveLoop([...draft.at, "loops", loop], held, ids)),
    ...withoutKeys([...draft.at, "loops"], objectAt(draft.loadout, "loops"), gone),
  ];
}

function leaveLoop(path: Path, held: JsonObject, ids: readonly string[]): readonly Change[] {
  const names = (exit: JsonObject): boolean =>
    isOneOf(ids, exit["from"]) || isOneOf(ids, exit["targetSocketId"]);
  const members = itemsAt(held, "sockets").flatMap((member, index) => (isOneOf(ids, member) ? [index] : []));
  return [
    ...withoutItems([...path, "exits"], listAt(held, "exits"), names),
    ...members.toReversed().map((index): Change => ({ type: "remove", path: [...path, "sockets", index] })),
    ...(isOneOf(ids, objectAt(held, "consumes")["from"])
      ? [{ type: "remove" as const, path: [...path, "consumes"] }]
      : []),
  ];
}

export function setEntry(draft: Draft, id: string): Edit {
  if (!socketsOf(draft).has(id)) return `There is no socket ${id}.`;
  return [set([...draft.at, "entry"], id)];
}

/** Sets a field of a socket; `undefined` takes it away. */
export function setSocketField(draft: Draft, id: string, field: SocketField, value: Json | undefined): Edit {
  return [setOrRemove(socketPath(draft, id, field), value)];
}

export type SocketField = "parse" | "assign" | "advance" | "limits";

/** Says where sockets lie on the canvas. */
export function placeSockets({ at, loadout }: Draft, places: ReadonlyMap<string, Point>): readonly Change[] {
  const path = [...at, "layout"];
  const whole = [...rounded(places)].map(([id, { x, y }]) => [id, { x, y }] as const);
  const isOurs = Object.hasOwn(loadout, "layout") && isPlaces(loadout["layout"]);
  if (!isOurs) return [set(path, Object.fromEntries(whole))];
  return whole.map(([id, place]) => set([...path, id], place));
}

function isPlaces(layout: Json | undefined): boolean {
  return typeof layout === "object" && layout !== null && !Array.isArray(layout);
}

/** Forgets where the author put the sockets, so that they are laid out again. */
export function tidy({ at, loadout }: Draft): Edit {
  return Object.hasOwn(loadout, "layout") ? [{ type: "remove", path: [...at, "layout"] }] : [];
}
