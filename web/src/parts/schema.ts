/** What a form needs to know of a JSON Schema: the kind of field, what it begins with, and what is still missing. */

import { isJsonObject, type Json, type JsonObject, sameJson } from "../model/baton.ts";

type Kind = "choice" | "boolean" | "number" | "string" | "object" | "array" | "any";

export function typeOf(schema: Json): Json | undefined {
  const type = isJsonObject(schema) ? schema["type"] : undefined;
  return Array.isArray(type) ? (type as readonly Json[]).find((one) => one !== "null") : type;
}

export function kindOf(schema: Json): Kind {
  if (choicesOf(schema).length > 0) return "choice";
  const type = typeOf(schema);
  if (type === "integer" || type === "number") return "number";
  if (type === "string" || type === "boolean" || type === "array") return type;
  return type === "object" && Object.keys(propertiesOf(schema)).length > 0 ? "object" : "any";
}

export function choicesOf(schema: Json): readonly Json[] {
  if (!isJsonObject(schema)) return [];
  if ("const" in schema) return [schema["const"] as Json];
  return Array.isArray(schema["enum"]) ? (schema["enum"] as readonly Json[]) : [];
}

export function propertiesOf(schema: Json): JsonObject {
  const properties = isJsonObject(schema) ? schema["properties"] : undefined;
  return isJsonObject(properties) ? properties : {};
}

export function requiredOf(schema: Json): readonly Json[] {
  const required = isJsonObject(schema) ? schema["required"] : undefined;
  return Array.isArray(required) ? (required as readonly Json[]) : [];
}

/** What a form begins with. */
export function initialOf(schema: Json): Json {
  if (isJsonObject(schema) && schema["default"] !== undefined) return schema["default"];
  switch (kindOf(schema)) {
    case "choice":
      return choicesOf(schema).length === 1 ? (choicesOf(schema)[0] as Json) : null;
    case "boolean":
      return false;
    case "string":
      return "";
    case "array":
      return [];
    case "object": {
      const required = requiredOf(schema);
      const parts = Object.entries(propertiesOf(schema)).filter(([name]) => required.includes(name));
      return Object.fromEntries(parts.map(([name, inner]) => [name, initialOf(inner)]));
    }
    case "number":
      return null;
    default:
      return "";
  }
}

/** What is still missing. The studio checks the rest, and says so. */
export function misfits(schema: Json, value: Json, name = "The answer"): readonly string[] {
  switch (kindOf(schema)) {
    case "choice":
      return choicesOf(schema).some((choice) => sameJson(choice, value)) ? [] : [`${name}: choose one.`];
    case "number":
      return typeof value === "number" ? [] : [`${name}: a number is wanted.`];
    case "array":
      return (Array.isArray(value) ? (value as readonly Json[]) : []).flatMap((item, index) =>
        misfits((schema as JsonObject)["items"] ?? {}, item, `${name} ${index + 1}`),
      );
    case "object": {
      const held = isJsonObject(value) ? value : {};
      const required = requiredOf(schema);
      return Object.entries(propertiesOf(schema)).flatMap(([key, inner]) =>
        Object.hasOwn(held, key) || required.includes(key) ? misfits(inner, held[key] ?? null, key) : [],
      );
    }
    default:
      return [];
  }
}
