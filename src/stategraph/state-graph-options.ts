/** What a state graph and its `compile` may be told, and the checks of both. */

import type { Issue } from "../base/issue.ts";
import { invalid, unknownOptions } from "../dialects/graph/check-options.ts";
import type { CompileOptions } from "../dialects/graph/compile-options.ts";
import type { Definition } from "../dialects/graph/field.ts";
import type { NodeDefaults } from "../dialects/graph/node-options.ts";
import { isStandardSchema, type StandardSchema } from "../dialects/graph/standard-schema.ts";
import type { Journal } from "../run/journal.ts";
import type { Durability } from "../run/ledger.ts";
import { isDurability } from "./run-config.ts";

/** What a graph is given beside the fields of its state; nothing of it is needed. */
export interface StateGraphOptions<Context = unknown> {
  /** The fields of the input, when they are not all fields of the state. */
  readonly input?: Definition;
  /** The fields of the result, when they are not all fields of the state. */
  readonly output?: Definition;
  /** Validates what a caller passes as `context`. */
  readonly context?: StandardSchema<Context, unknown>;
  /** Options that hold for every node which does not say otherwise. */
  readonly defaults?: NodeDefaults;
}

/** How a graph is compiled; nothing of it is needed. */
export interface StateGraphCompileOptions extends Omit<CompileOptions, "found"> {
  /** Keeps the threads; without one a run is gone when the call returns, and cannot wait for a person. */
  readonly checkpointer?: Journal | undefined;
  /** When progress reaches the checkpointer, where a call does not say: `sync` (the default), `async` or `exit`. */
  readonly durability?: Durability | undefined;
  /** Makes `debug` the stream mode of calls that name none; the type of such a call does not know, and says `values`. */
  readonly debug?: boolean | undefined;
}

const OPTIONS: Readonly<Record<keyof StateGraphOptions, true>> = {
  input: true,
  output: true,
  context: true,
  defaults: true,
};

const COMPILE_OPTIONS: Readonly<Record<keyof StateGraphCompileOptions, true>> = {
  checkpointer: true,
  pace: true,
  interruptBefore: true,
  interruptAfter: true,
  debug: true,
  durability: true,
  name: true,
  maxConcurrency: true,
  defaults: true,
  cache: true,
};

/** What is wrong with the options of a graph. */
export function checkOptions(options: object): Issue[] {
  if (isStandardSchema(options)) {
    const why = "The options of the graph are a schema.";
    return [invalid([], why, "Give it as an option: { context: schema }, or { input } and { output }.")];
  }
  return unknownOptions(options, OPTIONS, { at: [], what: "StateGraph" });
}

/** What is wrong with the options of `compile` that are not those of the definition. */
export function checkCompileOptions(given: StateGraphCompileOptions): Issue[] {
  const { checkpointer, durability } = given;
  const isSaver =
    checkpointer === undefined || typeof (checkpointer as Journal | null)?.append === "function";
  return [
    ...unknownOptions(given, COMPILE_OPTIONS, { at: [], what: "compile()" }),
    ...(isSaver
      ? []
      : [
          invalid(
            ["checkpointer"],
            "The checkpointer is no saver.",
            "Give one such as new MemorySaver(), or leave the option out; a sub-graph is kept by the graph around it.",
          ),
        ]),
    ...(durability === undefined || isDurability(durability)
      ? []
      : [
          invalid(
            ["durability"],
            `The durability is ${String(durability)}.`,
            'Give "sync", "async" or "exit".',
          ),
        ]),
  ];
}
