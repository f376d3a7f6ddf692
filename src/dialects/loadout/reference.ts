/** The reference page of loadout files, in Markdown: written from the shapes that validate them, and from nothing else. */

import { isJsonObject, type Json, type JsonObject } from "../../base/json.ts";
import { type Contract, handoffShape, outputFormat } from "./handoff.ts";
import { configShape, loadoutShape } from "./schema.ts";

/** The whole page. */
export function loadoutReference(): string {
  return [
    "# Loadout files: the reference",
    "",
    "<!-- Written by scripts/schema.ts. Change the shapes in src/dialects/loadout and run `node scripts/schema.ts`. -->",
    "",
    'A file is either a single loadout or a config with several of them. Put `"$schema"` at its top, with the path to `schema/loadout.schema.json` of the package, and an editor completes the fields and shows what is said here.',
    "",
    "A field in **bold** has to be there. A field that this page does not know draws a warning that names the one that was most likely meant.",
    "",
    "## A loadout",
    "",
    ...tables(loadoutShape.schema, ""),
    "## A config",
    "",
    "Its `loadouts` look as above, and take their materia from the config.",
    "",
    ...table(configShape.schema),
    "",
    "## What a socket may say",
    "",
    "Agents and people whose socket parses JSON answer with one object. Besides the fields below it may have those that the socket's own `assign` reads. Utilities may give further fields, and a `state` object that is merged into the state of the run.",
    "",
    ...tables(handoffShape(GENERATOR).schema, "", { required: false }),
    "A generator's prompt ends with this:",
    "",
    ...fenced(GENERATOR),
    "The prompt of a socket with `satisfied` edges ends with this:",
    "",
    ...fenced(JUDGE),
  ].join("\n");
}

const JUDGE: Contract = {
  parse: "json",
  author: "model",
  satisfied: "required",
  workItems: "optional",
  reads: [],
};
const GENERATOR: Contract = { ...JUDGE, satisfied: "optional", workItems: "required" };

function fenced(contract: Contract): string[] {
  return ["```text", outputFormat(contract) ?? "", "```", ""];
}

interface Showing {
  /** Whether required fields are told apart. */
  readonly required: boolean;
}

/** The table of an object, and after it those of the objects in it, each under its path. */
function tables(schema: JsonObject, path: string, showing: Showing = { required: true }): string[] {
  const inner = Object.entries(fieldsOf(schema)).flatMap(([name, field]) => {
    const found = objectIn(field, path === "" ? name : `${path}.${name}`);
    if (found === undefined) return [];
    const heading = `### \`${found.path}\``;
    return [heading, "", text(found.schema.description), "", ...tables(found.schema, found.path, showing)];
  });
  return [...table(schema, showing), "", ...inner];
}

function table(schema: JsonObject, { required }: Showing = { required: true }): string[] {
  const needed = (schema.required ?? []) as readonly string[];
  const rows = Object.entries(fieldsOf(schema)).map(([name, field]) => {
    const shown = required && needed.includes(name) ? `**\`${name}\`**` : `\`${name}\``;
    return `| ${shown} | ${typeOf(field)} | ${text(field.description)} |`;
  });
  return ["| Field | Value | Meaning |", "| --- | --- | --- |", ...rows];
}

function fieldsOf(schema: JsonObject): Readonly<Record<string, JsonObject>> {
  return (isJsonObject(schema.properties) ? schema.properties : {}) as Record<string, JsonObject>;
}

/** The object with fields of its own that a field holds: itself, its items or its entries. */
function objectIn(field: JsonObject, path: string): { schema: JsonObject; path: string } | undefined {
  if (isJsonObject(field.properties)) return { schema: field, path };
  if (isJsonObject(field.items)) return objectIn(field.items, `${path}[]`);
  if (isJsonObject(field.additionalProperties)) return objectIn(field.additionalProperties, `${path}.<id>`);
  const choices = Array.isArray(field.anyOf) ? (field.anyOf as readonly Json[]) : [];
  const object = choices.find((choice) => isJsonObject(choice) && isJsonObject(choice.properties));
  return isJsonObject(object) ? { schema: object, path } : undefined;
}

function typeOf(field: JsonObject): string {
  if (Array.isArray(field.enum)) return field.enum.map((value) => `\`${JSON.stringify(value)}\``).join(", ");
  if (Array.isArray(field.anyOf)) return (field.anyOf as readonly JsonObject[]).map(typeOf).join(", or ");
  switch (field.type) {
    case "array":
      return `list of: ${isJsonObject(field.items) ? typeOf(field.items) : "anything"}`;
    case "object":
      return isJsonObject(field.additionalProperties) ? "object by id" : "object";
    case "integer":
      return `whole number${bounds(field)}`;
    case "number":
      return `number${bounds(field)}`;
    case "string":
      return "text";
    case "boolean":
      return "`true` or `false`";
    default:
      return "anything";
  }
}

function bounds({ minimum, maximum, exclusiveMinimum }: JsonObject): string {
  const parts = [
    ...(minimum === undefined ? [] : [`from ${String(minimum)}`]),
    ...(exclusiveMinimum === undefined ? [] : [`above ${String(exclusiveMinimum)}`]),
    ...(maximum === undefined ? [] : [`to ${String(maximum)}`]),
  ];
  return parts.length === 0 ? "" : ` ${parts.join(" ")}`;
}

function text(value: Json | undefined): string {
  return typeof value === "string" ? value.replaceAll("|", "\\|") : "";
}
