/**
 * A shape says once what a piece of JSON must look like; its validation and its JSON Schema both come from it.
 *
 * 1. Validation reports everything at once, in document order, and never throws, whatever the input.
 * 2. An issue of a part does not keep the other parts from being looked at.
 */

import { type Issue, pointer } from "./issue.ts";
import { isJsonObject, type Json, type JsonObject } from "./json.ts";
import { closest } from "./names.ts";
import { print, problem, wrongType } from "./shape-issue.ts";

/** The type parameter is the TypeScript type of the values that pass without an error. */
export interface Shape<T = unknown> {
  /** JSON Schema, draft 2020-12. */
  readonly schema: JsonObject;
  /** The issues of a value; `at` is the JSON pointer to it. */
  validate(value: Json, at: string): Issue[];
  /** Never there at run time: it carries the type. */
  readonly type?: T;
}

/** An object whose keys are the author's own, each with a value of one shape. */
export function record<T>(description: string, values: Shape<T>): Shape<{ readonly [name: string]: T }> {
  return {
    schema: { description, type: "object", additionalProperties: values.schema },
    validate(value, at) {
      if (!isJsonObject(value)) return [wrongType(value, at, "an object")];
      return Object.keys(value).flatMap((key) => values.validate(value[key] as Json, at + pointer(key)));
    },
  };
}

/** A list of values of one shape. */
export function array<T>(
  description: string,
  items: Shape<T>,
  { least = 0 }: { readonly least?: number } = {},
): Shape<readonly T[]> {
  return {
    schema: { description, type: "array", items: items.schema, ...(least > 0 && { minItems: least }) },
    validate(value, at) {
      if (!Array.isArray(value)) return [wrongType(value, at, "a list")];
      if (value.length < least) {
        const message = `The list has ${value.length} items and needs at least ${least}.`;
        return [problem("too_few_items", at, { message, hint: description })];
      }
      return value.flatMap((item: Json, index) => items.validate(item, at + pointer(index)));
    },
  };
}

/** A text. */
export function string(
  description: string,
  { filled = false }: { readonly filled?: boolean } = {},
): Shape<string> {
  return {
    schema: { description, type: "string", ...(filled && { minLength: 1, pattern: "\\S" }) },
    validate(value, at) {
      if (typeof value !== "string") return [wrongType(value, at, "a text")];
      if (!filled || value.trim() !== "") return [];
      return [problem("empty_text", at, { message: "The text is empty.", hint: description })];
    },
  };
}

/** True or false. */
export function boolean(description: string): Shape<boolean> {
  return {
    schema: { description, type: "boolean" },
    validate(value, at) {
      return typeof value === "boolean" ? [] : [wrongType(value, at, "true or false")];
    },
  };
}

export interface Range {
  readonly least?: number;
  readonly most?: number;
  /** The least value itself is not allowed. */
  readonly above?: number;
}

/** A whole number within a range. */
export function integer(description: string, range: Range = {}): Shape<number> {
  return numeric(description, range, "integer");
}

/** A finite number within a range. */
export function number(description: string, range: Range = {}): Shape<number> {
  return numeric(description, range, "number");
}

function numeric(description: string, range: Range, type: "integer" | "number"): Shape<number> {
  const { least, most, above } = range;
  const bounds = [
    ...(least === undefined ? [] : [`at least ${least}`]),
    ...(above === undefined ? [] : [`above ${above}`]),
    ...(most === undefined ? [] : [`at most ${most}`]),
  ].join(" and ");
  const expected = `a ${type === "integer" ? "whole number" : "number"}${bounds && ` ${bounds}`}`;
  const isFine = (value: number): boolean =>
    Number.isFinite(value) &&
    (type === "number" || Number.isSafeInteger(value)) &&
    value >= (least ?? Number.NEGATIVE_INFINITY) &&
    value <= (most ?? Number.POSITIVE_INFINITY) &&
    value > (above ?? Number.NEGATIVE_INFINITY);
  return {
    schema: {
      ...{ description, type },
      ...(least !== undefined && { minimum: least }),
      ...(most !== undefined && { maximum: most }),
      ...(above !== undefined && { exclusiveMinimum: above }),
    },
    validate(value, at) {
      if (typeof value === "number" && isFine(value)) return [];
      const message = `${print(value)} is not ${expected}.`;
      return [problem("bad_number", at, { message, hint: `Give ${expected}. ${description}` })];
    },
  };
}

/** One of these texts. */
export function oneOf<const T extends string>(
  description: string,
  values: readonly T[],
  code: string = "unknown_value",
): Shape<T> {
  const listed = values.map((value) => JSON.stringify(value)).join(", ");
  return {
    schema: { description, enum: values },
    validate(value, at) {
      if ((values as readonly Json[]).includes(value)) return [];
      const meant = typeof value === "string" ? closest(value, values) : undefined;
      const hint = meant === undefined ? `Use one of ${listed}.` : `Did you mean ${JSON.stringify(meant)}?`;
      return [problem(code, at, { message: `${print(value)} is not one of ${listed}.`, hint })];
    },
  };
}

/** Either of two shapes: objects are for the second, everything else for the first. */
export function textOrObject<A, B>(text: Shape<A>, other: Shape<B>): Shape<A | B> {
  return {
    schema: { description: text.schema["description"] ?? "", anyOf: [text.schema, other.schema] },
    validate(value, at) {
      return isJsonObject(value) ? other.validate(value, at) : text.validate(value, at);
    },
  };
}

/** Any JSON object. */
export function anyObject(description: string): Shape<JsonObject> {
  return {
    schema: { description, type: "object" },
    validate(value, at) {
      return isJsonObject(value) ? [] : [wrongType(value, at, "an object")];
    },
  };
}

/** A shape that contains itself; its JSON Schema says no more than that it is an object. */
export function lazy<T>(description: string, shape: () => Shape<T>): Shape<T> {
  return {
    schema: { description, type: "object" },
    validate: (value, at) => shape().validate(value, at),
  };
}

/** Any JSON. */
export function anything(description: string): Shape<Json> {
  return { schema: { description }, validate: () => [] };
}

/** Says whether none of these issues is an error. */
export function passes(issues: readonly Issue[]): boolean {
  return issues.every(({ severity }) => severity !== "error");
}
