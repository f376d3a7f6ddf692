/**
 * Checks an answer against the JSON Schema of its question: types, enumerations, properties, items and bounds.
 * Keywords that it does not know do not constrain.
 */

import { isJsonObject, type Json, type JsonObject, sameJson } from "../../base/json.ts";

/** The first thing in a value that a schema does not allow, in one sentence; `undefined` when there is none. */
export function misfit(value: Json, schema: Json, at: string = "the answer"): string | undefined {
  if (schema === false) return `${at} is not allowed.`;
  if (!isJsonObject(schema)) return undefined;
  for (const rule of RULES) {
    const problem = rule(value, schema, at);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

type Rule = (value: Json, schema: JsonObject, at: string) => string | undefined;

const RULES: readonly Rule[] = [
  (value, { type }, at) => {
    const types =
      typeof type === "string" ? [type] : Array.isArray(type) ? (type as readonly Json[]) : undefined;
    if (types === undefined || types.some((name) => isOfType(value, name))) return undefined;
    return `${at} should be of type ${types.join(" or ")}.`;
  },
  (value, { enum: values, const: only }, at) => {
    const allowed = Array.isArray(values)
      ? (values as readonly Json[])
      : only === undefined
        ? undefined
        : [only];
    if (allowed === undefined || allowed.some((one) => sameJson(one, value))) return undefined;
    return `${at} should be ${allowed.map((one) => JSON.stringify(one)).join(" or ")}.`;
  },
  (value, { minLength, maxLength, minimum, maximum, minItems, maxItems }, at) => {
    if (typeof value === "string") return bounds(value.length, [minLength, maxLength], `${at} in characters`);
    if (typeof value === "number") return bounds(value, [minimum, maximum], at);
    return Array.isArray(value) ? bounds(value.length, [minItems, maxItems], `${at} in items`) : undefined;
  },
  (value, { properties, required, additionalProperties }, at) => {
    if (!isJsonObject(value)) return undefined;
    const known = isJsonObject(properties) ? properties : {};
    const needed = Array.isArray(required) ? (required as readonly Json[]) : [];
    const missing = needed.find((name) => typeof name === "string" && !Object.hasOwn(value, name));
    if (missing !== undefined) return `${at} should have ${String(missing)}.`;
    return first(Object.entries(value), ([name, inner]) => {
      const schema = Object.hasOwn(known, name) ? known[name] : (additionalProperties ?? true);
      return misfit(inner, schema as Json, `${at}.${name}`);
    });
  },
  (value, { items }, at) => {
    if (!Array.isArray(value) || items === undefined) return undefined;
    return first((value as readonly Json[]).entries(), ([index, item]) =>
      misfit(item, items, `${at}[${index}]`),
    );
  },
];

function first<T>(values: Iterable<T>, problemOf: (value: T) => string | undefined): string | undefined {
  for (const value of values) {
    const problem = problemOf(value);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function isOfType(value: Json, type: Json): boolean {
  if (type === "null") return value === null;
  if (type === "array") return Array.isArray(value);
  if (type === "object") return isJsonObject(value);
  if (type === "integer") return Number.isInteger(value);
  return typeof value === type;
}

function bounds(
  amount: number,
  [least, most]: readonly (Json | undefined)[],
  at: string,
): string | undefined {
  if (typeof least === "number" && amount < least) return `${at} should be at least ${least}.`;
  return typeof most === "number" && amount > most ? `${at} should be at most ${most}.` : undefined;
}
