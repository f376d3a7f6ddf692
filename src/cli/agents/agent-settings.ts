/** Agent settings are what the `agents` section of a config says of agents: what they are, and what they may do. */

import type { Issue } from "../../base/issue.ts";
import { assign, isJsonObject, type Json, type JsonObject } from "../../base/json.ts";
import { object, objectOf, optional } from "../../base/object-shape.ts";
import {
  array,
  boolean,
  integer,
  number,
  oneOf,
  passes,
  record,
  type Shape,
  string,
} from "../../base/shape.ts";
import { Misuse } from "../misuse.ts";

/** How an agent is reached. */
export type AgentKind = "acp" | "command" | "model" | "pi";

export interface AgentSettings {
  /** `acp` when absent, and `pi` for the agent of that name. */
  readonly kind?: AgentKind;
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
  /** How long a turn may take from one decision of a person to the next, such as `30m`; an hour when absent. */
  readonly timeout?: string;
  /** How long it may show no sign of life in a turn, such as `5m`. */
  readonly idleTimeout?: string;
  /** What a turn may take. */
  readonly budget?: { readonly tokens: number };
  /** Whose models: `openai-compatible`, `anthropic` and so on, or a package of a provider for the AI SDK. */
  readonly provider?: string;
  /** Where its API is. */
  readonly baseURL?: string;
  /** The variable that holds the key. */
  readonly apiKeyEnv?: string;
  /** What a model is told before everything else. */
  readonly instructions?: string;
  /** Whether a model can be held to a schema. */
  readonly structured?: boolean;
  /** How often a turn is tried again whose model could not be reached, before anything was done. */
  readonly retries?: number;
  /** What a million tokens cost, in US dollars. */
  readonly usdPerMillion?: number;
  /** What a program prints: the final message, or an object in which it stands at `textAt`. */
  readonly output?: "text" | "json";
  readonly textAt?: readonly string[];
  readonly tokensAt?: readonly string[];
  readonly costUsdAt?: readonly string[];
}

/** A misspelt permission would silently not be one, so unknown fields are errors. */
const STRICT = { unknown: { severity: "error" } } as const;

const verdict = oneOf("Who decides.", ["allow", "ask", "deny"]);
const KINDS = [
  ...["read", "search", "think", "fetch", "edit", "delete", "move", "execute", "switch_mode", "other"],
] as const;
const word = string("A word.", { filled: true });
const duration: Shape<string> = {
  schema: {
    description: "A time, such as 90s, 30m or 2h.",
    type: "string",
    pattern: "^\\d+(\\.\\d+)?(ms|s|m|h)$",
  },
  validate(value, at) {
    if (typeof value === "string" && millisecondsIn(value) !== undefined) return [];
    const message = `${JSON.stringify(value)} is no time.`;
    return [
      {
        severity: "error",
        code: "bad_time",
        pointer: at,
        message,
        hint: "Write for example 90s, 30m or 2h.",
      },
    ];
  },
};
const keys = array("Keys that lead to it.", word);

const settings: Shape<AgentSettings> = object(
  "An agent.",
  {
    kind: optional(oneOf("How it is reached.", ["acp", "command", "model", "pi"])),
    is: optional(string("The agent that Baton knows under this name.", { filled: true })),
    command: optional(array("The program and its arguments.", word)),
    env: optional(array("Variables to pass on.", word)),
    model: optional(string("The model.", { filled: true })),
    permissions: optional(
      objectOf(
        "Who decides on each kind of tool call.",
        Object.fromEntries(KINDS.map((kind) => [kind, optional(verdict)])),
        STRICT,
      ) as Shape<NonNullable<AgentSettings["permissions"]>>, // the fields are verdicts
    ),
    timeout: optional(duration),
    idleTimeout: optional(duration),
    budget: optional(object("What a turn may take.", { tokens: integer("Tokens.", { least: 1 }) }, STRICT)),
    provider: optional(string("Whose models.", { filled: true })),
    baseURL: optional(string("Where the API is.", { filled: true })),
    apiKeyEnv: optional(string("The variable that holds the key.", { filled: true })),
    instructions: optional(string("What a model is told before everything else.")),
    structured: optional(boolean("Whether a model can be held to a schema.")),
    retries: optional(
      integer("How often a turn is tried again whose model could not be reached.", { least: 0, most: 10 }),
    ),
    usdPerMillion: optional(number("US dollars for a million tokens.", { least: 0 })),
    output: optional(oneOf("What a program prints.", ["text", "json"])),
    textAt: optional(keys),
    tokensAt: optional(keys),
    costUsdAt: optional(keys),
  },
  STRICT,
);

const section = record("Agents by name.", settings);

type Field = keyof AgentSettings;

/** What means something to each kind, and what it cannot do without. */
const FIELDS: {
  readonly [K in AgentKind]: { readonly takes: readonly Field[]; readonly needs: readonly Field[] };
} = {
  acp: {
    takes: [
      ...(["is", "command", "env", "model", "permissions"] as const),
      ...(["timeout", "idleTimeout", "budget", "retries"] as const),
    ],
    needs: [],
  },
  command: {
    takes: [
      ...(["command", "env", "model", "output", "textAt", "tokensAt", "costUsdAt"] as const),
      ...(["timeout", "budget", "retries"] as const),
    ],
    needs: ["command"],
  },
  model: {
    takes: [
      ...(["provider", "model", "baseURL", "apiKeyEnv", "instructions", "structured", "retries"] as const),
      ...(["permissions", "timeout", "idleTimeout", "budget", "usdPerMillion"] as const),
    ],
    needs: ["provider", "model"],
  },
  pi: {
    takes: [
      ...(["is", "command", "env", "provider", "model", "permissions"] as const),
      ...(["timeout", "idleTimeout", "budget", "retries"] as const),
    ],
    needs: [],
  },
};

interface Config {
  readonly json: JsonObject;
  readonly path: string;
}

/** The agents that configs speak of; a later config replaces what an earlier one says of an agent, field by field. */
export function agentsIn(configs: readonly Config[]): ReadonlyMap<string, AgentSettings> {
  const agents = new Map<string, AgentSettings>();
  for (const config of configs) {
    const { agents: named } = config.json;
    if (named === undefined) continue;
    refuse(config, section.validate(named, "/agents"));
    // The shape has passed.
    for (const [name, one] of Object.entries(named as unknown as Record<string, AgentSettings>)) {
      const merged = { ...agents.get(name), ...one };
      refuse(config, unfitting(name, merged));
      agents.set(name, merged);
    }
  }
  return agents;
}

/** The kind of an entry. */
export function kindOf(name: string, { kind, is = name }: AgentSettings): AgentKind {
  return kind ?? (is === "pi" ? "pi" : "acp");
}

/** A time in milliseconds; nothing when it is none. */
export function millisecondsIn(text: string): number | undefined {
  const [, amount, unit = ""] = /^(\d+(?:\.\d+)?)(ms|s|m|h)$/.exec(text) ?? [];
  const units: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };
  const milliseconds = Number(amount) * (units[unit] ?? 0);
  return milliseconds > 0 ? milliseconds : undefined;
}

function refuse({ path }: Config, issues: readonly Issue[]): void {
  if (passes(issues)) return;
  throw new Misuse("invalid_definition", `${path} sets up agents in a way that cannot be.`, { issues });
}

/** Fields that mean nothing to an agent of its kind, and those that it lacks. */
function unfitting(name: string, one: AgentSettings): readonly Issue[] {
  const kind = kindOf(name, one);
  const { takes, needs } = FIELDS[kind];
  const issue = (field: string, code: string, [message, hint]: readonly [string, string]): Issue => {
    return { severity: "error", code, pointer: `/agents/${name}/${field}`, message, hint };
  };
  const foreign = Object.keys(one).filter((field) => field !== "kind" && !takes.includes(field as Field)); // or it is foreign
  const missing = needs.filter((field) => one[field] === undefined);
  return [
    ...foreign.map((field) =>
      issue(field, "unknown_field", [
        `${field} means nothing to agents of kind ${kind}.`,
        `Known there: ${takes.join(", ")}.`,
      ]),
    ),
    ...missing.map((field) =>
      issue(field, "missing_field", [
        `An agent of kind ${kind} needs ${field}.`,
        `Add ${JSON.stringify(field)}.`,
      ]),
    ),
  ];
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
