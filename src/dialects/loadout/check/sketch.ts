/**
 * A sketch is what can be made out of a loadout that may be wrong in any way: what is well formed, with its place in
 * the file. The rules read it, so that one mistake does not hide the others.
 */

import { type Issue, pointer } from "../../../base/issue.ts";
import { isJsonObject, type Json, type JsonObject } from "../../../base/json.ts";
import { type Condition, DEFAULT_LIMITS, type Materia, type MateriaType, type Parse } from "../definition.ts";
import type { Parts } from "../parts.ts";

export interface Sketch {
  readonly entry: string | undefined;
  readonly sockets: ReadonlyMap<string, SketchedSocket>;
  readonly loops: readonly SketchedLoop[];
  /** Every materia that can be named. */
  readonly materia: ReadonlyMap<string, SketchedMateria>;
  readonly loadouts: JsonObject;
  readonly name: string;
  /** How many cycles without progress one item may close. */
  readonly maxNoAdvanceCycles: number;
  /** What it was made of. */
  readonly parts: Parts;
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
  /** Its `maxTraversals`. */
  readonly most?: number;
}

export interface SketchedLoop {
  readonly id: string;
  readonly at: string;
  readonly sockets: readonly { readonly id: string; readonly at: string }[];
  readonly consumes: { readonly from: string | undefined; readonly output: string | undefined } | undefined;
  readonly iterates: string | undefined;
  /** The name of the current item besides `workItem`. */
  readonly as: string | undefined;
  readonly exits: readonly SketchedExit[];
  /** True when its items are worked on in lanes. */
  readonly isParallel: boolean;
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

const sketches: WeakMap<Parts, Sketch> = new WeakMap();

/** The sketch of parts, made once. */
export function sketchOf(parts: Parts): Sketch {
  let sketch = sketches.get(parts);
  if (sketch === undefined) {
    sketch = draw(parts);
    sketches.set(parts, sketch);
  }
  return sketch;
}

function draw(parts: Parts): Sketch {
  const { loadout, at, materiaAt } = parts;
  const materia = new Map(
    entriesOf(parts.materia).map(([id, value]) => {
      const where = materiaAt.get(id);
      return [id, where === undefined ? sketchBorrowed(id, value) : sketchMateria(id, value, where)];
    }),
  );
  const sockets = entriesOf(field(loadout, "sockets")).map(([id, value]): [string, SketchedSocket] => [
    id,
    sketchSocket(id, value, { at: at + pointer("sockets", id), materia }),
  ]);
  const loops = entriesOf(field(loadout, "loops")).map(([id, value]) =>
    sketchLoop(id, value, at + pointer("loops", id)),
  );
  const { loadouts, name } = parts;
  return {
    ...{ entry: text(loadout, "entry"), sockets: new Map(sockets), loops, materia, loadouts, name, parts },
    maxNoAdvanceCycles: cyclesAllowed(parts),
  };
}

function cyclesAllowed({ loadout, around }: Parts): number {
  const own = field(field(loadout, "limits"), "maxNoAdvanceCycles");
  const most = own ?? around.limits?.maxNoAdvanceCycles;
  return isCount(most) ? most : DEFAULT_LIMITS.maxNoAdvanceCycles;
}

function isCount(value: Json | undefined): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
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
  const most = field(value, "maxTraversals");
  const bounds = { isBounded: isCount(most), ...(isCount(most) && { most }) };
  return { at, ...(when && { when }), to: text(value, "to"), ...bounds };
}

function sketchLoop(id: string, value: Json, at: string): SketchedLoop {
  const consumes = field(value, "consumes");
  return {
    ...{ id, at, iterates: text(field(value, "iterator"), "items") },
    as: text(field(value, "iterator"), "as"),
    isParallel: field(value, "parallel") !== undefined,
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

const borrowed: WeakMap<JsonObject, SketchedMateria> = new WeakMap();

/** The materia of lower layers are the same for every file, so they are sketched once. */
function sketchBorrowed(id: string, value: Json): SketchedMateria {
  if (!isJsonObject(value)) return sketchMateria(id, value, undefined);
  let sketch = borrowed.get(value);
  if (sketch === undefined || sketch.id !== id) {
    sketch = sketchMateria(id, value, undefined);
    borrowed.set(value, sketch);
  }
  return sketch;
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
