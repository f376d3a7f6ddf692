/**
 * A rerun difference is the first place where a node function comes to something else than it did: the node, the step,
 * and what in the state, in where it leads, in what it asks or in how it fails.
 *
 * 1. Writes are compared field by field: in which order a node names its fields means nothing.
 * 2. A failure is compared by its code and its sentence; where in the code it was thrown means nothing.
 */

import { assign, type Json, type JsonObject } from "../../base/json.ts";
import { CONTROL } from "../../dialects/graph/names.ts";
import type { Event, Fact, Write } from "../../kernel/event.ts";
import { factOf, plainFact } from "../../kernel/replay.ts";
import type { Task } from "../../kernel/state.ts";
import { firstDifference } from "../difference.ts";
import { type NodePart, placeOf, type ReplayDifference } from "./replay-difference.ts";

/** What one call of a node came to, part by part. */
type Parts = readonly (readonly [part: NodePart, value: Json])[];

/** Where a call of a node comes to something else now; nothing when it does not. */
export function compareNode(now: Fact | undefined, event: Event, task: Task): ReplayDifference | undefined {
  const then = factOf(event);
  const about = { ...placeOf(event), task: task.id, node: task.node, step: task.step, by: "node" } as const;
  const who = `${task.node}, in step ${task.step},`;
  if (now?.type !== then.type) {
    const message = `${who} ${endOf(then)} then, and ${now === undefined ? "nothing comes of it" : endOf(now)} now.`;
    const expected = now === undefined ? {} : { expected: outlineOf(now) };
    return { ...about, part: "end", path: "", ...expected, recorded: outlineOf(then), message };
  }
  const before = new Map(partsOf(then));
  for (const [part, value] of partsOf(now)) {
    const found = firstDifference(value, before.get(part) ?? null);
    if (found === undefined) continue;
    const { path, left, right } = found;
    const [expected, recorded] = [
      left !== undefined && { expected: left },
      right !== undefined && { recorded: right },
    ];
    const sides = `${printed(right)} then, and ${printed(left)} now`;
    return {
      ...about,
      part,
      path,
      ...expected,
      ...recorded,
      message: `${who} ${SAYS[part](path)} ${sides}.`,
    };
  }
  return undefined;
}

const SAYS: Readonly<Record<NodePart, (path: string) => string>> = {
  end: () => "ended with",
  state: (path) => `writes to ${path || "the state"}:`,
  route: () => "leads to",
  sends: (path) => `sends${at(path)}`,
  halt: (path) => `ends its graph${at(path)} with`,
  questions: (path) => `asks${at(path)}`,
  failure: (path) => `fails with another ${path.slice(1) || "failure"}:`,
};

function at(path: string): string {
  return path === "" ? "" : ` (at ${path})`;
}

function endOf(fact: Fact): string {
  switch (fact.type) {
    case "task.finished":
      return "finished";
    case "task.failed":
      return `threw (${fact.failure.message})`;
    case "task.asked":
      return "asked";
    case "run.paused":
      return `was held (${fact.reason})`;
    default:
      return `came to ${fact.type}`;
  }
}

/** A fact without what says nothing to people: where in the code it was thrown. */
function outlineOf(fact: Fact): Json {
  if (fact.type !== "task.failed") return plainFact(fact);
  const { type, failure } = fact;
  return { type, code: failure.code, message: failure.message };
}

function partsOf(fact: Fact): Parts {
  switch (fact.type) {
    case "task.finished": {
      const { writes, route, sends = [], halt = null } = plainFact(fact) as unknown as typeof fact; // as plain
      return [
        ["state", stateOf(writes)],
        ["route", route.map(targetOf)],
        ["sends", sends as unknown as Json], // plain
        ["halt", halt as unknown as Json], // plain
      ];
    }
    case "task.asked":
      return [["questions", (plainFact(fact) as JsonObject)["questions"] ?? []]];
    case "task.failed": {
      const { code, message } = fact.failure;
      return [["failure", { code, message }]]; // (2)
    }
    default:
      return [["end", plainFact(fact)]];
  }
}

/** The writes by field (1): the value, or a list where there are several or one that replaces. */
function stateOf(writes: readonly Write[]): JsonObject {
  const fields = new Map<string, Write[]>();
  for (const write of writes) fields.set(write.channel, [...(fields.get(write.channel) ?? []), write]);
  const state: Record<string, Json> = {};
  for (const [field, written] of fields) {
    const values = written.map(({ value, overwrite }) => (overwrite ? { overwrite: value } : value));
    assign(state, field, values.length === 1 ? (values[0] as Json) : values);
  }
  return state;
}

/** The node that a channel leads to: a pulse names it, a gate is named by the nodes that it joins and by it. */
function targetOf(channel: string): string {
  const name = channel.startsWith(CONTROL) ? channel.slice(CONTROL.length) : channel;
  if (!name.startsWith(CONTROL)) return name;
  const nodes = JSON.parse(name.slice(CONTROL.length)) as readonly string[]; // `gateOf` wrote it
  return `${nodes.at(-1)}, once ${nodes.slice(0, -1).join(" and ")} have finished`;
}

const MOST = 120;

function printed(value: Json | undefined): string {
  if (value === undefined) return "nothing";
  if (Array.isArray(value) && value.length === 0) return "nothing";
  const text = JSON.stringify(value);
  return text.length <= MOST ? text : `${text.slice(0, MOST)}…`;
}
