/**
 * A draft is a loadout as it is being written: its text, and what can be told of it even where it has faults.
 *
 * 1. A draft exists for every text that is JSON and has a loadout in it; nothing else of it has to be right.
 */

import { BUNDLED, isJsonObject, type Json, type JsonObject, type Materia } from "../../model/baton.ts";
import { objectAt, objectsOf, parsed, textAt } from "../text/held.ts";
import type { Path } from "../text/tree.ts";

export interface Draft {
  readonly text: string;
  readonly json: JsonObject;
  /** Where in the file the loadout stands that is edited. */
  readonly at: Path;
  /** That loadout; what is missing in it or of another kind is left out. */
  readonly loadout: JsonObject;
  readonly name: string;
  /** The loadouts of the file that can be edited; none when the file is one loadout. */
  readonly names: readonly string[];
  /** The loadouts of the file that a graph socket can run. */
  readonly inner: readonly string[];
  /** Configs below the file, lowest first, whose materia can be used too. */
  readonly below: readonly Json[];
}

export interface DraftOptions {
  /** Which loadout of the file; the active one of a config, or the one that the file is, when absent. */
  readonly name?: string | undefined;
  readonly below?: readonly Json[];
}

/** (1) */
export function draftOf(text: string, { name, below = [] }: DraftOptions = {}): Draft | undefined {
  const json = parsed(text);
  if (!isJsonObject(json)) return undefined;
  const loadouts = objectAt(json, "loadouts");
  const inner = Object.keys(loadouts);
  const isOne = Object.hasOwn(json, "sockets");
  if (isOne && (name === undefined || !Object.hasOwn(loadouts, name))) {
    const own = textAt(json, "name") ?? "loadout";
    return { text, json, at: [], loadout: json, name: own, names: [], inner, below };
  }
  const names = isOne ? [] : inner;
  const chosen = [name, textAt(json, "activeLoadout"), ...inner].find(
    (one) => one !== undefined && Object.hasOwn(loadouts, one),
  );
  if (chosen === undefined) return undefined;
  return {
    text,
    json,
    at: ["loadouts", chosen],
    loadout: objectAt(loadouts, chosen),
    name: chosen,
    ...{ names, inner, below },
  };
}

export function socketsOf({ loadout }: Draft): ReadonlyMap<string, JsonObject> {
  return objectsOf(objectAt(loadout, "sockets"));
}

export function loopsOf({ loadout }: Draft): ReadonlyMap<string, JsonObject> {
  return objectsOf(objectAt(loadout, "loops"));
}

/** Every materia that the draft may name, with where it comes from. */
export function materiaOf({ json, at, loadout, below }: Draft): ReadonlyMap<string, DraftMateria> {
  const known = new Map<string, DraftMateria>();
  const bundled = BUNDLED as unknown as Json; // a config is plain JSON
  const add = (from: Json, origin: DraftMateria["origin"], path?: Path) => {
    for (const [id, materia] of objectsOf(objectAt(from, "materia"))) {
      known.set(id, {
        id,
        materia: materia as Materia,
        origin,
        ...(path && { path: [...path, "materia", id] }),
      });
    }
  };
  add(bundled, "bundled");
  for (const layer of below) add(layer, "project");
  add(json, "file", []);
  if (at.length > 0) add(loadout, "file", at);
  return known;
}

export interface DraftMateria {
  readonly id: string;
  /** As its author wrote it; nothing of it was checked. */
  readonly materia: Materia;
  readonly origin: "bundled" | "project" | "file";
  /** Where it stands in the file, when it does. */
  readonly path?: Path;
}
