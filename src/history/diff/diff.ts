/**
 * The difference of two runs: their visits side by side, where they first went apart, and what each came to.
 *
 * 1. Visits are aligned by structure (node, item, count), never by time or number, so what happened in parallel aligns.
 * 2. Whatever is the same in both is counted and not listed.
 */

import { addUsage, NO_USAGE, type Usage } from "../../agent/agent.ts";
import { type Json, sameJson } from "../../base/json.ts";
import type { ChannelName, RunId } from "../../base/names.ts";
import { Refusal } from "../../base/refusal.ts";
import type { Event } from "../../kernel/event.ts";
import { evolve } from "../../kernel/evolve.ts";
import { channelValue, emptyState, type RunState } from "../../kernel/state.ts";
import { standingOf } from "../../run/head.ts";
import type { Journal, Standing } from "../../run/journal.ts";
import { readEvents } from "../../run/load.ts";
import { type Difference, differences } from "../difference.ts";
import { type TextKind, type Visit, visitsOf } from "./visits.ts";

export interface RunsDiff {
  readonly runs: readonly [RunSide, RunSide];
  /** True when nothing below says otherwise. */
  readonly identical: boolean;
  /** The first visit, in the order of the first run, that only one of them made or that led elsewhere. */
  readonly diverges?: Divergence;
  readonly visits: { readonly same: number; readonly differing: readonly VisitDiff[] };
  readonly state: readonly (Difference & { readonly channel: ChannelName })[];
}

export interface RunSide {
  readonly run: RunId;
  readonly status: Standing;
  readonly reason: string | null;
  readonly visits: number;
  readonly usage: Usage;
}

export interface Divergence {
  readonly key: string;
  readonly what: "visit" | "status" | "route" | "end" | "writes";
  /** What each run did there; `null` for the one that never came there. */
  readonly left: Json;
  readonly right: Json;
}

export interface VisitDiff {
  readonly key: string;
  /** The events that opened the visit; `null` in the run that never made it. */
  readonly seq: readonly [number | null, number | null];
  readonly differs: readonly ("visit" | "status" | "route" | "end" | "writes" | TextKind | "usage")[];
  /** Where what it handed on differs. */
  readonly writes: readonly Difference[];
  readonly texts: readonly TextDiff[];
  readonly usage: readonly [Usage | null, Usage | null];
}

export interface TextDiff {
  readonly kind: TextKind;
  readonly left: string | null;
  readonly right: string | null;
}

interface Told {
  readonly side: RunSide;
  readonly state: RunState;
  readonly visits: readonly Visit[];
}

/** Compares two runs. Refuses one that is not there. */
export async function diffRuns(journal: Journal, left: RunId, right: RunId): Promise<RunsDiff> {
  const [a, b] = [await tell(journal, left), await tell(journal, right)];
  const pairs = align(a.visits, b.visits);
  const differing: VisitDiff[] = [];
  for (const [one, other] of pairs) {
    const diff = await diffVisits(journal, one, other);
    if (diff.differs.length > 0) differing.push(diff);
  }
  const state = stateDifferences(a.state, b.state);
  const diverges = firstDivergence(pairs) ?? endsApart(a, b);
  const identical = differing.length === 0 && state.length === 0 && diverges === undefined;
  const same = pairs.length - differing.length;
  return {
    runs: [a.side, b.side],
    identical,
    ...(diverges && { diverges }),
    visits: { same, differing },
    state,
  };
}

async function tell(journal: Journal, run: RunId): Promise<Told> {
  const events: Event[] = [];
  const state = emptyState(run);
  for await (const event of readEvents(journal, run, 0)) {
    evolve(state, event);
    events.push(event);
  }
  if (events.length === 0) throw new Refusal("unknown_run", `There is no run ${run}.`);
  const visits = visitsOf(events);
  const usage = visits.reduce((sum, visit) => addUsage(sum, visit.usage), NO_USAGE);
  const { reason = null } = state;
  return { side: { run, status: standingOf(state), reason, visits: visits.length, usage }, state, visits };
}

type Pair = readonly [Visit | undefined, Visit | undefined];

/** All visits of the first run with those of the second that have their place, then those that only the second made. */
function align(left: readonly Visit[], right: readonly Visit[]): Pair[] {
  const rest = new Map(right.map((visit) => [visit.key, visit]));
  const pairs = left.map((visit): Pair => {
    const other = rest.get(visit.key);
    rest.delete(visit.key);
    return [visit, other];
  });
  return [...pairs, ...[...rest.values()].map((visit): Pair => [undefined, visit])];
}

function decisionsOf({
  status,
  route,
  halt,
  writes,
}: Visit): readonly (readonly [Divergence["what"], Json])[] {
  return [
    ["status", status],
    ["route", route],
    ["end", (halt ?? null) as Json | null], // a halt is plain JSON
    ["writes", writes],
  ];
}

function firstDivergence(pairs: readonly Pair[]): Divergence | undefined {
  for (const [one, other] of pairs) {
    const key = (one ?? other)?.key ?? "";
    if (one === undefined || other === undefined) {
      return { key, what: "visit", left: one ? "visited" : null, right: other ? "visited" : null };
    }
    const theirs = decisionsOf(other);
    for (const [index, [what, left]] of decisionsOf(one).entries()) {
      const right = theirs[index]?.[1] ?? null;
      if (!sameJson(left, right)) return { key, what, left, right };
    }
  }
  return undefined;
}

/** Runs that did the same may still stand differently: one was cancelled, or is not over. */
function endsApart({ side: a }: Told, { side: b }: Told): Divergence | undefined {
  if (a.status === b.status && a.reason === b.reason) return undefined;
  const standing = ({ status, reason }: RunSide): Json =>
    reason === null ? status : `${status} (${reason})`;
  return { key: "", what: "end", left: standing(a), right: standing(b) };
}

const TEXT_KINDS: readonly TextKind[] = ["prompt", "output", "diff"];

async function diffVisits(
  journal: Journal,
  one: Visit | undefined,
  other: Visit | undefined,
): Promise<VisitDiff> {
  const differs: VisitDiff["differs"][number][] = [];
  const texts: TextDiff[] = [];
  if (one === undefined || other === undefined) differs.push("visit");
  else {
    const theirs = decisionsOf(other);
    for (const [index, [what, value]] of decisionsOf(one).entries()) {
      if (!sameJson(value, theirs[index]?.[1])) differs.push(what);
    }
    for (const kind of TEXT_KINDS) {
      const pairs = await textPairs(journal, one.texts[kind], other.texts[kind]);
      if (pairs.length > 0) differs.push(kind);
      texts.push(...pairs.map(([left, right]) => ({ kind, left, right })));
    }
    if (!sameJson({ ...one.usage }, { ...other.usage })) differs.push("usage");
  }
  const key = (one ?? other)?.key ?? "";
  const seq = [one?.seq ?? null, other?.seq ?? null] as const;
  const writes = differs.includes("writes") ? [...differences(one?.writes, other?.writes)] : [];
  return { key, seq, differs, writes, texts, usage: [one?.usage ?? null, other?.usage ?? null] };
}

/** The texts that differ, first with first; a reference that is the same is the same text. */
async function textPairs(
  journal: Journal,
  left: readonly string[],
  right: readonly string[],
): Promise<(readonly [string | null, string | null])[]> {
  const pairs: (readonly [string | null, string | null])[] = [];
  for (let i = 0; i < Math.max(left.length, right.length); i++) {
    const [a, b] = [left[i], right[i]];
    if (a !== b) pairs.push([await read(journal, a), await read(journal, b)]);
  }
  return pairs;
}

async function read(journal: Journal, ref: string | undefined): Promise<string | null> {
  return ref === undefined ? null : ((await journal.text(ref)) ?? null);
}

function stateDifferences(a: RunState, b: RunState): RunsDiff["state"] {
  const channels = new Set([...Object.keys(a.plan.channels), ...Object.keys(b.plan.channels)]);
  return [...channels].flatMap((channel) =>
    [...differences(channelValue(a, channel), channelValue(b, channel))].map((found) => ({
      channel,
      ...found,
    })),
  );
}
