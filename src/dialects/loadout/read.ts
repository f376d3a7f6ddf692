/**
 * Reading takes a file of either shape, lays it over the layers below it, and gives back one loadout that needs
 * nothing else.
 */

import type { Issue } from "../../base/issue.ts";
import { pointer } from "../../base/issue.ts";
import { assign, isJsonObject, type Json, type JsonObject } from "../../base/json.ts";
import { closest } from "../../base/names.ts";
import { passes } from "../../base/shape.ts";
import type { Budget } from "../budget.ts";
import { BUNDLED } from "./bundled.ts";
import { issuesOf } from "./check/issues.ts";
import type { Limits, Loadout, LoadoutDefinition, Materia } from "./definition.ts";
import { innerParts, objectAt, overlay, type Parts, partsInside } from "./parts.ts";
import { configShape, loadoutShape } from "./schema.ts";

export interface ReadOptions {
  /** Configs that the file is laid over, lowest first; the bundled one lies below them all. */
  readonly below?: readonly Json[];
  /** Takes this loadout instead of the active one. */
  readonly name?: string;
  /** What a single loadout is called that does not say so itself; `loadout` when absent. */
  readonly called?: string;
}

export type ReadLoadout =
  | { readonly ok: true; readonly definition: LoadoutDefinition; readonly warnings: readonly Issue[] }
  | { readonly ok: false; readonly errors: readonly Issue[]; readonly warnings: readonly Issue[] };

/** Reads a loadout file. Everything that is wrong with it comes back at once; it never throws. */
export function readLoadout(json: Json, options: ReadOptions = {}): ReadLoadout {
  const source = sourceOf(json, options);
  const chosen = source.choose();
  const issues = [...source.issues, ...chosen.issues];
  if (chosen.parts !== undefined) issues.push(...withInner(chosen.parts).flatMap(issuesOf));
  return result(unique(issues), () => resolve(chosen.parts as Parts));
}

/** Reads every loadout of a file, for a check that looks at all of them. */
export function readAll(json: Json, options: ReadOptions = {}): ReadFile {
  const source = sourceOf(json, options);
  const { parts, issues: choice } = source.choose();
  const others = source.own().filter(({ at }) => at !== parts?.at);
  const checked = [...(parts === undefined ? [] : withInner(parts)), ...others].flatMap(issuesOf);
  const issues = unique([...source.issues, ...choice, ...checked]);
  return { issues, active: result(issues, () => resolve(parts as Parts)), ...(parts && { parts }) };
}

export interface ReadFile {
  readonly issues: readonly Issue[];
  readonly active: ReadLoadout;
  /** The parts of the active loadout. */
  readonly parts?: Parts;
}

/** A loadout with those that run inside of it: they are compiled together, so they are checked together. */
function withInner(parts: Parts): Parts[] {
  return [parts, ...partsInside(parts)];
}

/** Says whether a file is a loadout or a config of loadouts, as opposed to another kind of graph. */
export function isLoadout(json: Json): boolean {
  return (
    isJsonObject(json) && ["sockets", "loadouts", "activeLoadout"].some((key) => Object.hasOwn(json, key))
  );
}

interface Source {
  readonly issues: readonly Issue[];
  choose(): { readonly parts?: Parts; readonly issues: readonly Issue[] };
  /** Every loadout that stands in the file. */
  own(): Parts[];
}

function sourceOf(json: Json, { below = [], name, called = "loadout" }: ReadOptions): Source {
  const layers = [BUNDLED as unknown as Json, ...below]; // a config is plain JSON
  const broken = below.flatMap(layerIssues);
  if (!isJsonObject(json) || !isLoadout(json)) {
    const nothing = { issues: [], choose: () => ({ issues: [] }), own: () => [] };
    return { ...nothing, issues: [...broken, notALoadout()] };
  }
  if (Object.hasOwn(json, "sockets")) return single(json, { layers, broken, called });
  return several(json, { layers, broken, name });
}

interface Single {
  readonly layers: readonly Json[];
  readonly broken: readonly Issue[];
  readonly called: string;
}

function single(json: JsonObject, { layers, broken, called }: Single): Source {
  const own = objectAt(json, "materia");
  const parts: Parts = {
    name: textAt(json, "name") ?? called,
    loadout: json,
    ...{ at: "", isInFile: true },
    materia: overlay([...layers.map((layer) => objectAt(layer, "materia")), own]),
    materiaAt: new Map(Object.keys(own).map((id) => [id, pointer("materia", id)])),
    loadouts: overlay([...layers.map((layer) => objectAt(layer, "loadouts")), objectAt(json, "loadouts")]),
    around: aroundOf(layers),
  };
  const issues = [...broken, ...loadoutShape.validate(json, "")];
  return { issues, choose: () => ({ parts, issues: [] }), own: () => [parts] };
}

interface Several {
  readonly layers: readonly Json[];
  readonly broken: readonly Issue[];
  readonly name: string | undefined;
}

function several(json: JsonObject, { layers, broken, name }: Several): Source {
  const all = [...layers, json];
  const loadouts = overlay(all.map((layer) => objectAt(layer, "loadouts")));
  const shared = overlay(all.map((layer) => objectAt(layer, "materia")));
  const partsOf = (id: string): Parts => {
    const loadout = objectAt(loadouts, id);
    const inner = objectAt(loadout, "materia");
    const isInFile = Object.hasOwn(objectAt(json, "loadouts"), id);
    const at = pointer("loadouts", id);
    const materiaAt = new Map(
      Object.keys(objectAt(json, "materia")).map((key) => [key, pointer("materia", key)]),
    );
    if (isInFile) for (const key of Object.keys(inner)) materiaAt.set(key, at + pointer("materia", key));
    const materia = overlay([shared, inner]);
    const named = textAt(loadout, "name") ?? id;
    return { name: named, loadout, at, isInFile, materia, materiaAt, loadouts, around: aroundOf(all) };
  };
  return {
    issues: [...broken, ...configShape.validate(json, "")],
    choose() {
      const known = Object.keys(loadouts);
      const own = Object.keys(objectAt(json, "loadouts"));
      const said = name ?? textAt(json, "activeLoadout");
      const wanted = said ?? own[0] ?? activeOf(layers); // what a layer below runs is not what this file is about
      if (wanted === undefined || !Object.hasOwn(loadouts, wanted)) {
        return { issues: [unknownLoadout(wanted, known)] };
      }
      const isOpen = said === undefined && own.length > 1;
      return { parts: partsOf(wanted), issues: isOpen ? [noActiveLoadout(wanted)] : [] };
    },
    own: () => Object.keys(objectAt(json, "loadouts")).map(partsOf),
  };
}

function activeOf(layers: readonly Json[]): string | undefined {
  return layers.flatMap((layer) => textAt(layer, "activeLoadout") ?? []).at(-1);
}

function aroundOf(layers: readonly Json[]): Parts["around"] {
  const budget = overlay(layers.map((layer) => objectAt(layer, "budget")));
  const limits = overlay(layers.map((layer) => objectAt(layer, "limits")));
  const artifactDir = layers.flatMap((layer) => textAt(layer, "artifactDir") ?? []).at(-1);
  // They were checked with the layer that has them.
  return {
    ...{ budget: budget as Budget, limits: limits as Limits },
    ...(artifactDir !== undefined && { artifactDir }),
  };
}

/** The loadout of parts that passed the check, with all that it uses and nothing else. */
function resolve(parts: Parts): LoadoutDefinition {
  const { name, loadout, materia, loadouts, around } = parts;
  const checked = loadout as unknown as Loadout;
  const pool = materia as unknown as Record<string, Materia>;
  const used = new Set(Object.values(checked.sockets).map((socket) => socket.materia));
  const { $schema: _, ...rest } = checked;
  const inner: Record<string, Json> = {};
  for (const id of used) {
    const wanted = pool[id]?.loadout;
    if (wanted === undefined || !Object.hasOwn(loadouts, wanted)) continue;
    assign(inner, wanted, resolve(innerParts(parts, wanted)) as unknown as Json);
  }
  const own: Record<string, Json> = {};
  for (const id of used) assign(own, id, materia[id] as Json);
  const budget = { ...around.budget, ...checked.budget };
  const limits = { ...around.limits, ...checked.limits };
  return {
    ...rest,
    name,
    materia: own as unknown as LoadoutDefinition["materia"],
    ...(Object.keys(budget).length > 0 && { budget }),
    ...(Object.keys(limits).length > 0 && { limits }),
    ...(Object.keys(inner).length > 0 && { loadouts: inner as unknown as Record<string, Loadout> }),
    ...(around.artifactDir !== undefined && { artifactDir: around.artifactDir }),
  };
}

/** The loadout that a graph materia names, out of a definition that has it. */
export function innerLoadout({ loadouts = {} }: LoadoutDefinition, { loadout }: Materia): LoadoutDefinition {
  const inner = loadouts[loadout ?? ""];
  if (inner === undefined) throw new Error(`Loadout ${loadout} is not part of the definition.`);
  return inner as LoadoutDefinition; // `resolve` made it complete
}

function result(issues: readonly Issue[], definition: () => LoadoutDefinition): ReadLoadout {
  const warnings = issues.filter(({ severity }) => severity === "warning");
  if (passes(issues)) return { ok: true, definition: definition(), warnings };
  return { ok: false, errors: issues.filter(({ severity }) => severity === "error"), warnings };
}

function layerIssues(layer: Json, index: number): Issue[] {
  return configShape
    .validate(layer, "")
    .filter(({ severity }) => severity === "error")
    .map((issue) => ({
      ...issue,
      pointer: "",
      message: `The config in layer ${index + 1} below the file is broken at ${issue.pointer || "its top"}: ${issue.message}`,
    }));
}

function notALoadout(): Issue {
  const message = "The file is neither a loadout (entry, sockets) nor a config (activeLoadout, loadouts).";
  const hint = 'Begin with { "entry": "Socket-1", "sockets": { … } }.';
  return { severity: "error", code: "not_a_loadout", pointer: "", message, hint };
}

function unknownLoadout(wanted: string | undefined, known: readonly string[]): Issue {
  const meant = wanted === undefined ? undefined : closest(wanted, known);
  const message =
    wanted === undefined ? "No loadout is chosen and the file has none." : `There is no loadout ${wanted}.`;
  const hint = meant === undefined ? `Known: ${known.join(", ")}.` : `Did you mean ${meant}?`;
  return { severity: "error", code: "unknown_loadout", pointer: "/activeLoadout", message, hint };
}

function noActiveLoadout(taken: string): Issue {
  const message = `The file does not say which of its loadouts runs, so the first one does: ${taken}.`;
  const hint = `Add "activeLoadout": ${JSON.stringify(taken)}.`;
  return { severity: "warning", code: "no_active_loadout", pointer: "/activeLoadout", message, hint };
}

function textAt(value: Json, key: string): string | undefined {
  const inner = isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  return typeof inner === "string" ? inner : undefined;
}

/** The issues of materia that several loadouts share are told once. */
function unique(issues: readonly Issue[]): Issue[] {
  const byText = new Map(
    issues.map((issue) => [`${issue.severity} ${issue.code} ${issue.pointer} ${issue.message}`, issue]),
  );
  return [...byText.values()];
}
