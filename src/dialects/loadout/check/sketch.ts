/**
 * A sketch is what can be made out of a loadout that may be wrong in any way: what is well formed, with its place in
 * the file. The rules read it, so that one mistake does not hide the others.
 */

import { type Issue, pointer } from "../../../base/issue.ts";
import { isJsonObject, type Json, type JsonObject } from "../../../base/json.ts";
import type { Condition, Materia, MateriaType, Parse } from "../definition.ts";
import type { Parts } from "../parts.ts";

export interface Sketch {
  readonly entry: string | undefined;
  readonly sockets: ReadonlyMap<string, SketchedSocket>;
  readonly loops: readonly SketchedLoop[];
  /** Every materia that can be named. */
  readonly materia: ReadonlyMap<string, SketchedMateria>;
  readonly loadouts: JsonObject;
  readonly name: string;
}

export interface SketchedSocket {
  readonly id: string;
  readonly at: string;
  readonly materiaId: string | undefined;
  readonly materia: SketchedMateria | undefined;
  readonly parse?: Parse;
  readonly assign: readonly (readonly [target: string, source: string])[];
  readonly edges: readonly SketchedEdge[];
  readonly advance: { readonly items: string | undefined; readonly when?: Condition } | undefined;
  readonly hasOutputLimit: boolean;
}

export interface SketchedEdge {
  readonly at: string;
  readonly when?: Condition;
  readonly to: string | undefined;
  readonly isBounded: boolean;
}

export interface SketchedLoop {
  readonly id: string;
  readonly at: string;
  readonly sockets: readonly { readonly id: string; readonly at: string }[];
  readonly consumes: { readonly from: string | undefined; readonly output: string | undefined } | undefined;
  readonly iterates: string | undefined;
  readonly exits: readonly SketchedExit[];
}

export interface SketchedExit {
  readonly at: string;
  readonly id: string | undefined;
  readonly from: string | undefined;
  readonly condition: Condition | undefined;
  readonly target: string | undefined;
}

/** Only fields that are well formed are there; `at` is absent when another file defines it. */
export interface SketchedMateria extends Pick<Materia, "generator" | "utility" | "loadout"> {
  readonly id: string;
  readonly at: string | undefined;
  readonly type?: MateriaType;
  readonly parse?: Parse;
  readonly fields: ReadonlySet<string>;
}

/** Tells of an issue. */
export type Report = (issue: Omit<Issue, "severity"> & { readonly severity?: Issue["severity"] }) => void;

const CONDITIONS: readonly Condition[] = ["always", "satisfied", "not_satisfied"];
const TYPES: readonly MateriaType[] = ["agent", "utility", "human", "graph"];

export function sketchOf(parts: Parts): Sketch {
  const { loadout, at, materiaAt } = parts;
  const materia = new Map(
    entriesOf(parts.materia).map(([id, value]) => [id, sketchMateria(id, value, materiaAt.get(id))]),
  );
  const sockets = entriesOf(field(loadout, "sockets")).map(([id, value]): [string, SketchedSocket] => [
    id,
    sketchSocket(id, value, { at: at + pointer("sockets", id), materia }),
  ]);
  const loops = entriesOf(field(loadout, "loops")).map(([id, value]) =>
    sketchLoop(id, value, at + pointer("loops", id)),
  );
  const { loadouts, name } = parts;
  return { entry: text(loadout, "entry"), sockets: new Map(sockets), loops, materia, loadouts, name };
}

function sketchSocket(
  id: string,
  value: Json,
  { at, materia }: { readonly at: string; readonly materia: ReadonlyMap<string, SketchedMateria> },
): SketchedSocket {
  const materiaId = text(value, "materia");
  const parse = choice(field(value, "parse"), ["text", "json"] as const);
  const advance = field(value, "advance");
  const when = choice(field(advance, "when"), CONDITIONS);
  return {
    ...{ id, at, materiaId, materia: materiaId === undefined ? undefined : materia.get(materiaId) },
    ...(parse && { parse }),
    assign: entriesOf(field(value, "assign")).flatMap(([target, source]) =>
      typeof source === "string" ? [[target, source] as const] : [],
    ),
    edges: listOf(field(value, "edges")).map((edge, index) => sketchEdge(edge, at + pointer("edges", index))),
    advance: isJsonObject(advance) ? { items: text(advance, "items"), ...(when && { when }) } : undefined,
    hasOutputLimit: field(field(value, "limits"), "maxOutputBytes") !== undefined,
  };
}

function sketchEdge(value: Json, at: string): SketchedEdge {
  const when = choice(field(value, "when"), CONDITIONS);
  const isBounded = typeof field(value, "maxTraversals") === "number";
  return { at, ...(when && { when }), to: text(value, "to"), isBounded };
}

function sketchLoop(id: string, value: Json, at: string): SketchedLoop {
  const consumes = field(value, "consumes");
  return {
    ...{ id, at, iterates: text(field(value, "iterator"), "items") },
    sockets: listOf(field(value, "sockets")).flatMap((member, index) =>
      typeof member === "string" ? [{ id: member, at: at + pointer("sockets", index) }] : [],
    ),
    consumes: isJsonObject(consumes)
      ? { from: text(consumes, "from"), output: text(consumes, "output") }
      : undefined,
    exits: listOf(field(value, "exits")).map((exit, index) => ({
      ...{ at: at + pointer("exits", index), id: text(exit, "id"), from: text(exit, "from") },
      ...{ condition: choice(field(exit, "condition"), CONDITIONS), target: text(exit, "targetSocketId") },
    })),
  };
}

function sketchMateria(id: string, value: Json, at: string | undefined): SketchedMateria {
  const type = choice(field(value, "type"), TYPES);
  const parse = choice(field(value, "parse"), ["text", "json"] as const);
  const utility = text(value, "utility");
  const loadout = text(value, "loadout");
  return {
    ...{ id, at, fields: new Set(isJsonObject(value) ? Object.keys(value) : []) },
    generator: field(value, "generator") === true,
    ...(type && { type }),
    ...(parse && { parse }),
    ...(utility !== undefined && { utility }),
    ...(loadout !== undefined && { loadout }),
  };
}

/** An own field of a value that may be anything. */
export function field(value: Json | undefined, key: string): Json | undefined {
  return isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

function text(value: Json | undefined, key: string): string | undefined {
  const inner = field(value, key);
  return typeof inner === "string" ? inner : undefined;
}

function entriesOf(value: Json | undefined): [string, Json][] {
  return isJsonObject(value) ? Object.entries(value) : [];
}

function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : [];
}

function choice<const T extends string>(value: Json | undefined, values: readonly T[]): T | undefined {
  return values.find((candidate) => candidate === value);
}
