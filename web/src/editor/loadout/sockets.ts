/** Edits of sockets: which there are, what they hold, how their output is read, and where they lie on the canvas. */

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

export interface Point {
  readonly x: number;
  readonly y: number;
}

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
  const sockets = socketsOf(draft);
  if (sockets.size > 1 && textAt(draft.loadout, "entry") === id) {
    return `The run begins at ${id}. Let it begin at another socket first.`;
  }
  const changes: Change[] = [];
  for (const [from, socket] of sockets) {
    if (from !== id)
      changes.push(...withoutItems(socketPath(draft, from, "edges"), listAt(socket, "edges"), leadsTo(id)));
  }
  for (const [loop, held] of loopsOf(draft)) changes.push(...leaveLoop(draft, loop, held, id));
  changes.push({ type: "remove", path: socketPath(draft, id) });
  if (Object.hasOwn(objectAt(draft.loadout, "layout"), id)) {
    changes.push({ type: "remove", path: [...draft.at, "layout", id] });
  }
  return changes;
}

function leadsTo(id: string) {
  return (edge: JsonObject): boolean => edge["to"] === id;
}

function leaveLoop(draft: Draft, loop: string, held: JsonObject, id: string): readonly Change[] {
  const path = [...draft.at, "loops", loop];
  const members = textsAt(held, "sockets");
  if (members.includes(id) && members.length === 1) return [{ type: "remove", path }];
  const exits = listAt(held, "exits");
  const index = members.indexOf(id);
  return [
    ...withoutItems(
      [...path, "exits"],
      exits,
      ({ from, targetSocketId }) => from === id || targetSocketId === id,
    ),
    ...(index === -1 ? [] : [{ type: "remove" as const, path: [...path, "sockets", index] }]),
    ...(objectAt(held, "consumes")["from"] === id
      ? [{ type: "remove" as const, path: [...path, "consumes"] }]
      : []),
  ];
}

/** Removes items of a list, and the list when none is left. */
export function withoutItems(
  path: Path,
  items: readonly JsonObject[],
  goes: (item: JsonObject, index: number) => boolean,
): readonly Change[] {
  const gone = items.flatMap((item, index) => (goes(item, index) ? [index] : []));
  if (gone.length > 0 && gone.length === items.length) return [{ type: "remove", path }];
  return gone.toReversed().map((index) => ({ type: "remove", path: [...path, index] }));
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
  const rounded = [...places].map(([id, { x, y }]) => [id, { x: Math.round(x), y: Math.round(y) }] as const);
  const isOurs = Object.hasOwn(loadout, "layout") && isPlaces(loadout["layout"]);
  if (!isOurs) return [set(path, Object.fromEntries(rounded))];
  return rounded.map(([id, place]) => set([...path, id], place));
}

function isPlaces(layout: Json | undefined): boolean {
  return typeof layout === "object" && layout !== null && !Array.isArray(layout);
}

/** Forgets where the author put the sockets, so that they are laid out again. */
export function tidy({ at, loadout }: Draft): Edit {
  return Object.hasOwn(loadout, "layout") ? [{ type: "remove", path: [...at, "layout"] }] : [];
}

export function set(path: Path, value: Json): Change {
  return { type: "set", path, value };
}

export function setOrRemove(path: Path, value: Json | undefined): Change {
  return value === undefined ? { type: "remove", path } : set(path, value);
}
