/** Parts are a loadout with everything around it that it may refer to. */

import { pointer } from "../../base/issue.ts";
import { assign, isJsonObject, type Json, type JsonObject } from "../../base/json.ts";
import type { Config } from "./definition.ts";

/** Nothing in it has been checked. */
export interface Parts {
  readonly name: string;
  readonly loadout: JsonObject;
  /** The JSON pointer to it in the file, and whether it stands there at all. */
  readonly at: string;
  readonly isInFile: boolean;
  readonly materia: JsonObject;
  /** Where the file defines each of its own materia. */
  readonly materiaAt: ReadonlyMap<string, string>;
  readonly loadouts: JsonObject;
  readonly around: Pick<Config, "budget" | "limits" | "artifactDir">;
}

/** The parts of a loadout that a graph materia names. */
export function innerParts(outer: Parts, name: string): Parts {
  const loadout = objectAt(outer.loadouts, name);
  const at = pointer("loadouts", name);
  const own = objectAt(loadout, "materia");
  const ownAt = Object.keys(own).map((id) => [id, at + pointer("materia", id)] as const);
  const materiaAt = new Map([...outer.materiaAt, ...ownAt]);
  return {
    ...{ name, loadout, at, isInFile: outer.isInFile, around: {}, materiaAt },
    loadouts: overlay([outer.loadouts, objectAt(loadout, "loadouts")]),
    materia: overlay([outer.materia, own]),
  };
}

/** The loadouts that run inside of one, those inside of them included; each once. */
export function partsInside(outer: Parts, seen: Set<string> = new Set([outer.name])): Parts[] {
  return Object.values(objectAt(outer.loadout, "sockets")).flatMap((socket) => {
    const held = isJsonObject(socket) ? socket["materia"] : undefined;
    const materia = typeof held === "string" ? objectAt(outer.materia, held) : {};
    const name = materia["type"] === "graph" ? materia["loadout"] : undefined;
    if (typeof name !== "string" || seen.has(name) || !Object.hasOwn(outer.loadouts, name)) return [];
    seen.add(name);
    const inner = innerParts(outer, name);
    return [inner, ...partsInside(inner, seen)];
  });
}

/** Objects laid over each other, the last on top. */
export function overlay(objects: readonly JsonObject[]): JsonObject {
  const merged: Record<string, Json> = {};
  for (const object of objects)
    for (const key of Object.keys(object)) assign(merged, key, object[key] as Json);
  return merged;
}

/** The object under an own key; an empty one when there is none. */
export function objectAt(value: Json, key: string): JsonObject {
  const inner = isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  return isJsonObject(inner) ? inner : {};
}
