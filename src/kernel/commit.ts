/**
 * Commit says how the channels change when tasks are committed.
 *
 * 1. Writes fold in task order, never in the order in which the tasks ended.
 * 2. All or nothing: a conflict changes no channel.
 * 3. What a task wrote is not written down again where the patch repeats it (see `patch.ts`).
 */

import { describeError, type Failure, failure } from "../base/failure.ts";
import { canonical, type Json } from "../base/json.ts";
import type { ChannelName, NodeName } from "../base/names.ts";
import type { Cell } from "./cell.ts";
import type { Write } from "./event.ts";
import { type Change, difference, type Patch, resolve, shortened, type Take } from "./patch.ts";
import { type ChannelSpec, indexOf, type Plan } from "./plan.ts";
import type { Program, Reducer } from "./program.ts";
import { type Channels, cellOf } from "./state.ts";

/** The writes of one task, or of somebody who acts as a node. */
export interface Author {
  readonly node: NodeName;
  readonly result: { readonly writes: readonly Write[] } | undefined;
}

export type Commit =
  | { readonly ok: true; readonly patches: readonly Patch[] }
  | { readonly ok: false; readonly failure: Failure };

export interface CommitOptions {
  /** True when the log has the writes too, so that patches may refer to them. */
  readonly inLog: boolean;
}

/** The patches that the writes of these authors amount to, in their order. */
export function commit(
  program: Program,
  state: Channels,
  authors: readonly Author[],
  options: CommitOptions,
): Commit {
  const groups = group(authors);
  let patches = clearings(state, groups);
  for (const written of groups) {
    const channel = (written[0] as Write).channel;
    const change = tryChange(program, state, channel, written);
    if (change === CONFLICT) return invalid(conflict(channel, authors));
    if ("code" in change) return { ok: false, failure: change };
    const patch: Patch = options.inLog
      ? patchOf(state.plan, channel, change)
      : { channel, ...resolve(change, valuesOf(written)) };
    if (patches === undefined) patches = [patch];
    else patches.push(patch);
  }
  return { ok: true, patches: patches ?? NOTHING };
}

const NOTHING: readonly never[] = [];

/** Nearly all patches take one value; for the same channel that is always the same object. */
function patchOf(plan: Plan, channel: ChannelName, change: Change | Take): Patch {
  return (change === SET && indexOf(plan).takes.get(channel)) || { channel, ...change };
}

/** What lasts for one step goes unless it is written again. */
function clearings(state: Channels, groups: readonly (readonly Write[])[]): Patch[] | undefined {
  const { fleeting } = indexOf(state.plan);
  return fleeting.length === 0 ? undefined : clearingsOf(fleeting, state, groups);
}

function clearingsOf(
  fleeting: readonly ChannelName[],
  state: Channels,
  groups: readonly (readonly Write[])[],
): Patch[] {
  const written = new Set(groups.map(([first]) => first?.channel));
  const gone = fleeting.filter((channel) => !written.has(channel) && !cellOf(state, channel).isEmpty);
  return gone.map((channel) => ({ channel, op: "clear" }));
}

/** The writes by channel, in task order; most commits are one task with one write. */
function group(authors: readonly Author[]): readonly (readonly Write[])[] {
  const only = authors.length === 1 ? authors[0]?.result?.writes : undefined;
  if (only?.length === 1) return [only];
  if (only?.length === 0) return NOTHING;
  const byChannel = new Map<ChannelName, Write[]>();
  for (const { result } of authors) {
    for (const write of result?.writes ?? []) {
      const others = byChannel.get(write.channel);
      if (others === undefined) byChannel.set(write.channel, [write]);
      else others.push(write);
    }
  }
  return [...byChannel.values()];
}

const CONFLICT = "conflict";
type Changed = Change | Take | Failure | typeof CONFLICT;

function tryChange(
  program: Program,
  state: Channels,
  channel: ChannelName,
  written: readonly Write[],
): Changed {
  const spec = state.plan.channels[channel];
  if (spec === undefined) return failure("invalid_update", `There is no channel ${channel} to write to.`);
  try {
    return changeOf(program, state, spec, written);
  } catch (error) {
    const cause = describeError(error);
    return failure("invalid_update", `The reducer of ${channel} threw: ${cause.message}`, { cause });
  }
}

/** How one channel changes. */
function changeOf(program: Program, state: Channels, spec: ChannelSpec, written: readonly Write[]): Changed {
  const channel = written[0]?.channel ?? "";
  switch (spec.kind) {
    case "last":
      return written.length === 1 ? SET : CONFLICT;
    case "ephemeral":
      return written.length === 1 || !spec.guard ? SET : CONFLICT;
    case "fold":
      return foldChange(program.reducers[spec.reducer], cellOf(state, channel), spec, written);
    case "topic":
      return topicChange(cellOf(state, channel), spec, written);
    case "queue":
      return PUSH;
    case "pulse":
    case "gate":
      return failure("invalid_update", `${channel} carries control and cannot be written to.`);
  }
}

const SET: Take = { op: "take", as: "set" };
const PUSH: Take = { op: "take", as: "push" };
const APPEND: Take = { op: "take", as: "append" };

function foldChange(
  reducer: Reducer | undefined,
  cell: Cell,
  spec: Extract<ChannelSpec, { kind: "fold" }>,
  written: readonly Write[],
): Changed {
  if (reducer === undefined) return failure("invalid_update", `The program has no reducer ${spec.reducer}.`);
  const start = written.findLastIndex(({ overwrite }) => overwrite);
  if (start === -1 && reducer.patch !== undefined) return reducer.patch(cell.peek(), valuesOf(written));
  let value = start === -1 ? cell.value : written[start]?.value;
  for (const { value: update } of written.slice(start + 1)) value = reducer(value, update);
  if (start !== -1) return { op: "set", value: value as Json };
  return shortened(difference(cell.value, value as Json), valuesOf(written));
}

function topicChange(
  cell: Cell,
  { unique, accumulate }: Extract<ChannelSpec, { kind: "topic" }>,
  written: readonly Write[],
): Change | Take {
  if (!unique && accumulate) return APPEND;
  const before = accumulate ? ((cell.peek() ?? []) as readonly Json[]) : [];
  const items = written.flatMap(({ value }) => value);
  const fresh = unique ? unseen(items, before) : items;
  return accumulate ? { op: "append", items: fresh } : { op: "set", value: fresh };
}

function unseen(items: readonly Json[], before: readonly Json[]): Json[] {
  const seen = new Set(before.map(canonical));
  return items.filter((item) => {
    const text = canonical(item);
    return !seen.has(text) && seen.add(text);
  });
}

function valuesOf(written: readonly Write[]): Json[] {
  return written.map(({ value }) => value);
}

function conflict(channel: ChannelName, authors: readonly Author[]): string {
  const writers = authors.filter(({ result }) => result?.writes.some((write) => write.channel === channel));
  const nodes = [...new Set(writers.map(({ node }) => node))].join(" and ");
  return `${channel} takes one value per step, but ${nodes} wrote more. Give it a reducer that folds them.`;
}

function invalid(message: string): Commit {
  return { ok: false, failure: failure("invalid_update", message) };
}
