/** Visits: the tasks of a run as they are compared, each known by where it stands in the structure of the run. */

import { addUsage, NO_USAGE, type Usage } from "../../agent/agent.ts";
import { assign, isJsonObject, type Json, type JsonObject } from "../../base/json.ts";
import type { ChannelName, NodeName, TaskId } from "../../base/names.ts";
import type { Event, Halt, Write } from "../../kernel/event.ts";

export interface Visit {
  /** Node, item and the count of visits there: the same in two runs that do the same. */
  readonly key: string;
  readonly node: NodeName;
  /** `WI-1` and so on, where the node works on items. */
  readonly item?: string;
  /** Counts from 1 for a node and item. */
  readonly visit: number;
  readonly task: TaskId;
  /** The event that opened it. */
  readonly seq: number;
  readonly status: "open" | "asked" | "finished" | "failed";
  /** Where it led, and how it ended the run if it did. */
  readonly route: readonly ChannelName[];
  readonly halt?: Halt;
  /** What it handed on: the state that it changed and the messages that it sent, by channel. */
  readonly writes: JsonObject;
  /** References to the texts that it was asked with, said, and changed. */
  readonly texts: Readonly<Record<TextKind, readonly string[]>>;
  readonly usage: Usage;
}

export type TextKind = "prompt" | "output" | "diff";

interface Draft {
  readonly task: TaskId;
  readonly node: NodeName;
  readonly seq: number;
  item?: string;
  status: Visit["status"];
  route: readonly ChannelName[];
  halt?: Halt;
  writes: JsonObject;
  readonly texts: Record<TextKind, string[]>;
  usage: Usage;
}

/** What the log calls a text, by the key that holds its reference or the kind of its artifact. */
const KINDS: Readonly<Record<string, TextKind>> = {
  ...{ prompt: "prompt", sent: "prompt" },
  ...{ output: "output", text: "output", partial: "output" },
  diff: "diff",
};

const REF = /^sha256:[0-9a-f]{64}$/;

/** The visits of a run, in the order in which they were opened. */
export function visitsOf(events: readonly Event[]): readonly Visit[] {
  const drafts = new Map<TaskId, Draft>();
  for (const event of events) fold(drafts, event);
  const counts = new Map<string, number>();
  return [...drafts.values()].map((draft) => {
    const place = draft.item === undefined ? draft.node : `${draft.node}@${draft.item}`;
    const visit = (counts.get(place) ?? 0) + 1;
    counts.set(place, visit);
    return { ...draft, visit, key: visit === 1 ? place : `${place}#${visit}` };
  });
}

function fold(drafts: Map<TaskId, Draft>, event: Event): void {
  if (event.type === "step.opened") {
    for (const { task, node } of event.tasks) {
      const texts = { prompt: [], output: [], diff: [] };
      drafts.set(task, {
        task,
        node,
        seq: event.seq,
        status: "open",
        route: [],
        writes: {},
        texts,
        usage: NO_USAGE,
      });
    }
    return;
  }
  const draft = "task" in event && event.task !== undefined ? drafts.get(event.task) : undefined;
  if (draft === undefined) return;
  switch (event.type) {
    case "task.noted":
      note(draft, event.kind, event.data);
      break;
    case "task.remembered":
      collect(draft, event.value, "");
      if (event.key.startsWith("turn:")) spend(draft, event.value);
      break;
    case "task.finished":
      draft.status = "finished";
      draft.route = event.route;
      draft.writes = handedOn(event.writes);
      if (event.halt !== undefined) draft.halt = event.halt;
      break;
    case "task.failed":
      draft.status = event.retryAt === undefined ? "failed" : "open";
      break;
    case "task.asked":
      draft.status = "asked";
      break;
    case "task.answered":
    case "task.retried":
      draft.status = "open";
      break;
  }
}

/** What a dialect keeps for itself: where sessions stand, what was spent, which texts were said last. */
const OWN = /^(desk:|scope|enter:)|^(usage|budget|sessions|results|last|context|autoTurns|nudge|goal)$/;

function handedOn(writes: readonly Write[]): JsonObject {
  const byChannel: Record<string, Json[]> = {};
  for (const { channel, value } of writes) {
    if (!OWN.test(channel)) assign(byChannel, channel, [...(byChannel[channel] ?? []), value]);
  }
  return byChannel;
}

function note(draft: Draft, kind: string, data: Json): void {
  collect(draft, data, "");
  if (!isJsonObject(data)) return;
  if (kind.endsWith(".entered") && typeof data["item"] === "string") draft.item = data["item"];
  // A loadout's turns are remembered with what they cost; an inbox's are noted with it.
  if (kind === "inbox.turn") spend(draft, data);
}

/** Takes in the references of a value, each once, under the name that leads to it. */
function collect(draft: Draft, value: Json, name: string): void {
  if (typeof value === "string") {
    const kind = Object.hasOwn(KINDS, name) ? KINDS[name] : undefined;
    if (kind !== undefined && REF.test(value) && !draft.texts[kind].includes(value))
      draft.texts[kind].push(value);
  } else if (Array.isArray(value)) {
    for (const item of value) collect(draft, item, name);
  } else if (isJsonObject(value)) {
    const { kind } = value;
    for (const [key, held] of Object.entries(value)) {
      collect(draft, held, key === "ref" && typeof kind === "string" ? kind : key);
    }
  }
}

function spend(draft: Draft, value: Json): void {
  const usage = isJsonObject(value) ? value["usage"] : undefined;
  if (!isJsonObject(usage)) return;
  const { tokens, costUsd } = usage;
  draft.usage = addUsage(draft.usage, {
    tokens: typeof tokens === "number" ? tokens : 0,
    costUsd: typeof costUsd === "number" ? costUsd : null,
  });
}
