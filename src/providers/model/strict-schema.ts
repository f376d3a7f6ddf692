/**
 * A strict schema is what model APIs hold an answer to: every field is there, and one that may be absent may be null.
 *
 * 1. What such a schema cannot say, such as "anything", makes the whole of it one that no model is held to.
 * 2. Lengths and patterns are left out: not every API knows them, and the answer is validated afterwards anyway.
 */

import { isJsonObject, type Json, type JsonObject } from "../../base/json.ts";

const KEPT = ["type", "description", "enum", "const"];

/** The strict form of a schema; nothing when it has none (1). */
export function strictSchema(schema: JsonObject): JsonObject | undefined {
  const kept = Object.fromEntries(
    KEPT.flatMap((key) => (Object.hasOwn(schema, key) ? [[key, schema[key] as Json]] : [])),
  );
  if (Array.isArray(schema["anyOf"])) {
    const inner = schema["anyOf"].map((one: Json) => (isJsonObject(one) ? strictSchema(one) : undefined));
    return inner.includes(undefined) ? undefined : { ...kept, anyOf: inner as Json[] }; // each is there
  }
  if (isJsonObject(schema["properties"])) return strictObject(schema, schema["properties"], kept);
  if (schema["type"] === "array") {
    const items = isJsonObject(schema["items"]) ? strictSchema(schema["items"]) : undefined;
    return items && { ...kept, items };
  }
  const isKnown =
    schema["type"] !== undefined ? schema["type"] !== "object" : "enum" in schema || "const" in schema;
  return isKnown ? kept : undefined;
}

function strictObject(schema: JsonObject, properties: JsonObject, kept: JsonObject): JsonObject | undefined {
  const fields: [string, JsonObject][] = [];
  for (const [name, field] of Object.entries(properties)) {
    const strict = isJsonObject(field) ? strictSchema(field) : undefined;
    if (strict === undefined) return undefined;
    fields.push([name, isRequired(schema, name) ? strict : { anyOf: [strict, { type: "null" }] }]);
  }
  const names = fields.map(([name]) => name);
  return { ...kept, properties: Object.fromEntries(fields), required: names, additionalProperties: false };
}

/** An answer to the strict form in the words of the schema itself: `null` for what may be absent goes away. */
export function fromStrict(value: Json, schema: JsonObject): Json {
  if (Array.isArray(value)) {
    const { items } = schema;
    return isJsonObject(items) ? value.map((item: Json) => fromStrict(item, items)) : value;
  }
  const { properties } = schema;
  if (!isJsonObject(value) || !isJsonObject(properties)) return value;
  const fields = Object.entries(value).flatMap(([name, field]): [string, Json][] => {
    const inner = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (!isJsonObject(inner)) return [[name, field]];
    return field === null && !isRequired(schema, name) ? [] : [[name, fromStrict(field, inner)]];
  });
  return Object.fromEntries(fields);
}

function isRequired({ required }: JsonObject, name: string): boolean {
  return Array.isArray(required) && required.includes(name);
}
