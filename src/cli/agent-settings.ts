/** Agent settings are what the `agents` section of a config says of real agents: how one is started, and what it may do. */

import type { Issue } from "../base/issue.ts";
import { assign, isJsonObject, type Json, type JsonObject } from "../base/json.ts";
import {
  array,
  integer,
  object,
  objectOf,
  oneOf,
  optional,
  passes,
  record,
  type Shape,
  string,
} from "../base/shape.ts";
import { Misuse } from "./misuse.ts";

export interface AgentSettings {
  /** The agent that Baton knows under this name; that of the entry when absent. */
  readonly is?: string;
  /** The program and its arguments, in place of what Baton knows. */
  readonly command?: readonly string[];
  /** Names of variables that are passed on to it besides those that it needs anyway. */
  readonly env?: readonly string[];
  /** The model, where neither materia nor node names one. */
  readonly model?: string;
  /** Who decides on a kind of tool call: nobody, a person, or nobody since it is not done. */
  readonly permissions?: { readonly [kind: string]: "allow" | "ask" | "deny" };
  /** How long a turn may take from one decision of a person to the next, in milliseconds; an hour when absent. */
  readonly turnMs?: number;
}

/** A misspelt permission would silently not be one, so unknown fields are errors. */
const STRICT = { unknown: { severity: "error" } } as const;

const verdict = oneOf("Who decides.", ["allow", "ask", "deny"]);
const KINDS = [
  ...["read", "search", "think", "fetch", "edit", "delete", "move", "execute", "switch_mode", "other"],
] as const;

const settings: Shape<AgentSettings> = object(
  "A real agent.",
  {
    is: optional(string("The agent that Baton knows under this name.", { filled: true })),
    command: optional(array("The program and its arguments.", string("A word.", { filled: true }))),
    env: optional(array("Variables to pass on.", string("A name.", { filled: true }))),
    model: optional(string("The model.", { filled: true })),
    permissions: optional(
      objectOf(
        "Who decides on each kind of tool call.",
        Object.fromEntries(KINDS.map((kind) => [kind, optional(verdict)])),
        STRICT,
      ) as Shape<NonNullable<AgentSettings["permissions"]>>, // the fields are verdicts
    ),
    turnMs: optional(integer("The most milliseconds of a turn.", { least: 1 })),
  },
  STRICT,
);

const section = record("Agents by name.", settings);

/** The agents that configs speak of; a later config replaces what an earlier one says of an agent, field by field. */
export function agentsIn(
  configs: readonly { readonly json: JsonObject; readonly path: string }[],
): ReadonlyMap<string, AgentSettings> {
  const agents = new Map<string, AgentSettings>();
  for (const { json, path } of configs) {
    const { agents: named } = json;
    if (named === undefined) continue;
    const issues: readonly Issue[] = section.validate(named, "/agents");
    if (!passes(issues)) {
      throw new Misuse("invalid_definition", `${path} sets up agents in a way that cannot be.`, { issues });
    }
    // The shape has passed.
    for (const [name, one] of Object.entries(named as unknown as Record<string, AgentSettings>)) {
      agents.set(name, { ...agents.get(name), ...one });
    }
  }
  return agents;
}

/** A config without its agents: the rest of it is for loadouts. */
export function withoutAgents(json: JsonObject): JsonObject {
  const rest: Record<string, Json> = {};
  for (const [key, value] of Object.entries(json)) if (key !== "agents") assign(rest, key, value);
  return rest;
}

/** Says whether a config sets up agents. */
export function setsUpAgents(json: Json): boolean {
  return isJsonObject(json) && Object.hasOwn(json, "agents");
}
