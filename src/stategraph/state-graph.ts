/** A state graph is built node by node and edge by edge, and compiled to something that runs. */

import type { Command, ParentCommand, Send } from "../dialects/graph/command.ts";
import { CompiledGraph } from "../dialects/graph/compile.ts";
import type { NodeConfig, PathConfig } from "../dialects/graph/config.ts";
import { Draft, type PathFunction, type PathMap } from "../dialects/graph/draft.ts";
import type { Definition, PartialOf, StateOf } from "../dialects/graph/field.ts";
import type { SubGraph } from "../dialects/graph/graph.ts";
import { type END, START } from "../dialects/graph/names.ts";
import type { NodeOptions } from "../dialects/graph/node-options.ts";
import { CompiledStateGraph } from "./compiled.ts";
import {
  checkCompileOptions,
  checkOptions,
  type StateGraphCompileOptions,
  type StateGraphOptions,
} from "./state-graph-options.ts";

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

/**
 * A graph of nodes over a state: add fields, nodes and edges, then `compile` it and call `invoke` or `stream`.
 *
 * Methods chain, and each hands back the graph with what was added in its type. A definition that cannot be run is refused
 * by `compile` with an `InvalidGraphError`, which has all its issues in one list.
 *
 * @example
 * const app = new StateGraph({ n: field<number>({ default: 0 }) })
 *   .addNode("add", ({ n }) => ({ n: n + 1 }))
 *   .addEdge(START, "add")
 *   .addConditionalEdges("add", ({ n }) => (n < 3 ? "add" : END))
 *   .compile();
 * await app.invoke({}); // { n: 3 }
 */
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
    const told = (given ?? {}) as StateGraphCompileOptions;
    const { checkpointer, durability, debug, defaults, ...rest } = told;
    const { input, output, context } = this.#options;
    const found = [...checkOptions(this.#options), ...checkCompileOptions(told)];
    const options = { ...rest, found, defaults: { ...this.#options.defaults, ...defaults } };
    const graph = new CompiledGraph(this.#draft, { fields: this.#fields, input, output }, options);
    return new CompiledStateGraph(graph, { checkpointer, durability, debug, context });
  }

  /** The same object: what it was told since shows in its type only. */
  #as<More extends string, To extends string>(): StateGraph<D, More, Context, To> {
    return this as unknown as StateGraph<D, More, Context, To>;
  }
}
