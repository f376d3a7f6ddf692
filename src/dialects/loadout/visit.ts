/**
 * A visit is one stay at a socket: what was there when it began, and what it changes, until both are committed together.
 *
 * 1. What it reads through itself includes its own changes, so that effects can be applied in their order.
 * 2. The current item and its key are derived from cursor and list; they are never stored.
 */

import type { Usage } from "../../agent/agent.ts";
import { isJsonObject, type Json, type JsonObject } from "../../base/json.ts";
import type { Write } from "../../kernel/event.ts";
import type { Note } from "../../kernel/program.ts";
import type { Snapshot } from "../../kernel/snapshot.ts";
import * as channels from "./channels.ts";
import type { Circuit, Place } from "./chart.ts";
import { readPath, writePath } from "./path.ts";
import { cursorOf, laneOf, type Rework, reworkFromAround, reworkOf } from "./scope.ts";

/** The work item in hand. */
export interface Item {
  readonly value: Json;
  /** From 0. */
  readonly index: number;
  /** `WI-1` and so on. */
  readonly key: string;
  /** What people call it. */
  readonly label: string;
  readonly count: number;
}

export class Visit {
  readonly place: Place;
  readonly notes: Note[] = [];
  readonly #snapshot: Snapshot;
  readonly #state: Map<string, Json> = new Map();
  readonly #scopes: Map<string, { readonly isNew: boolean; readonly changes: JsonObject }> = new Map();
  readonly #writes: Write[] = [];
  /** The item that was in work when the visit began. */
  readonly item: Item | undefined;

  constructor(place: Place, snapshot: Snapshot) {
    this.place = place;
    this.#snapshot = snapshot;
    this.item = place.loop && this.itemOf(place.loop);
  }

  note(kind: string, data: JsonObject): void {
    this.notes.push({ kind: `loadout.${kind}`, data: { socket: this.place.id, ...data } });
  }

  warn(code: string, message: string): void {
    this.note("warning", { code, message });
  }

  read(channel: string): Json | undefined {
    return this.#snapshot.read(channel);
  }

  /** An object channel as it was when the visit began. */
  readObject(channel: string): JsonObject {
    const value = this.read(channel);
    return isJsonObject(value) ? value : {};
  }

  /** What stands in the state as it is now, the derived names included; `undefined` when nothing does. */
  stateAt(keys: readonly string[]): Json | undefined {
    const [key, ...rest] = keys;
    if (key === undefined) return this.state();
    const derived = this.#derived();
    if (Object.hasOwn(derived, key)) return readPath(derived, keys);
    if (this.#state.has(key)) return readPath(this.#state.get(key), rest);
    return readPath(this.readObject(channels.STATE), keys);
  }

  /** The whole state as it is now, the derived names included. */
  state(): JsonObject {
    return {
      ...this.readObject(channels.STATE),
      ...Object.fromEntries(this.#state),
      ...this.#derived(),
    };
  }

  /** The names that stand in the state while an item is in work (2). */
  #derived(): JsonObject {
    if (this.item === undefined) return {};
    const { value, index } = this.item;
    const as = this.place.loop?.as;
    return { workItem: value, workItemIndex: index, ...(as !== undefined && { [as]: value }) };
  }

  setState([key = "", ...rest]: readonly string[], value: Json): void {
    const stored = this.#state.has(key)
      ? this.#state.get(key)
      : readPath(this.readObject(channels.STATE), [key]);
    const before = rest.length === 0 ? undefined : stored;
    this.#state.set(
      key,
      rest.length === 0 ? value : writePath(isJsonObject(before) ? before : {}, rest, value),
    );
  }

  /** A scope as it is now, with the changes of this visit. */
  scope(loop: Circuit | undefined): JsonObject {
    const name = channels.scopeOf(loop?.id);
    const changed = this.#scopes.get(name);
    if (changed?.isNew) return changed.changes;
    return { ...this.readObject(name), ...changed?.changes };
  }

  changeScope(loop: Circuit | undefined, changes: JsonObject): void {
    const name = channels.scopeOf(loop?.id);
    const before = this.#scopes.get(name);
    this.#scopes.set(name, { isNew: before?.isNew ?? false, changes: { ...before?.changes, ...changes } });
  }

  /** Begins a scope anew at a cursor. */
  resetScope(loop: Circuit, index: number): void {
    this.#scopes.set(channels.scopeOf(loop.id), { isNew: true, changes: { index } });
  }

  /** Why work came back here, oldest first: to a graph socket around this run, and to this socket. */
  get rework(): readonly Rework[] {
    const { loop, id } = this.place;
    return [...reworkFromAround(this.scope(undefined)), ...reworkOf(this.scope(loop), id)];
  }

  /** The items of a loop, or what stands in their place. */
  listOf(loop: Circuit): Json | undefined {
    return this.stateAt(loop.items);
  }

  /** The item that a loop has in hand now; nothing when it has done them all, or has none. */
  itemOf(loop: Circuit): Item | undefined {
    return this.itemAt(loop, cursorOf(this.scope(loop)));
  }

  /** The item at a place of the loop's list, counted from 0; a lane has one item and no list. */
  itemAt(loop: Circuit, index: number): Item | undefined {
    const lane = laneOf(this.scope(loop));
    const list = lane === undefined ? this.listOf(loop) : undefined;
    const count = lane?.count ?? (Array.isArray(list) ? list.length : 0);
    if (index >= count) return undefined;
    const value = lane === undefined ? ((list as readonly Json[])[index] as Json) : lane.value;
    const key = `WI-${index + 1}`;
    const title = isJsonObject(value) ? value["title"] : value;
    const label = typeof title === "string" && title.trim() !== "" ? title : key;
    return { value, index, key, label, count };
  }

  write(channel: string, value: Json): void {
    this.#writes.push({ channel, value });
  }

  /** Adds what turns cost and where their sessions stand. */
  spend(usage: Usage, sessions: Readonly<Record<string, Json>>): void {
    this.write(channels.USAGE, { ...usage });
    if (Object.keys(sessions).length > 0) this.write(channels.SESSIONS, sessions);
  }

  /** Everything that the visit changes. */
  writes(): Write[] {
    const writes = [...this.#writes];
    if (this.#state.size > 0)
      writes.push({ channel: channels.STATE, value: Object.fromEntries(this.#state) });
    for (const [channel, { isNew, changes }] of this.#scopes) {
      writes.push(isNew ? { channel, value: changes, overwrite: true } : { channel, value: changes });
    }
    return writes;
  }
}
