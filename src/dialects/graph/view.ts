/**
 * A view shows nodes the state: one frozen object for each snapshot, shared by all tasks that run on it.
 *
 * 1. A long list is read, and thereby copied, only when a node asks for it.
 * 2. A state that holds built-ins is made anew for each task, because a `Date` or a `Map` cannot be frozen.
 * 3. A field that holds nothing has no key, save a topic, which is then an empty list.
 */

import type { Json } from "../../base/json.ts";
import type { Write } from "../../kernel/event.ts";
import type { Snapshot } from "../../kernel/snapshot.ts";
import type { FieldPlan, FieldPlans } from "./fields.ts";
import { open } from "./values.ts";

export type State = Readonly<Record<string, unknown>>;

/** A list that is longer than this is read when it is asked for. */
const EAGER = 256;
const NOTHING: readonly unknown[] = Object.freeze([]);

export class View {
  readonly #fields: readonly FieldPlan[];

  constructor(fields: FieldPlans) {
    this.#fields = [...fields.values()];
  }

  /** The state that a task reads. */
  of(snapshot: Snapshot): State {
    return snapshot.formFor(this, this.#make) ?? (this.#make(snapshot, true) as State);
  }

  /** The state of a snapshot; nothing when it cannot be shared, unless it is for one task alone. */
  readonly #make = (snapshot: Snapshot, alone = false): State | undefined => {
    const state: Record<string, unknown> = {};
    let sharable = true;
    for (const { name, spec } of this.#fields) {
      if (snapshot.cost(name) > EAGER) {
        defineLazy(state, name, readingOf(snapshot, name));
        continue;
      }
      const value = snapshot.read(name);
      if (value === undefined) {
        if (spec.kind === "topic") define(state, name, NOTHING);
        continue;
      }
      const opened = open(value);
      if (opened !== value) sharable = false;
      define(state, name, opened);
    }
    Object.freeze(state);
    return sharable || alone ? state : undefined;
  };

  /** The state as it will be for a task whose writes are folded in, and nobody else's. */
  after(snapshot: Snapshot, writes: readonly Write[]): State {
    const before = this.of(snapshot);
    if (writes.length === 0) return before;
    const written = writes.length === 1 ? undefined : groupWrites(writes);
    const state: Record<string, unknown> = {};
    for (const field of this.#fields) {
      const { name } = field;
      const mine =
        written === undefined ? (writes[0]?.channel === name ? writes : undefined) : written.get(name);
      if (mine !== undefined) {
        const isLast = field.reducer === undefined && field.spec.kind !== "topic";
        if (isLast) define(state, name, open(mine.at(-1)?.value as Json));
        else defineLazy(state, name, foldOf(field, snapshot, mine));
      } else if (snapshot.cost(name) > EAGER) defineLazy(state, name, passageOf(before, name));
      else if (Object.hasOwn(before, name)) define(state, name, before[name]);
    }
    return Object.freeze(state);
  }
}

function groupWrites(writes: readonly Write[]): ReadonlyMap<string, readonly Write[]> {
  const groups = new Map<string, Write[]>();
  for (const write of writes) {
    const group = groups.get(write.channel);
    if (group === undefined) groups.set(write.channel, [write]);
    else group.push(write);
  }
  return groups;
}

/** What a field holds once these writes are folded in. */
function folded({ name, spec, reducer }: FieldPlan, snapshot: Snapshot, writes: readonly Write[]): Json {
  const current = snapshot.read(name);
  const start = writes.findLastIndex(({ overwrite }) => overwrite);
  if (spec.kind === "topic") {
    const before = spec.accumulate && Array.isArray(current) ? (current as readonly Json[]) : [];
    return [...before, ...writes.flatMap(({ value }) => value as Json)];
  }
  if (reducer === undefined) return writes.at(-1)?.value as Json;
  const updates = writes.slice(start + 1).map(({ value }) => value);
  const from = start === -1 ? current : writes[start]?.value;
  return updates.reduce<Json | undefined>(reducer, from) as Json;
}

// What is read when it is asked for is a closure, and one that stood in a loop above would cost each field there.

function readingOf(snapshot: Snapshot, name: string): () => unknown {
  return () => open(snapshot.read(name) as Json);
}

function passageOf(before: State, name: string): () => unknown {
  return () => before[name];
}

function foldOf(field: FieldPlan, snapshot: Snapshot, writes: readonly Write[]): () => unknown {
  let made: { readonly value: unknown } | undefined;
  return () => {
    made ??= { value: open(folded(field, snapshot, writes)) };
    return made.value;
  };
}

function define(state: Record<string, unknown>, name: string, value: unknown): void {
  if (name === "__proto__") Object.defineProperty(state, name, { value, enumerable: true });
  else state[name] = value;
}

function defineLazy(state: object, name: string, get: () => unknown): void {
  Object.defineProperty(state, name, { get, enumerable: true, configurable: false });
}
