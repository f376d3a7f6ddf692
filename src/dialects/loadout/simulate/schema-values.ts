/** Values that fit a JSON Schema, as far as the check of answers knows its keywords. */

import { isJsonObject, type Json } from "../../../base/json.ts";

/** How deep a schema is followed; schemas of answers are plain data and never go in circles. */
const DEEPEST = 8;

/** A few values of different kinds that a schema may take; whether one does is for the check to say. */
export function valuesOf(schema: Json, depth: number = 0): Json[] {
  if (!isJsonObject(schema) || depth > DEEPEST) return [];
  const { enum: listed, const: only, type } = schema;
  if (only !== undefined) return [only];
  if (Array.isArray(listed)) return [...(listed as readonly Json[])];
  const types = Array.isArray(type) ? (type as readonly Json[]) : [type ?? typeBy(schema)];
  return types.flatMap((name) => valuesOfType(name, schema, depth));
}

function typeBy({ properties, items }: { readonly [key: string]: Json }): Json {
  return properties !== undefined ? "object" : items !== undefined ? "array" : "string";
}

function valuesOfType(type: Json, schema: { readonly [key: string]: Json }, depth: number): Json[] {
  const { properties, required, items = true, minItems, minLength, minimum, maximum } = schema;
  switch (type) {
    case "boolean":
      return [true, false];
    case "null":
      return [null];
    case "integer":
    case "number":
      return [...new Set([minimum, maximum].filter((bound) => typeof bound === "number"))].concat(
        minimum === undefined && maximum === undefined ? [1] : [],
      );
    case "array": {
      const count = typeof minItems === "number" ? minItems : 1;
      const [first = "…"] = valuesOf(items, depth + 1);
      return [Array.from({ length: count }, () => first)];
    }
    case "object": {
      const known = Object.entries(isJsonObject(properties) ? properties : {});
      const needed = Array.isArray(required) ? (required as readonly Json[]) : [];
      const filled = known.flatMap(([name, inner]) => {
        const [value] = valuesOf(inner, depth + 1);
        return value === undefined ? [] : [[name, value] as const];
      });
      const least = filled.filter(([name]) => needed.includes(name));
      return [Object.fromEntries(filled), Object.fromEntries(least)];
    }
    default:
      return ["Simulated.".padEnd(typeof minLength === "number" ? minLength : 0, ".")];
  }
}
