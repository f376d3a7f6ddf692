/**
 * A script is what a scripted agent says and does: a list of turns for each node, materia or role.
 *
 * An output that is a text is the final message, and any other value is printed as JSON into it. An object with
 * the key `$` steers instead: it can also send, ask, write, wait, fail, finish and say what the turn cost.
 */

import type { Issue } from "../base/issue.ts";
import { isJsonObject, type Json } from "../base/json.ts";
import { object, optional } from "../base/object-shape.ts";
import * as shape from "../base/shape.ts";
import { NO_USAGE, type StagedSend, type Usage } from "./agent.ts";

/** Lists by the name of their node, materia or role. */
export type Script = ReadonlyMap<string, ScriptList>;

export interface ScriptList {
  /** One for each turn, in order. */
  readonly turns: readonly ScriptedTurn[];
  /** True when the list starts again after its end. */
  readonly repeats: boolean;
}

export interface ScriptedTurn {
  /** The final message. */
  readonly text: string;
  readonly sends: readonly StagedSend[];
  readonly writes: readonly ScriptedWrite[];
  /** What a person must approve before the turn writes and sends. */
  readonly ask?: { readonly title: string; readonly args: Json };
  readonly finish?: { readonly ok: boolean; readonly summary: string };
  /** Why the turn fails, if it does. */
  readonly fail?: string;
  /** How long the turn takes, in milliseconds. */
  readonly delayMs: number;
  readonly usage: Usage;
}

export interface ScriptedWrite {
  /** Relative to the working folder. */
  readonly path: string;
  readonly content: string;
}

export type ParsedScript =
  | { readonly ok: true; readonly script: Script }
  | { readonly ok: false; readonly issues: readonly Issue[] };

/** Reads a whole script file and reports everything that is wrong in it at once. */
export function parseScript(json: Json): ParsedScript {
  const issues = SCRIPT.validate(json, "");
  if (issues.length > 0) return { ok: false, issues };
  const lists = Object.entries(json as Readonly<Record<string, ListInFile>>); // it passed
  return { ok: true, script: new Map(lists.map(([name, list]) => [name, listOf(list)])) };
}

/** A steering object as it stands in the file. */
interface Steering {
  readonly $: "turn";
  readonly text?: Json;
  readonly sends?: readonly StagedSend[];
  readonly ask?: { readonly title: string; readonly args?: Json };
  readonly usage?: { readonly tokens?: number; readonly costUsd?: number | null };
  readonly delayMs?: number;
  readonly fail?: string;
  readonly write?: ScriptedWrite | readonly ScriptedWrite[];
  readonly finish?: { readonly ok: boolean; readonly summary?: string };
}

type ListInFile = readonly Json[] | { readonly outputs: readonly Json[]; readonly repeat?: boolean };

const STRICT = { unknown: { severity: "error" } } as const;

const WRITE = object<ScriptedWrite>(
  "A file to write.",
  { path: shape.string("Where, relative to the working folder."), content: shape.string("The whole file.") },
  STRICT,
);

const SEND = object<StagedSend>(
  "A message to another node.",
  {
    to: shape.string("The node."),
    message: shape.string("What it is told."),
    structured: optional(shape.anything("Data beside the message.")),
    artifacts: optional(shape.array("What the message refers to.", artifact())),
  },
  STRICT,
);

function artifact(): shape.Shape<{ readonly kind: string; readonly ref: string }> {
  return object(
    "A stored text.",
    { kind: shape.string("Its kind."), ref: shape.string("Its address.") },
    STRICT,
  );
}

const COST: shape.Shape<number | null> = {
  schema: { description: "US dollars; null when unknown.", type: ["number", "null"], minimum: 0 },
  validate: (value, at) =>
    value === null ? [] : shape.number("US dollars.", { least: 0 }).validate(value, at),
};

const STEERING = object<Steering>(
  "What a turn says and does.",
  {
    $: shape.oneOf('The only steering is "turn".', ["turn"], "unknown_steering"),
    text: optional(shape.anything("The final message; what is no text is printed as JSON.")),
    sends: optional(shape.array("Messages to other nodes.", SEND)),
    ask: optional(
      object(
        "What a person must approve before the turn writes and sends.",
        {
          title: shape.string("What is asked."),
          args: optional(shape.anything("What exactly would be done.")),
        },
        STRICT,
      ),
    ),
    usage: optional(
      object(
        "What the turn cost.",
        { tokens: optional(shape.integer("Tokens.", { least: 0 })), costUsd: optional(COST) },
        STRICT,
      ),
    ),
    delayMs: optional(shape.number("How long the turn takes, in milliseconds.", { least: 0 })),
    fail: optional(shape.string("Why the turn fails.")),
    write: optional(shape.textOrObject(shape.array("Files to write.", WRITE), WRITE)),
    finish: optional(
      object(
        "Closes the goal.",
        { ok: shape.boolean("Whether it was reached."), summary: optional(shape.string("How.")) },
        STRICT,
      ),
    ),
  },
  STRICT,
);

/** Any JSON; an object with the key `$` steers. */
const OUTPUT: shape.Shape<Json> = {
  schema: { description: "The output of one turn: a text, any other JSON, or an object with $ that steers." },
  validate: (value, at) => (steers(value) ? STEERING.validate(value, at) : []),
};

const OUTPUTS = shape.array("Outputs, one for each turn.", OUTPUT);

const LIST = shape.textOrObject(
  OUTPUTS,
  object(
    "Outputs that may start again.",
    { outputs: OUTPUTS, repeat: optional(shape.boolean("Whether the list starts again after its end.")) },
    STRICT,
  ),
);

const SCRIPT = shape.record("Lists of outputs by node, materia or role.", LIST);

function steers(value: Json): boolean {
  return isJsonObject(value) && Object.hasOwn(value, "$");
}

function listOf(list: ListInFile): ScriptList {
  if (!("outputs" in list)) return { turns: list.map(turnOf), repeats: false };
  return { turns: list.outputs.map(turnOf), repeats: list.repeat ?? false };
}

/** Fills in what the author left out. What a script costs is known: nothing, unless it says otherwise. */
function turnOf(output: Json): ScriptedTurn {
  const steering = (steers(output) ? output : { $: "turn", text: output }) as unknown as Steering; // it passed
  const { text = "", sends = [], write = [], ask, usage, delayMs = 0, fail, finish } = steering;
  return {
    ...{ text: printed(text), sends, delayMs, usage: { ...NO_USAGE, ...usage } },
    writes: "path" in write ? [write] : write,
    ...(ask && { ask: { title: ask.title, args: ask.args ?? {} } }),
    ...(fail !== undefined && { fail }),
    ...(finish && { finish: { ok: finish.ok, summary: finish.summary ?? "" } }),
  };
}

function printed(value: Json): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
