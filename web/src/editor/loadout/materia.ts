/** Edits of materia and of what counts for the whole loadout. A materia of another file is copied before it changes. */

import type { Json, JsonObject, Materia } from "../../model/baton.ts";
import type { Edit } from "../take.ts";
import { textAt } from "../text/held.ts";
import { set, setOrRemove } from "../text/set.ts";
import { settingIn } from "../text/setting.ts";
import { type Draft, materiaOf, socketsOf } from "./draft.ts";
import { socketPath } from "./sockets.ts";

/** Adds a materia to the file. */
export function addMateria(draft: Draft, id: string, materia: Materia): Edit {
  if (id.trim() === "") return "A materia needs a name.";
  if (materiaOf(draft).get(id)?.origin === "file") return `There is a materia called ${id} already.`;
  return [set(["materia", id], materia as unknown as Json)]; // plain data
}

/** Sets fields of a materia; `undefined` takes one away. */
export function changeMateria(
  draft: Draft,
  id: string,
  fields: Readonly<Record<string, Json | undefined>>,
): Edit {
  const known = materiaOf(draft).get(id);
  if (known === undefined) return `There is no materia ${id}.`;
  const path = known.path;
  if (path !== undefined)
    return Object.entries(fields).map(([field, value]) => setOrRemove([...path, field], value));
  const copy: Record<string, Json | undefined> = { ...(known.materia as unknown as JsonObject), ...fields };
  const left = Object.entries(copy).filter((entry): entry is [string, Json] => entry[1] !== undefined);
  return [set(["materia", id], Object.fromEntries(left))];
}

/** Takes a materia out of the file, unless a socket holds it. */
export function removeMateria(draft: Draft, id: string): Edit {
  const known = materiaOf(draft).get(id);
  if (known?.path === undefined) return `${id} does not stand in this file.`;
  const holder = holdersOf(draft, id)[0];
  if (holder !== undefined) return `${holder} holds ${id}. Put another materia there first.`;
  return [{ type: "remove", path: known.path }];
}

/** Gives a materia another id, and the sockets that hold it the new one. */
export function renameMateria(draft: Draft, id: string, name: string): Edit {
  const known = materiaOf(draft).get(id);
  if (known?.path === undefined) return `${id} does not stand in this file.`;
  if (name.trim() === "") return "A materia needs a name.";
  if (materiaOf(draft).has(name)) return `There is a materia called ${name} already.`;
  const holders = holdersOf(draft, id).map((socket) => set(socketPath(draft, socket, "materia"), name));
  return [...holders, { type: "rename", path: known.path, key: name }];
}

export function holdersOf(draft: Draft, materia: string): readonly string[] {
  return [...socketsOf(draft)].flatMap(([id, socket]) => (textAt(socket, "materia") === materia ? [id] : []));
}

/** Sets a field of the loadout itself; `undefined` takes it away. */
export function setSetting(draft: Draft, path: readonly string[], value: Json | undefined): Edit {
  const change = settingIn(draft.loadout, path, value);
  return [{ ...change, path: [...draft.at, ...change.path] }];
}
