/** The reference of a file format as a page: what its JSON Schema says, in tables. */

import { isJsonObject, type Json, type JsonObject } from "../../src/base/json.ts";

/** One section for the file and for each object in it, in document order. */
export function referenceOf(schema: JsonObject): string {
  return sectionsOf("The file", schema).join("\n\n");
}

function sectionsOf(title: string, schema: JsonObject): string[] {
  const fields = objectIn(schema["properties"]);
  const required = Array.isArray(schema["required"]) ? (schema["required"] as readonly Json[]) : [];
  const rows = Object.entries(fields).map(([name, field]) => {
    const inner = objectIn(field);
    const { description = "" } = inner;
    return `| \`${name}\` | ${typeOf(inner)} | ${required.includes(name) ? "yes" : ""} | ${cell(description)} |`;
  });
  const table = ["| Field | Value | Needed | |", "|---|---|---|---|", ...rows].join("\n");
  const parts = Object.entries(fields).flatMap(([name, field]) => {
    const inner = partOf(objectIn(field));
    return inner === undefined
      ? []
      : sectionsOf(inner.isEach ? `Each of \`${name}\`` : `\`${name}\``, inner.schema);
  });
  return [`## ${title}`, String(schema["description"] ?? ""), table, ...parts].filter((part) => part !== "");
}

/** The object with fields that a field holds: itself, each of its items, or the last of its alternatives. */
function partOf(field: JsonObject): { readonly schema: JsonObject; readonly isEach: boolean } | undefined {
  const each = field["items"] ?? field["additionalProperties"];
  const alternative = Array.isArray(field["anyOf"]) ? field["anyOf"].at(-1) : undefined;
  const schema = objectIn(each ?? alternative ?? field);
  return isJsonObject(schema["properties"]) ? { schema, isEach: each !== undefined } : undefined;
}

function typeOf(field: JsonObject): string {
  const {
    type,
    enum: values,
    items,
    additionalProperties: each,
    anyOf,
    minimum,
    exclusiveMinimum,
    maximum,
  } = field;
  if (Array.isArray(values)) return values.map((value: Json) => `\`${JSON.stringify(value)}\``).join(" · ");
  if (Array.isArray(anyOf)) return anyOf.map((one: Json) => typeOf(objectIn(one))).join(" · ");
  if (items !== undefined) return `list of ${typeOf(objectIn(items))}`;
  if (each !== undefined) return `object of ${typeOf(objectIn(each))}`;
  const bounds = [
    ...(minimum === undefined ? [] : [`from ${JSON.stringify(minimum)}`]),
    ...(exclusiveMinimum === undefined ? [] : [`above ${JSON.stringify(exclusiveMinimum)}`]),
    ...(maximum === undefined ? [] : [`to ${JSON.stringify(maximum)}`]),
  ];
  return [String(type ?? "any"), ...bounds].join(" ");
}

function objectIn(value: Json | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

/** A text as part of a table row. */
function cell(text: Json): string {
  return String(text).replaceAll("|", "\\|").replaceAll("\n", " ");
}
