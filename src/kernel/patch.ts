/**
 * A patch says how a channel changed, so that a reader of the log needs none of the author's reducers.
 *
 * 1. A patch is as large as the change, never as the value.
 * 2. What a task wrote stands in the log once: a patch that repeats it says `take` instead.
 */

import { assign, isJsonObject, type Json, type JsonObject, sameJson } from "../base/json.ts";
import type { ChannelName } from "../base/names.ts";

export type Patch = { readonly channel: ChannelName } & (Change | Take);

export type Change =
  | { readonly op: "set"; readonly value: Json }
  | { readonly op: "append"; readonly items: readonly Json[] }
  | { readonly op: "merge"; readonly entries: JsonObject }
  /** Removes `remove` items at `at` and puts `items` there. */
  | { readonly op: "splice"; readonly at: number; readonly remove: number; readonly items: readonly Json[] }
  | { readonly op: "clear" };

/** The values are those that the committing tasks wrote to the channel, in task order. */
export interface Take {
  readonly op: "take";
  /** `set` takes the last one, `push` adds each as an item, `append` adds their items, `merge` their entries. */
  readonly as: "set" | "push" | "append" | "merge";
}

/** Turns a patch into the change that it stands for, given what was written to its channel. */
export function resolve(patch: Change | Take, written: readonly Json[]): Change {
  if (patch.op !== "take") return patch;
  switch (patch.as) {
    case "set":
      return { op: "set", value: written[written.length - 1] as Json };
    case "push":
      return { op: "append", items: written };
    case "append":
      return { op: "append", items: written.flat(1) as Json[] }; // lists are joined, a single item is added
    case "merge":
      return { op: "merge", entries: merged(written) };
  }
}

/** The smallest change that turns one value into the other, found by comparing identities one level deep. */
export function difference(before: Json | undefined, after: Json): Change {
  if (Array.isArray(before) && Array.isArray(after)) {
    if (startsWith(after, before)) return { op: "append", items: after.slice(before.length) };
  } else if (isJsonObject(before) && isJsonObject(after)) {
    const entries = additions(before, after);
    if (entries !== undefined) return { op: "merge", entries };
  }
  return { op: "set", value: after };
}

/** Says `take` where a change holds nothing but what was written, told by identity (2). */
export function shortened(change: Change, written: readonly Json[]): Change | Take {
  switch (change.op) {
    case "set":
      return change.value === written.at(-1) ? { op: "take", as: "set" } : change;
    case "append":
      if (sameItems(change.items, written.flat(1) as Json[])) return { op: "take", as: "append" };
      return sameItems(change.items, written) ? { op: "take", as: "push" } : change;
    case "merge": {
      const entries = merged(written);
      return sameItems(Object.entries(change.entries).flat(), Object.entries(entries).flat())
        ? { op: "take", as: "merge" }
        : change;
    }
    default:
      return change;
  }
}

function merged(written: readonly Json[]): JsonObject {
  if (written.length === 1) return written[0] as JsonObject;
  const entries: Record<string, Json> = {};
  for (const one of written)
    for (const [key, value] of Object.entries(one as JsonObject)) assign(entries, key, value);
  return entries;
}

function sameItems(a: readonly Json[], b: readonly Json[]): boolean {
  return a.length === b.length && startsWith(a, b);
}

function startsWith(list: readonly Json[], prefix: readonly Json[]): boolean {
  if (list.length < prefix.length) return false;
  for (let i = 0; i < prefix.length; i++) if (list[i] !== prefix[i]) return false;
  return true;
}

/** The keys that are new or changed, or nothing when a key has gone. */
function additions(before: JsonObject, after: JsonObject): JsonObject | undefined {
  for (const key of Object.keys(before)) if (!Object.hasOwn(after, key)) return undefined;
  const changed = Object.entries(after).filter(
    ([key, value]) => !(Object.hasOwn(before, key) && sameScalar(before[key], value)),
  );
  return Object.fromEntries(changed);
}

function sameScalar(a: Json | undefined, b: Json): boolean {
  return a === b || (typeof b !== "object" && sameJson(a, b));
}
