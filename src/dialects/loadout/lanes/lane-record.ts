/**
 * A lane's record is what a finished lane leaves to the loop: what it changed in the state, what it told, what it cost.
 *
 * 1. It holds changes, not states, so that what all lanes of a loop record grows with their number and no faster.
 * 2. Records are folded in the order of the items, whatever the order in which the lanes were done.
 */

import { isJsonObject, type Json, type JsonObject, sameJson } from "../../../base/json.ts";
import type { ChannelName } from "../../../base/names.ts";
import type { Spent } from "../../budget.ts";
import { budgetWarnings } from "../budget.ts";
import { addSpent, CONTEXT, LAST, type LastOutput, NOTHING_SPENT, STATE, USAGE } from "../channels.ts";
import { laneOf } from "../scope.ts";
import type { Visit } from "../visit.ts";

export type LaneRecord = {
  readonly run: string;
  /** The keys of the state that it changed. */
  readonly state: JsonObject;
  readonly context: readonly Json[];
  readonly usage: { readonly tokens: number; readonly costUsd: number | null; readonly knownUsd: number };
  readonly last: { readonly socket: string; readonly label: string; readonly ref: string } | null;
  /** What it said last about its item. */
  readonly satisfied: boolean | null;
  /** The commit with its work; `null` when it left no files. */
  readonly commit: string | null;
};

/** The key under which a task remembers the record of a lane. */
export function recordKey(lane: string): string {
  return `lane:${lane}`;
}

/** The lane of an item that comes back because of a conflict. */
export function againKey(item: string): string {
  return `${item}-again`;
}

type Output = Readonly<Record<ChannelName, Json>>;

/** Says whether a lane that is over has advanced its item; it has not when no edge led on. */
export function hasAdvanced(output: Output, scope: ChannelName): boolean {
  const value = output[scope];
  return isJsonObject(value) && laneOf(value) === undefined;
}

/** What a lane that began with this state and context has changed. */
export function changesOf(
  output: Output,
  before: { readonly state: JsonObject; readonly context: Json | undefined },
): Pick<LaneRecord, "state" | "context" | "usage" | "last"> {
  const state = isJsonObject(output[STATE]) ? output[STATE] : {};
  const changed = Object.entries(state).filter(([key, value]) => {
    return !Object.hasOwn(before.state, key) || !sameJson(before.state[key], value);
  });
  return {
    state: Object.fromEntries(changed),
    context: addedTo(listOf(before.context), listOf(output[CONTEXT])),
    usage: { ...spentOf(output[USAGE]) },
    last: isJsonObject(output[LAST]) ? { ...(output[LAST] as unknown as LastOutput) } : null, // written by `conclude`
  };
}

/** What a list has more than the one before, which may have lost its oldest entries since. */
function addedTo(before: readonly Json[], after: readonly Json[]): readonly Json[] {
  for (let lost = 0; lost < before.length; lost++) {
    const kept = before.slice(lost);
    if (kept.every((entry, index) => sameJson(entry, after[index]))) return after.slice(kept.length);
  }
  return after;
}

/** What a usage channel holds. */
export function spentOf(value: Json | undefined): Spent {
  return { ...NOTHING_SPENT, ...(isJsonObject(value) && (value as unknown as Partial<Spent>)) }; // written by `spend`
}

/** Changes the visit by all records, in order (2). */
export function foldLanes(visit: Visit, records: readonly LaneRecord[]): void {
  const usage = records.reduce<Spent>((sum, record) => addSpent(sum, record.usage), NOTHING_SPENT);
  budgetWarnings(visit, usage);
  visit.spend(usage, {});
  const context = records.flatMap((record) => record.context);
  if (context.length > 0) visit.write(CONTEXT, context);
  const last = records.at(-1)?.last;
  if (last) visit.write(LAST, last);
  for (const record of records) {
    visit.note("child", { run: record.run, usage: record.usage });
    for (const [key, value] of Object.entries(record.state)) visit.setState([key], value);
  }
}

function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? (value as readonly Json[]) : [];
}
