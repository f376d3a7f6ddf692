/**
 * A script is what a scripted agent says and does: a list of turns for each node, materia or role.
 *
 * An output that is a text is the final message, and any other value is printed as JSON into it. An object with
 * the key `$` steers instead: it can also send, ask, write, wait, fail, finish and say what the turn cost.
 */

import type { Issue } from "../base/issue.ts";
import { pointer } from "../base/issue.ts";
import { isJsonObject, type Json } from "../base/json.ts";
import { NO_USAGE, type StagedSend, type Usage } from "./agent.ts";
import {
  amount,
  anything,
  count,
  kindOf,
  list,
  may,
  must,
  object,
  type Shape,
  suggest,
  text,
  truth,
  wrong,
} from "./shape.ts";

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
  if (!isJsonObject(json)) {
    const message = `A script is an object that maps nodes to lists of outputs; this is ${kindOf(json)}.`;
    const hint = 'Write { "node": ["first output", "second output"] }.';
    return { ok: false, issues: [{ severity: "error", code: "wrong_type", pointer: "", message, hint }] };
  }
  const issues: Issue[] = [];
  const script = new Map<string, ScriptList>();
  for (const [key, value] of Object.entries(json)) {
    const read = scriptList(value, pointer(key), issues);
    if (read !== undefined) script.set(key, read);
  }
  return issues.length > 0 ? { ok: false, issues } : { ok: true, script };
}

const scriptList: Shape<ScriptList> = (value, at, issues) => {
  if (Array.isArray(value)) {
    const turns = OUTPUTS(value, at, issues);
    return turns && { turns, repeats: false };
  }
  if (isJsonObject(value)) {
    const read = REPEATABLE(value, at, issues);
    return read && { turns: read.outputs, repeats: read.repeat ?? false };
  }
  const message = `The outputs of a node are a list, one for each turn; this is ${kindOf(value)}.`;
  const hint = 'Put it into a list, or write { "outputs": […], "repeat": true }.';
  return wrong(issues, { code: "wrong_type", pointer: at, message, hint });
};

const output: Shape<ScriptedTurn> = (value, at, issues) => {
  if (!isJsonObject(value) || !Object.hasOwn(value, "$")) return turnOf({ text: printed(value) });
  const { $: verb } = value;
  if (verb === "turn") {
    const read = STEERING(value, at, issues);
    return read && turnOf(read);
  }
  const message = `${JSON.stringify(verb)} steers nothing: the only value of "$" is "turn".`;
  const hint = typeof verb === "string" ? suggest(verb, ["turn"]) : 'Write "$": "turn".';
  return wrong(issues, { code: "unknown_steering", pointer: `${at}/$`, message, hint });
};

const OUTPUTS: Shape<readonly ScriptedTurn[]> = list(output);

const REPEATABLE = object<{ readonly outputs: readonly ScriptedTurn[]; readonly repeat?: boolean }>({
  outputs: must(OUTPUTS),
  repeat: may(truth),
});

/** A steering object as it stands in the file. */
interface Steering {
  readonly $?: string;
  readonly text?: string;
  readonly sends?: readonly StagedSend[];
  readonly ask?: { readonly title: string; readonly args?: Json };
  readonly usage?: { readonly tokens?: number; readonly costUsd?: number | null };
  readonly delayMs?: number;
  readonly fail?: string;
  readonly write?: readonly ScriptedWrite[];
  readonly finish?: { readonly ok: boolean; readonly summary?: string };
}

const WRITE = object<ScriptedWrite>({ path: must(text), content: must(text) });
const WRITES = list(WRITE);
const COST: Shape<number | null> = (value, at, issues) => (value === null ? null : amount(value, at, issues));

const STEERING = object<Steering>({
  $: must(text),
  text: may((value) => printed(value)),
  sends: may(list(object<StagedSend>({ to: must(text), message: must(text), structured: may(anything) }))),
  ask: may(object({ title: must(text), args: may(anything) })),
  usage: may(object({ tokens: may(count), costUsd: may(COST) })),
  delayMs: may(amount),
  fail: may(text),
  write: may((value, at, issues) => {
    if (Array.isArray(value)) return WRITES(value, at, issues);
    const one = WRITE(value, at, issues);
    return one && [one];
  }),
  finish: may(object({ ok: must(truth), summary: may(text) })),
});

/** Fills in what the author left out. What a script costs is known: nothing, unless it says otherwise. */
function turnOf({
  text = "",
  sends = [],
  write = [],
  ask,
  usage,
  delayMs = 0,
  fail,
  finish,
}: Steering): ScriptedTurn {
  const turn: ScriptedTurn = { text, sends, writes: write, delayMs, usage: { ...NO_USAGE, ...usage } };
  return {
    ...turn,
    ...(ask && { ask: { title: ask.title, args: ask.args ?? {} } }),
    ...(fail !== undefined && { fail }),
    ...(finish && { finish: { ok: finish.ok, summary: finish.summary ?? "" } }),
  };
}

function printed(value: Json): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
