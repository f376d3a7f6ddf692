/**
 * The shape of an object with named fields.
 *
 * 1. A field is optional in the shape exactly where it is in the type: nothing else compiles.
 * 2. Only own keys count: `__proto__` in a document is a key like any other, and an unknown one.
 */

import { type Issue, pointer } from "./issue.ts";
import { isJsonObject, type Json, type JsonObject } from "./json.ts";
import { closest } from "./names.ts";
import type { Shape } from "./shape.ts";
import { problem, wrongType } from "./shape-issue.ts";

/** A field that may be absent. */
export interface Optional<T> {
  readonly optional: Shape<T>;
}

/** The fields of an object type, each with its shape; optional ones are wrapped (1). */
export type Fields<T> = {
  readonly [K in keyof T]-?: T extends { readonly [P in K]-?: unknown }
    ? Shape<T[K]>
    : Optional<Exclude<T[K], undefined>>;
};

export interface ObjectRules {
  readonly title?: string;
  /** What a field is that the shape does not name: a warning by default. */
  readonly unknown?: { readonly severity: Issue["severity"]; hint?(name: string): string | undefined };
}

/** Marks a field that may be absent. */
export function optional<T>(shape: Shape<T>): Optional<T> {
  return { optional: shape };
}

/** An object with these fields. */
export function object<T>(
  description: string,
  fields: Fields<NoInfer<T>>,
  rules: ObjectRules = {},
): Shape<T> {
  return objectOf(description, fields, rules) as Shape<T>; // the fields are those of T
}

/** An object with fields that are only known at run time. */
export function objectOf(
  description: string,
  fields: Readonly<Record<string, Shape | Optional<unknown>>>,
  rules: ObjectRules = {},
): Shape {
  const rows = Object.entries(fields).map(([name, field]): Row => {
    return "optional" in field
      ? { name, shape: field.optional, required: false }
      : { name, shape: field, required: true };
  });
  return {
    schema: objectSchema(description, rows, rules),
    validate(value, at) {
      if (!isJsonObject(value)) return [wrongType(value, at, "an object")];
      return [...fieldIssues(value, at, rows), ...unknownIssues(value, at, { rows, rules })];
    },
  };
}

function objectSchema(
  description: string,
  rows: readonly Row[],
  { title, unknown }: ObjectRules,
): JsonObject {
  const required = rows.filter((row) => row.required).map(({ name }) => name);
  return {
    ...(title !== undefined && { title }),
    ...{ description, type: "object" },
    properties: Object.fromEntries(rows.map(({ name, shape }) => [name, shape.schema])),
    ...(required.length > 0 && { required }),
    ...(unknown?.severity === "error" && { additionalProperties: false }),
  };
}

interface Row {
  readonly name: string;
  readonly shape: Shape;
  readonly required: boolean;
}

function fieldIssues(value: JsonObject, at: string, rows: readonly Row[]): Issue[] {
  return rows.flatMap(({ name, shape, required }) => {
    if (Object.hasOwn(value, name)) return shape.validate(value[name] as Json, at + pointer(name)); // (2)
    if (!required) return [];
    const hint = `Add ${JSON.stringify(name)}: ${describe(shape)}`;
    return [problem("missing_field", at + pointer(name), { message: `${name} is missing.`, hint })];
  });
}

function unknownIssues(
  value: JsonObject,
  at: string,
  { rows, rules }: { readonly rows: readonly Row[]; readonly rules: ObjectRules },
): Issue[] {
  const known = new Set(rows.map(({ name }) => name));
  const { severity = "warning", hint } = rules.unknown ?? {};
  return Object.keys(value)
    .filter((name) => !known.has(name))
    .map((name) => {
      const meant = closest(name, known);
      const guess = meant === undefined ? `Known here: ${[...known].join(", ")}.` : `Did you mean ${meant}?`;
      const message = `${name} is not a field that is known here.`;
      return {
        ...problem("unknown_field", at + pointer(name), { message, hint: hint?.(name) ?? guess }),
        severity,
      };
    });
}

function describe(shape: Shape): string {
  return typeof shape.schema.description === "string" ? shape.schema.description : "";
}
