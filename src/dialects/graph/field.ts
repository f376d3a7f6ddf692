/** A field is one key of a state: how it keeps what is written to it, and what it holds at first. */

import { closest } from "../../base/names.ts";
import { BinaryOperatorAggregate, Channel, LastValue, type ReducerFunction } from "./channels.ts";
import type { Overwrite } from "./command.ts";
import { GraphError } from "./errors.ts";
import type { StandardSchema } from "./standard-schema.ts";

/** How a field keeps what is written to it; with none of them the latest write is the value, and it is empty at first. */
export interface FieldOptions<Value, Update = Value> {
  /** Folds each write into the current value; without one, the latest write is the value. */
  readonly reducer?: ReducerFunction<Value, Update>;
  /** What a new run starts with: a value, or a function that makes one for each run. */
  readonly default?: Value | (() => Value);
  /** Keeps the values in another way; it brings its own reducer and default. */
  readonly channel?: Channel<Value, Update>;
  /** Validates what is put in from outside: the input of a run. */
  readonly schema?: StandardSchema<Value, Update>;
}

export class Field<Value = unknown, Update = Value> {
  /** Never there at run time: it carries the types. */
  declare readonly "~types"?: { readonly value: Value; readonly update: Update };
  readonly channel: Channel<Value, Update>;
  readonly schema: StandardSchema<Value, Update> | undefined;

  /** Throws a `GraphError` for an option that there is not, or that is not what it has to be. */
  constructor(options: FieldOptions<Value, Update>) {
    refuseFlaws(options);
    const { reducer, default: initial, channel, schema } = options;
    this.schema = schema;
    if (channel !== undefined) this.channel = channel;
    else if (reducer !== undefined) this.channel = new BinaryOperatorAggregate(reducer, initial);
    // A field without a reducer reads what was written, so that both types are one.
    else this.channel = new LastValue(initial) as unknown as Channel<Value, Update>;
  }
}

const OPTIONS: Readonly<Record<keyof FieldOptions<unknown>, true>> = {
  reducer: true,
  default: true,
  channel: true,
  schema: true,
};

function refuseFlaws<Value, Update>(options: FieldOptions<Value, Update>): void {
  const unknown = Object.keys(options).find((name) => !Object.hasOwn(OPTIONS, name));
  const { reducer, channel } = options;
  if (unknown !== undefined) {
    const names = Object.keys(OPTIONS);
    const meant = closest(unknown, names);
    const hint = meant === undefined ? `The options are: ${names.join(", ")}.` : `Did you mean "${meant}"?`;
    throw new GraphError(`A field has no option ${JSON.stringify(unknown)}. ${hint}`);
  }
  if (reducer !== undefined && typeof reducer !== "function")
    throw new GraphError(
      "The reducer of a field is no function. Give a function of the current value and the update.",
    );
  if (channel !== undefined && !(channel instanceof Channel))
    throw new GraphError("The channel of a field is none. Give one such as new Topic().");
  if (channel !== undefined && reducer !== undefined)
    throw new GraphError("A field has a channel and a reducer. A channel brings its own: give one of them.");
}

/** Declares a field of a state: `field<string>()`, `field<number>({ reducer: reducers.add, default: 0 })`. */
export function field<Value, Update = Value>(
  options: FieldOptions<Value, Update> = {},
): Field<Value, Update> {
  return new Field(options);
}

/** The fields of a state by name. */
export type FieldsLike = Readonly<Record<string, object>>;

/** What is read from a field that was declared in any of the ways. */
export type ValueOf<F> = F extends Field<infer Value, infer _> | Channel<infer Value, infer _>
  ? Value
  : F extends { readonly "~standard": { readonly types?: { readonly output: infer Output } | undefined } }
    ? Output
    : F extends { readonly channel: Channel<infer Value, infer _> }
      ? Value
      : F extends { readonly reducer: (current: infer Value, update: infer _) => unknown }
        ? Value
        : F extends { readonly default: (() => infer Value) | infer Value }
          ? Value
          : unknown;

/** What may be written to it. */
export type UpdateOf<F> = F extends Field<infer _, infer Update> | Channel<infer _, infer Update>
  ? Update
  : F extends { readonly channel: Channel<infer _, infer Update> }
    ? Update
    : F extends { readonly reducer: (current: infer _, update: infer Update) => unknown }
      ? Update
      : ValueOf<F>;

/** A whole-state schema or the fields by name. */
export type Definition = FieldsLike | StandardSchema<object, object> | Schema<FieldsLike>;

/** The state that a node reads. */
export type StateOf<D> =
  D extends Schema<infer F>
    ? { readonly [Key in keyof F]: ValueOf<F[Key]> }
    : D extends { readonly "~standard": { readonly types?: { readonly output: infer Output } | undefined } }
      ? Readonly<Output>
      : { readonly [Key in keyof D]: ValueOf<D[Key]> };

/** What a node may write: any of the fields. */
export type PartialOf<D> =
  D extends Schema<infer F>
    ? { readonly [Key in keyof F]?: UpdateOf<F[Key]> | Overwrite<ValueOf<F[Key]>> }
    : D extends { readonly "~standard": { readonly types?: { readonly output: infer Output } | undefined } }
      ? Partial<Readonly<Output>>
      : { readonly [Key in keyof D]?: UpdateOf<D[Key]> | Overwrite<ValueOf<D[Key]>> };

/** The fields of a state, declared one by one: `new Schema().field("count", { default: 0 })`. */
export class Schema<Fields extends FieldsLike = Record<never, never>> {
  readonly fields: Fields;

  constructor(fields: Fields = {} as Fields) {
    this.fields = fields;
  }

  /** The same schema with one field more. */
  field<Name extends string, Value, Update = Value>(
    name: Name,
    options: FieldOptions<Value, Update> = {},
  ): Schema<Fields & { readonly [Key in Name]: Field<Value, Update> }> {
    const more = { [name]: new Field(options) } as { readonly [Key in Name]: Field<Value, Update> };
    return new Schema({ ...this.fields, ...more });
  }
}
