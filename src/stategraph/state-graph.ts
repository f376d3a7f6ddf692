/** A state graph is built node by node and edge by edge, and compiled to something that runs. */

import type { Issue } from "../base/issue.ts";
import { invalid, unknownOptions } from "../dialects/graph/check-options.ts";
import type { Command, ParentCommand, Send } from "../dialects/graph/command.ts";
import { CompiledGraph } from "../dialects/graph/compile.ts";
import type { CompileOptions } from "../dialects/graph/compile-options.ts";
import type { NodeConfig, PathConfig } from "../dialects/graph/config.ts";
import { Draft, type PathFunction, type PathMap } from "../dialects/graph/draft.ts";
import type { Definition, PartialOf, StateOf } from "../dialects/graph/field.ts";
import type { SubGraph } from "../dialects/graph/graph.ts";
import { type END, START } from "../dialects/graph/names.ts";
import type { NodeDefaults, NodeOptions } from "../dialects/graph/node-options.ts";
import { isStandardSchema, type StandardSchema } from "../dialects/graph/standard-schema.ts";
import type { Journal } from "../run/journal.ts";
import type { Durability } from "../run/ledger.ts";
import { CompiledStateGraph } from "./compiled.ts";
import { isDurability } from "./run-config.ts";

type Told<Update, Ends extends string> = Command<Update, Ends> | ParentCommand | Send<Ends>;

/** What a node may return; `Ends` are the nodes that it may go to. */
export type NodeResult<Update, Ends extends string = string> =
  | Update
  | Told<Update, Ends>
  | readonly Told<Update, Ends>[]
  | null
  | undefined;

/** What a node does: it reads the state and returns a part of it, or says where to go. */
export type NodeAction<State, Update, Context = unknown, Ends extends string = string> = (
  state: State,
  config: NodeConfig<Context>,
) => NodeResult<Update, Ends> | Promise<NodeResult<Update, Ends>>;

/** Any name as long as no node is known to the type; the names of the nodes from then on. */
type Known<Nodes extends string> = [Nodes] extends [never] ? string : Nodes;
type Source<Nodes extends string> = typeof START | Known<Nodes>;
type Target<Nodes extends string> = typeof END | Known<Nodes>;

export type PathResult<Nodes extends string> = Target<Nodes> | Send | readonly (Target<Nodes> | Send)[];
type Key = string | number | boolean;
export type MappedPathResult = Key | Send | readonly (Key | Send)[];

/** The keys that the results of a path are looked up by. */
type KeysOf<Result> = Result extends readonly (infer Item)[]
  ? KeysOf<Item>
  : Result extends Key
    ? Exclude<`${Result}`, typeof END>
    : never;

/** A map has a target for each result, or a `default`. */
type MapFor<Result, To extends string> = Readonly<Record<string, To>> &
  (string extends KeysOf<Result>
    ? unknown
    : { readonly default: To } | { readonly [Key in KeysOf<Result>]: To });

/** A step of a sequence: a node that is there, or one to be added. */
type Step<State, Update, Context> = string | readonly [string, NodeAction<State, Update, Context> | SubGraph];
type NamesIn<S> = S extends readonly [infer Name extends string, unknown]
  ? Name
  : S extends string
    ? S
    : never;

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

/** The ends that nodes declare and that are no nodes of the graph. */
type Missing<Nodes extends string, Ends extends string> = [Nodes] extends [never]
  ? never
  : Exclude<Ends, Nodes | typeof END>;

/** The arguments of `compile`; a chained graph whose nodes declare ends that do not exist cannot be compiled. */
type CompileArguments<Nodes extends string, Ends extends string> = [Missing<Nodes, Ends>] extends [never]
  ? [options?: StateGraphCompileOptions]
  : [{ readonly "these ends are no nodes": Missing<Nodes, Ends> }];

/** Ends as far as the type knows them. */
type Literal<Name extends string> = string extends Name ? never : Name;

export interface StateGraphCompileOptions extends Omit<CompileOptions, "found"> {
  /** Keeps the threads; without one a run is gone when the call returns, and cannot wait for a person. */
  readonly checkpointer?: Journal | undefined;
  readonly durability?: Durability | undefined;
  /** Makes `debug` the stream mode of calls that name none; the type of such a call does not know, and says `values`. */
  readonly debug?: boolean | undefined;
}

export class StateGraph<
  D extends Definition,
  Nodes extends string = never,
  Context = unknown,
  Ends extends string = never,
> {
  readonly #draft: Draft = new Draft();
  readonly #fields: D;
  readonly #options: StateGraphOptions<Context>;

  constructor(fields: D, options: StateGraphOptions<Context> = {}) {
    this.#fields = fields;
    this.#options = options;
  }

  /**
   * Adds a node: a function `(state, config)` of which both are optional, or a compiled graph. With `ends`, the
   * compiler checks that the node goes nowhere else.
   */
  addNode<const Name extends string, Input = StateOf<D>, const To extends string = string>(
    name: Name,
    action: NodeAction<Input, PartialOf<D>, Context, NoInfer<To>> | SubGraph,
    options?: NodeOptions<To>,
  ): StateGraph<D, Nodes | Name, Context, Ends | Literal<To>> {
    this.#draft.addNode(name, action, options);
    return this.#as();
  }

  /** Leads from one node to another; from several, once all of them have finished. */
  addEdge(from: Source<Nodes> | readonly Known<Nodes>[], to: Target<Nodes>): this {
    this.#draft.addEdge(from, to);
    return this;
  }

  /**
   * Leads where `path` says, asked after each run of the node on the state as that node leaves it: a name, a list, a
   * `Send`, or `END`. A path map translates results, with `default` for all others; a list of targets is for checking
   * and drawing.
   */
  addConditionalEdges<const Result extends MappedPathResult>(
    from: Source<Nodes>,
    path: (state: StateOf<D>, config: PathConfig<Context>) => Result | Promise<Result>,
    pathMap: MapFor<Result, Target<Nodes>>,
  ): this;
  addConditionalEdges(
    from: Source<Nodes>,
    path: (state: StateOf<D>, config: PathConfig<Context>) => PathResult<Nodes> | Promise<PathResult<Nodes>>,
    targets?: readonly Target<Nodes>[],
  ): this;
  addConditionalEdges(from: string, path: PathFunction, pathMap?: PathMap): this {
    this.#draft.addConditionalEdges(from, path, pathMap);
    return this;
  }

  /** Leads through these nodes one after the other: names, or pairs of a name and an action to add. */
  addSequence<const Steps extends readonly Step<StateOf<D>, PartialOf<D>, Context>[]>(
    steps: Steps,
  ): StateGraph<D, Nodes | NamesIn<Steps[number]>, Context, Ends> {
    this.#draft.addSequence(steps);
    return this.#as();
  }

  /** The same as an edge from `START`. */
  setEntryPoint(node: Known<Nodes>): this {
    this.#draft.setEntryPoint(node);
    return this;
  }

  /** The same as an edge to `END`. */
  setFinishPoint(node: Known<Nodes>): this {
    this.#draft.setFinishPoint(node);
    return this;
  }

  /** The same as conditional edges from `START`. */
  setConditionalEntryPoint<const Result extends MappedPathResult>(
    path: (state: StateOf<D>, config: PathConfig<Context>) => Result | Promise<Result>,
    pathMap: MapFor<Result, Target<Nodes>>,
  ): this;
  setConditionalEntryPoint(
    path: (state: StateOf<D>, config: PathConfig<Context>) => PathResult<Nodes> | Promise<PathResult<Nodes>>,
    targets?: readonly Target<Nodes>[],
  ): this;
  setConditionalEntryPoint(path: PathFunction, pathMap?: PathMap): this {
    this.#draft.addConditionalEdges(START, path, pathMap);
    return this;
  }

  /** Checks everything and makes the graph ready to run. Throws an `InvalidGraphError` with all issues. */
  compile(...[given]: CompileArguments<Nodes, Ends>): CompiledStateGraph<StateOf<D>, PartialOf<D>, Context> {
    // Where the type has no options, it is there to stop the compiler, and nobody passes any.
    const { checkpointer, durability, debug, defaults, ...rest } = (given ?? {}) as StateGraphCompileOptions;
    const { input, output, context } = this.#options;
    const found = [
      ...checkOptions(this.#options),
      ...unknownOptions(given ?? {}, COMPILE_OPTIONS, { at: [], what: "compile()" }),
      ...checkKeeping({ checkpointer, durability }),
    ];
    const options = { ...rest, found, defaults: { ...this.#options.defaults, ...defaults } };
    const graph = new CompiledGraph(this.#draft, { fields: this.#fields, input, output }, options);
    return new CompiledStateGraph(graph, { checkpointer, durability, debug, context });
  }

  /** The same object: what it was told since shows in its type only. */
  #as<More extends string, To extends string>(): StateGraph<D, More, Context, To> {
    return this as unknown as StateGraph<D, More, Context, To>;
  }
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

function checkOptions(options: object): Issue[] {
  if (isStandardSchema(options)) {
    const why = "The options of the graph are a schema.";
    return [invalid([], why, "Give it as an option: { context: schema }, or { input } and { output }.")];
  }
  return unknownOptions(options, OPTIONS, { at: [], what: "StateGraph" });
}

function checkKeeping({
  checkpointer,
  durability,
}: Pick<StateGraphCompileOptions, "checkpointer" | "durability">): Issue[] {
  const isSaver =
    checkpointer === undefined || typeof (checkpointer as Journal | null)?.append === "function";
  return [
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
