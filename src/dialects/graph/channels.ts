/** Channels are how a field keeps what is written to it; each maps to one kind of the kernel's channels. */

import type { Json } from "../../base/json.ts";
import type { ChannelSpec } from "../../kernel/plan.ts";

/** Folds an update into the current value. It must be pure. */
export type ReducerFunction<Value, Update = Value> = (current: Value, update: Update) => Value;

/** What all channels have in common; the types say what is read from one and what is written to it. */
export abstract class Channel<Value = unknown, Update = Value> {
  /** Never there at run time: it carries the types. */
  declare readonly "~types"?: { readonly value: Value; readonly update: Update };
  /** A value, or a function that makes one for each new run. */
  readonly default: Value | (() => Value) | undefined = undefined;
  readonly reducer: ReducerFunction<Value, Update> | undefined = undefined;

  /** The kernel's channel for a field of this name. */
  abstract spec(field: string, initial: Json | undefined): ChannelSpec;
}

/** Keeps the value written last; two writes in one superstep are an error. */
export class LastValue<Value = unknown> extends Channel<Value> {
  override readonly default: Value | (() => Value) | undefined;

  constructor(initial?: Value | (() => Value)) {
    super();
    this.default = initial;
  }

  spec(_field: string, initial: Json | undefined): ChannelSpec {
    return initial === undefined ? { kind: "last" } : { kind: "last", initial };
  }
}

/** Folds every write into the value; without a default, the first write is the value. */
export class BinaryOperatorAggregate<Value = unknown, Update = Value> extends Channel<Value, Update> {
  override readonly default: Value | (() => Value) | undefined;
  override readonly reducer: ReducerFunction<Value, Update>;

  constructor(reducer: ReducerFunction<Value, Update>, initial?: Value | (() => Value)) {
    super();
    this.reducer = reducer;
    this.default = initial;
  }

  spec(field: string, initial: Json | undefined): ChannelSpec {
    return initial === undefined
      ? { kind: "fold", reducer: field }
      : { kind: "fold", reducer: field, initial };
  }
}

/** Keeps a write for the next superstep only. With `guard` (the default), two writes in one superstep are an error. */
export class EphemeralValue<Value = unknown> extends Channel<Value> {
  readonly guard: boolean;

  constructor({ guard = true }: { readonly guard?: boolean } = {}) {
    super();
    this.guard = guard;
  }

  spec(): ChannelSpec {
    return { kind: "ephemeral", guard: this.guard };
  }
}

/** Collects writes in a list, a written list adding its items: for the next superstep, or with `accumulate` for good. */
export class Topic<Item = unknown> extends Channel<readonly Item[], Item | readonly Item[]> {
  /** Leaves out what is in the list already. */
  readonly unique: boolean;
  readonly accumulate: boolean;

  constructor({
    unique = false,
    accumulate = false,
  }: { readonly unique?: boolean; readonly accumulate?: boolean } = {}) {
    super();
    this.unique = unique;
    this.accumulate = accumulate;
  }

  spec(): ChannelSpec {
    return { kind: "topic", unique: this.unique, accumulate: this.accumulate };
  }
}
