/**
 * The reducers that come with the library. Each also says, on sealed values, how a commit changes the field without
 * making the new value, so that appending to a list costs the new items only.
 */

import { isJsonObject, type Json } from "../../base/json.ts";
import type { Change, Take } from "../../kernel/patch.ts";
import type { Reducer } from "../../kernel/program.ts";
import type { ReducerFunction } from "./channels.ts";
import { InvalidUpdateError, isOfFrozen } from "./errors.ts";
import { type MessageUpdate, messages, patchMessages, toMessages } from "./messages.ts";
import { isTag, open, seal } from "./values.ts";

type Addable = number | bigint | string | readonly unknown[];

interface Reducers {
  /** Numbers add, texts join, lists concatenate; a lone value is added to a list as one item. */
  add<Value extends Addable>(current: Value, update: Value): Value;
  /** Adds an item, or the items of a list, to a list. */
  append<Item>(current: readonly Item[], update: Item | readonly Item[]): Item[];
  /** Sets the keys of the update in an object and leaves the others. */
  merge<Value extends object>(current: Value, update: Partial<Value>): Value;
  /** Takes the update; of several in one superstep, the last in task order. */
  replace<Value>(current: Value, update: Value): Value;
  /** Folds messages into a conversation by their `id`: a known one is replaced in its place, a new one is added. */
  readonly messages: typeof messages;
}

/**
 * The reducers that come with the library, for the `reducer` of a field. With `append` and `messages` a step stores what it
 * adds and not the whole list; a reducer of your own stores the whole new value.
 */
export const reducers: Reducers = { add, append, merge, replace, messages };

function add<Value extends Addable>(current: Value, update: Value): Value {
  if (Array.isArray(current)) return current.concat(update) as unknown as Value;
  // Both are numbers, both bigints or both texts, or the language says what is wrong.
  return ((current as number) + (update as number)) as Value;
}

function append<Item>(current: readonly Item[], update: Item | readonly Item[]): Item[] {
  return (current ?? []).concat(update); // for those who call it by hand, on nothing
}

function merge<Value extends object>(current: Value, update: Partial<Value>): Value {
  return { ...current, ...update };
}

function replace<Value>(_current: Value, update: Value): Value {
  return update;
}

type Patcher = (current: Json | undefined, updates: readonly Json[]) => Change | Take | undefined;

/** For each reducer of ours: the change of a commit, or nothing when only folding tells. */
const patchers: ReadonlyMap<unknown, Patcher> = new Map<unknown, Patcher>([
  [add, (current, updates) => (isList(current, updates) ? appended(updates) : undefined)],
  [append, (_current, updates) => appended(updates)],
  [merge, (current, updates) => (areObjects(current, updates) ? { op: "take", as: "merge" } : undefined)],
  [replace, () => ({ op: "take", as: "set" })],
  [messages, patchMessages],
]);

function isList(current: Json | undefined, updates: readonly Json[]): boolean {
  return Array.isArray(current ?? updates[0]);
}

function appended(updates: readonly Json[]): Change | Take {
  if (updates.every(Array.isArray)) return { op: "take", as: "append" };
  return { op: "append", items: updates.flat(1) };
}

function areObjects(current: Json | undefined, updates: readonly Json[]): boolean {
  const values = current === undefined ? updates : [current, ...updates];
  return values.every((value) => isJsonObject(value) && !isTag(value));
}

/** The kernel's form of a reducer: it works on sealed values. The first value of an empty field is taken as it is. */
export function sealedReducer(field: string, reducer: ReducerFunction<unknown>): Reducer {
  const returned = `What the reducer of ${field} returned`;
  const fold = (current: Json | undefined, update: Json): Json => {
    if (current === undefined) return first(reducer, update);
    try {
      return seal(reducer(open(current), open(update)), returned);
    } catch (error) {
      throw isOfFrozen(error) ? changedFrozen(error) : error;
    }
  };
  const patcher = patchers.get(reducer);
  if (patcher === undefined) return fold;
  const patch = (current: Json | undefined, updates: readonly Json[]): Change | Take => {
    const change = patcher(current, updates);
    if (change !== undefined) return change;
    // The live list goes on growing: what is folded is a copy of it.
    const start = Array.isArray(current) ? (current as readonly Json[]).slice() : current;
    return { op: "set", value: updates.reduce<Json | undefined>(fold, start) as Json };
  };
  return Object.assign(fold, { patch });
}

function changedFrozen(error: TypeError): InvalidUpdateError {
  const hint = "A reducer gets frozen values: return a new value instead of changing the current one.";
  return new InvalidUpdateError(`${error.message}. ${hint}`, { cause: error });
}

/** The first messages may name one id twice, or remove. */
function first(reducer: unknown, update: Json): Json {
  return reducer === messages ? seal(messages([], open(update) as MessageUpdate), "messages") : update;
}

/** Brings an update into the form that the reducer's patches expect: those that collect get a list. */
export function normalise(reducer: unknown, update: unknown): unknown {
  if (reducer === append) return Array.isArray(update) ? update : [update];
  return reducer === messages ? toMessages(update as MessageUpdate) : update;
}
