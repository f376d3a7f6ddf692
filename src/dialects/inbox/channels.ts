/** The channels of an inbox graph: one inbox per node, what each node keeps between turns, and what all share. */

import { addUsage, NO_USAGE, type Usage } from "../../agent/agent.ts";
import type { Worktree } from "../../agent/worktree.ts";
import { isJsonObject, type Json, type JsonObject } from "../../base/json.ts";
import type { ChannelName, NodeName } from "../../base/names.ts";
import type { ChannelSpec } from "../../kernel/plan.ts";
import type { Reducer } from "../../kernel/program.ts";
import type { Snapshot } from "../../kernel/snapshot.ts";
import type { Spent } from "../budget.ts";
import type { InboxDefinition } from "./definition.ts";
import type { Session } from "./session.ts";
import type { Results } from "./stall.ts";

/** What all turns of the run cost; the known part of the cost is kept apart, for a budget to count. */
export const USAGE = "usage";
export const BUDGET = "budget";
/** Whether the goal is still open, and how it was closed. */
export const GOAL = "goal";
/** How many automatic turns there were since the orchestrator last had new input. */
export const AUTO_TURNS = "autoTurns";
/** Holds an item when the orchestrator is to take an automatic turn. */
export const NUDGE = "nudge";
/** Armed while the orchestrator may be due an automatic turn. */
export const QUIET = "quiet";
/** The results that nodes keep repeating, by node; a resume empties it. */
export const RESULTS = "results";

const INBOX = "inbox:";

export function inboxOf(node: NodeName): ChannelName {
  return INBOX + node;
}

/** The node whose inbox a channel is, if it is one. */
export function nodeOfInbox(channel: ChannelName): NodeName | undefined {
  return channel.startsWith(INBOX) ? channel.slice(INBOX.length) : undefined;
}

export function deskOf(node: NodeName): ChannelName {
  return `desk:${node}`;
}

/** What a node keeps between its turns. Only its own turns write it, and there is one at a time. */
export interface Desk {
  /** How many turns it has taken. */
  readonly turns: number;
  /** How many inputs it has taken out of its inbox. */
  readonly read: number;
  readonly session?: Session;
  /** Its worktree, once it has one. */
  readonly worktree?: Worktree;
  /** Sends of its last turn that were not delivered, which its agent has still to be told. */
  readonly undelivered?: readonly { readonly to: string; readonly code: string; readonly message: string }[];
}

const NEW_DESK: Desk = { turns: 0, read: 0 };

/** What a node kept; that of a new node before its first turn. */
export function readDesk(snapshot: Snapshot, node: NodeName): Desk {
  const value = snapshot.read(deskOf(node));
  return isJsonObject(value) ? (value as unknown as Desk) : NEW_DESK; // written by `conclude`
}

export interface Goal {
  readonly open: boolean;
  readonly ok?: boolean;
  readonly summary?: string;
}

export function readGoal(snapshot: Snapshot): Goal {
  const value = snapshot.read(GOAL);
  return isJsonObject(value) ? (value as unknown as Goal) : { open: true }; // written by `conclude` and `commands`
}

export function readResults(snapshot: Snapshot, node: NodeName): Results | undefined {
  const all = snapshot.read(RESULTS);
  if (!isJsonObject(all) || !Object.hasOwn(all, node)) return undefined;
  return (all[node] ?? undefined) as unknown as Results | undefined; // written by `conclude`
}

export const NOTHING_SPENT: Spent = { ...NO_USAGE, knownUsd: 0 };

export function addSpent(spent: Spent, usage: Usage): Spent {
  return { ...addUsage(spent, usage), knownUsd: spent.knownUsd + (usage.costUsd ?? 0) };
}

const objectOf = (value: Json | undefined): JsonObject => (isJsonObject(value) ? value : {});

const merge: Reducer = Object.assign(
  (current: Json | undefined, update: Json): Json => ({ ...objectOf(current), ...objectOf(update) }),
  { patch: () => ({ op: "take", as: "merge" }) as const },
);

const spend: Reducer = (current, update) => {
  const before = { ...NOTHING_SPENT, ...(objectOf(current) as unknown as Partial<Spent>) }; // its own value
  return { ...addSpent(before, update as unknown as Usage) }; // written by `conclude`
};

export const reducers: Readonly<Record<string, Reducer>> = { merge, spend };

/** The channels of a graph, those of removed nodes included: their last turns may still be under way. */
export function channelsOf({ nodes, removed = [], budget }: InboxDefinition): Record<string, ChannelSpec> {
  const own = [...Object.keys(nodes), ...removed].flatMap((node): [string, ChannelSpec][] => [
    [inboxOf(node), { kind: "queue" }],
    [deskOf(node), { kind: "last" }],
  ]);
  return {
    ...Object.fromEntries(own),
    [USAGE]: { kind: "fold", reducer: "spend", initial: { ...NOTHING_SPENT } },
    [BUDGET]: { kind: "fold", reducer: "merge", initial: { ...budget } as JsonObject }, // it was read from JSON
    [RESULTS]: { kind: "fold", reducer: "merge", initial: {} },
    [GOAL]: { kind: "last" },
    [AUTO_TURNS]: { kind: "last", initial: 0 },
    [NUDGE]: { kind: "queue" },
    [QUIET]: { kind: "pulse" },
  };
}
