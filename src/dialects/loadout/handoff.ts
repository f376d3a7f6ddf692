/**
 * A handoff contract says what one socket may hand on. The validator, the JSON Schema, the output-format part of the
 * prompt and the message that asks for a repair all come from its shape.
 */

import { type Issue, pointer } from "../../base/issue.ts";
import type { Json, JsonObject } from "../../base/json.ts";
import { type Optional, object, objectOf, optional } from "../../base/object-shape.ts";
import { anyObject, anything, array, boolean, type Shape, string } from "../../base/shape.ts";
import type { Materia, Parse, Socket } from "./definition.ts";
import { assignmentsOf, isGenerator, parseOf, readsSatisfied, typeOf } from "./facts.ts";
import { parseSource, readPath } from "./path.ts";

/** What a socket may say, as plain data: a question carries it to the person who answers. */
export interface Contract {
  readonly parse: Parse;
  /** Only agents and people are held to the named fields; a utility may give others, and a patch of the state. */
  readonly author: "model" | "utility";
  readonly satisfied: "required" | "optional";
  readonly workItems: "required" | "optional";
  /** The paths that `assign` reads, without the `$`. */
  readonly reads: readonly (readonly string[])[];
}

export function contractOf(socket: Socket, materia: Materia): Contract {
  const sources = Object.values(assignmentsOf(socket, materia)).map(parseSource);
  return {
    parse: parseOf(socket, materia),
    author: typeOf(materia) === "utility" ? "utility" : "model",
    satisfied: readsSatisfied(socket) ? "required" : "optional",
    workItems: isGenerator(materia) ? "required" : "optional",
    reads: sources.flatMap((path) => (path?.root === "$" && path.keys.length > 0 ? [path.keys] : [])),
  };
}

/** The field that somebody meant who wrote another. */
const CANONICAL: Readonly<Record<string, string>> = {
  ...named("satisfied", "passed", "pass", "ok", "success", "approved", "done", "verdict"),
  ...named("workItems", "tasks", "task", "work", "items", "steps", "workitems", "work_items"),
  ...named(
    "context",
    "feedback",
    "summary",
    "guidance",
    "decisions",
    "risks",
    "missing",
    "reason",
    "failure",
  ),
  ...named("context", "rework", "notes", "message", "explanation", "details"),
};

function named(field: string, ...others: readonly string[]): Record<string, string> {
  return Object.fromEntries(others.map((other) => [other, field]));
}

const workItem: Shape = object(
  "A unit of work.",
  {
    title: string("What is to be done, in one line.", { filled: true }),
    context: string("All that somebody needs to know to do it.", { filled: true }),
  },
  { unknown: { severity: "error", hint: () => "A work item has title and context and nothing else." } },
);

/** The shape of what a socket may say. */
export function handoffShape({ author, satisfied, workItems, reads }: Contract): Shape {
  const own = reads.map(([field = ""]) => [field, anything("Read by this step.")] as const);
  const fields: Record<string, Shape | Optional<unknown>> = {
    ...Object.fromEntries(own),
    ...(author === "utility" && { state: optional(statePatch) }),
    workItems: needed(workItems, array("The units of work, in the order of doing.", workItem)),
    satisfied: needed(
      satisfied,
      boolean("true when the work is as it should be, false when it needs follow-up."),
    ),
    context: optional(
      string("What those who work after you need to know; after false, what to do about it."),
    ),
  };
  return objectOf("The output.", fields, { unknown: { severity: "error", hint } });
}

function needed(need: "required" | "optional", shape: Shape): Shape | Optional<unknown> {
  return need === "required" ? shape : optional(shape);
}

const statePatch: Shape = {
  ...anyObject("Merged into the state of the run."),
  validate(value, at) {
    const issues = anyObject("").validate(value, at);
    if (issues.length > 0) return issues;
    return ["workItems", "satisfied"]
      .filter((field) => Object.hasOwn(value as JsonObject, field))
      .map((field) => ({
        severity: "error",
        code: "control_in_state",
        pointer: at + pointer(field),
        message: `state.${field} steers the run and is no state.`,
        hint: `Give ${field} at the top level.`,
      }));
  },
};

function hint(name: string): string {
  if (name === "state") return "Only utilities may patch the state.";
  const meant = Object.hasOwn(CANONICAL, name) ? CANONICAL[name] : undefined;
  return meant === undefined ? "Leave it out." : `Use ${meant} instead.`;
}

/** What is wrong with an output; nothing when it is as it should be. */
export function handoffIssues(contract: Contract, output: JsonObject): Issue[] {
  const issues = handoffShape(contract).validate(output, "");
  const isOpen = contract.author === "utility";
  const found = isOpen
    ? issues.filter(({ code, pointer: at }) => code !== "unknown_field" || at.slice(1).includes("/"))
    : issues;
  const seen = new Set(found.map(({ pointer: at }) => at));
  for (const keys of contract.reads) {
    const at = pointer(...keys);
    if (readPath(output, keys) !== undefined || seen.has(at) || seen.has(pointer(keys[0] ?? ""))) continue;
    const message = `${keys.join(".")} is missing.`;
    found.push({
      severity: "error",
      code: "missing_field",
      pointer: at,
      message,
      hint: "This step reads it.",
    });
  }
  return found;
}

/** The part of a prompt that says what to answer with. Text needs no format. */
export function outputFormat(contract: Contract): string | undefined {
  if (contract.parse === "text") return undefined;
  const { properties, required = [] } = handoffShape(contract).schema as {
    properties: Record<string, JsonObject>;
    required?: readonly string[];
  };
  const shown = Object.entries(properties).filter(([field]) => isAskedFor(contract, field));
  const example = Object.fromEntries(shown.map(([field, schema]) => [field, exampleOf(schema)]));
  const lines = shown.map(([field, { description }]) => {
    const need = required.includes(field) ? "required" : "optional";
    return `- ${field} (${need}): ${String(description)}`;
  });
  return [
    "Answer with one JSON object and nothing else: no prose around it, no code fence.",
    JSON.stringify(example),
    ...lines,
    "No other fields are allowed.",
  ].join("\n");
}

/** A socket is only told of the fields that are its business: items are for those who make them. */
function isAskedFor({ workItems, satisfied }: Contract, field: string): boolean {
  if (field === "workItems") return workItems === "required";
  return field !== "satisfied" || satisfied === "required";
}

function exampleOf(schema: JsonObject): Json {
  if (schema.type === "boolean") return true;
  if (schema.type === "string") return "…";
  if (schema.type === "array") return [exampleOf(schema.items as JsonObject)];
  const properties = (schema.properties ?? {}) as Record<string, JsonObject>;
  const entries = Object.entries(properties).map(([field, inner]) => [field, exampleOf(inner)] as const);
  return entries.length > 0 ? Object.fromEntries(entries) : "…";
}

/** The most issues that a repair or a failure lists. */
export const MOST_ISSUES = 8;

/** What is said to an agent whose output cannot be used. */
export function repairMessage(contract: Contract, issues: readonly Issue[]): string {
  const listed = issues.slice(0, MOST_ISSUES).map(({ pointer: at, message, hint: what }) => {
    return `- ${at === "" ? "" : `${at}: `}${message} ${what}`;
  });
  const more = issues.length - listed.length;
  return [
    "Your last answer could not be used:",
    ...listed,
    ...(more > 0 ? [`- and ${more} more.`] : []),
    "",
    "Give the whole answer again, corrected.",
    outputFormat(contract) ?? "",
  ].join("\n");
}
