/**
 * The channels of a loadout: what a run keeps between sockets.
 *
 * 1. None of them grows with the run, save what authors put into the state themselves.
 * 2. A step writes what it changed and nothing else.
 */

import type { Usage } from "../../agent/agent.ts";
import { isJsonObject, type Json, type JsonObject } from "../../base/json.ts";
import type { ChannelSpec } from "../../kernel/plan.ts";
import type { Reducer } from "../../kernel/program.ts";
import type { Spent } from "../budget.ts";

/** What the run was asked to do, as text. */
export const REQUEST = "request";
/** The state that authors see. */
export const STATE = "state";
/** What sockets told those after them: the last entries. */
export const CONTEXT = "context";
/** What the committed turns cost. */
export const USAGE = "usage";
/** What the run may cost. A resume can write a higher one. */
export const BUDGET = "budget";
/** The cursors of the agents' sessions. */
export const SESSIONS = "sessions";
/** The last output. */
export const LAST = "last";

/** The pulse that makes a socket run. */
export function pulseOf(socket: string): string {
  return `enter:${socket}`;
}

/** Where the loop stands with its current item; without a loop, what counts outside of all loops. */
export function scopeOf(loop: string | undefined): string {
  return loop === undefined ? "scope" : `scope:${loop}`;
}

export interface ContextEntry {
  readonly label: string;
  /** `WI-1` and so on. */
  readonly item?: string;
  readonly text: string;
}

export interface LastOutput {
  readonly socket: string;
  readonly label: string;
  readonly ref: string;
}

export const NOTHING_SPENT: Spent = { tokens: 0, costUsd: 0, knownUsd: 0 };

export function addSpent(a: Spent, b: Usage & { readonly knownUsd?: number }): Spent {
  return {
    tokens: a.tokens + b.tokens,
    costUsd: a.costUsd === null || b.costUsd === null ? null : a.costUsd + b.costUsd,
    knownUsd: a.knownUsd + (b.knownUsd ?? b.costUsd ?? 0),
  };
}

/** The most entries of the context log that a prompt can show. */
export const CONTEXT_WINDOW = 30;

const merge: Reducer = Object.assign(
  (current: Json | undefined, update: Json): Json => ({
    ...(isJsonObject(current) ? current : undefined),
    ...(update as JsonObject),
  }),
  { patch: () => ({ op: "take", as: "merge" }) as const },
);

const sum: Reducer = (current, update) =>
  ({ ...addSpent((current ?? NOTHING_SPENT) as unknown as Spent, update as unknown as Spent) }) as Json;

/** Appends; once the list is twice the window, it is cut to one, so an entry is written twice at most. */
const slide: Reducer = Object.assign(
  (current: Json | undefined, update: Json): Json => [...((current ?? []) as Json[]), ...(update as Json[])],
  {
    patch(current: Json | undefined, updates: readonly Json[]) {
      const list = (current ?? []) as readonly Json[];
      if (list.length < 2 * CONTEXT_WINDOW) return { op: "take", as: "append" } as const;
      return { op: "set", value: [...list, ...(updates.flat(1) as Json[])].slice(-CONTEXT_WINDOW) } as const;
    },
  },
);

export const reducers: Readonly<Record<string, Reducer>> = { merge, sum, slide };

const merged: Extract<ChannelSpec, { kind: "fold" }> = { kind: "fold", reducer: "merge", initial: {} };

/** The data channels of a loadout with these loops. */
export function dataChannels(loops: readonly string[], budget: JsonObject): Record<string, ChannelSpec> {
  return {
    [REQUEST]: { kind: "last", initial: "" },
    [STATE]: merged,
    [CONTEXT]: { kind: "fold", reducer: "slide", initial: [] },
    [USAGE]: { kind: "fold", reducer: "sum", initial: { ...NOTHING_SPENT } },
    [BUDGET]: { ...merged, initial: budget },
    [SESSIONS]: merged,
    [LAST]: { kind: "last" },
    ...Object.fromEntries([undefined, ...loops].map((loop) => [scopeOf(loop), merged])),
  };
}
