/** An entrypoint is a workflow that is written as plain code instead of as a graph: it runs as a graph of one node. */

import { refuseIssues, unknownOptions } from "../dialects/graph/check-options.ts";
import { Command } from "../dialects/graph/command.ts";
import type { CompiledGraph } from "../dialects/graph/compile.ts";
import type { NodeConfig } from "../dialects/graph/config.ts";
import { GraphError } from "../dialects/graph/errors.ts";
import { type Field, field } from "../dialects/graph/field.ts";
import { type Asking, currentScope } from "../dialects/graph/interrupt.ts";
import { END, START } from "../dialects/graph/names.ts";
import type { NodeOptions } from "../dialects/graph/node-options.ts";
import type { CompiledStateGraph } from "./compiled.ts";
import type { StateSnapshot } from "./moments.ts";
import { type Interrupted, isInterrupted } from "./outcome.ts";
import type { RunConfig, StreamMode } from "./run-config.ts";
import { StateGraph } from "./state-graph.ts";
import type { StateGraphCompileOptions } from "./state-graph-options.ts";

/** A workflow's name, where its threads are kept, and how often and how long its function is tried. */
export interface EntrypointOptions
  extends Pick<StateGraphCompileOptions, "checkpointer" | "durability">,
    Pick<NodeOptions, "retryPolicy" | "timeout"> {
  readonly name: string;
}

/** A result beside what the next run of the thread is to find. */
export class Final<Value = unknown, Save = unknown> {
  readonly value: Value;
  readonly save: Save;

  constructor({ value, save }: { readonly value: Value; readonly save: Save }) {
    this.value = value;
    this.save = save;
  }
}

/** What the graph of a workflow holds. */
interface Held {
  readonly input: unknown;
  readonly output: unknown;
  /** What the last run of the thread left for the next. */
  readonly previous: unknown;
}
type Fields = { readonly [Key in keyof Held]: Field<unknown> };

/** A workflow that can be run. */
export class Workflow<Input, Output> {
  readonly name: string;
  readonly #app: CompiledStateGraph<Held, Partial<Held>>;

  constructor(name: string, app: CompiledStateGraph<Held, Partial<Held>>) {
    this.name = name;
    this.#app = app;
  }

  /** What the graph of the workflow gets for an input, for those who run it as a graph. */
  fieldsOf(input: Input): { readonly input: Input } {
    return { input };
  }

  /** What the workflow was compiled to. */
  get graph(): CompiledGraph {
    return this.#app.graph;
  }

  /**
   * Runs the workflow on an input, or goes on with a thread (`null`, or a `Command` that answers). Returns what it
   * returned, or its open questions (see `isInterrupted`). Rejects as `CompiledStateGraph.invoke` does.
   */
  async invoke(input: Input | Command | null, config: RunConfig = {}): Promise<Output | Interrupted> {
    const result = await this.#app.invoke(inputOf(input), config);
    if (isInterrupted(result)) return { __interrupt__: result.__interrupt__ };
    return result.output as Output; // what the workflow returned
  }

  /**
   * Runs like `invoke` and yields what happens: `updates` (the default) are the results of tasks, then that of the
   * workflow under its own name; `values` is that result alone. Other modes are those of a graph.
   */
  async *stream(input: Input | Command | null, config: RunConfig = {}): AsyncGenerator<unknown, void> {
    const { streamMode = "updates" } = config;
    const wanted: readonly StreamMode[] = typeof streamMode === "string" ? [streamMode] : streamMode;
    const asked = new Set(wanted.map((mode) => (mode === "values" ? "updates" : mode)));
    const chunks = this.#app.stream(inputOf(input), { ...config, subgraphs: false, streamMode: [...asked] });
    for await (const item of chunks) {
      const [mode, chunk] = item as [StreamMode, unknown]; // a list of modes yields pairs
      for (const [shownAs, shown] of this.#shown(mode, chunk)) {
        if (wanted.includes(shownAs)) yield typeof streamMode === "string" ? shown : [shownAs, shown];
      }
    }
  }

  /** The state of a thread: `values.output` is the last result, `values.previous` what the next run finds. */
  getState(config: RunConfig): Promise<StateSnapshot<Held>> {
    return this.#app.getState(config);
  }

  #shown(mode: StreamMode, chunk: unknown): readonly (readonly [StreamMode, unknown])[] {
    if (mode !== "updates") return [[mode, chunk]];
    if (isInterrupted(chunk))
      return [
        [mode, chunk],
        ["values", chunk],
      ];
    const update = (chunk as Readonly<Record<string, unknown>>)[this.name]; // an update has node names as keys
    if (!isHeld(update)) return [[mode, chunk]];
    return [
      [mode, { [this.name]: update.output }],
      ["values", update.output],
    ];
  }
}

function isHeld(update: unknown): update is Held {
  return typeof update === "object" && update !== null && "output" in update && "previous" in update;
}

function inputOf(input: unknown): Partial<Held> | Command | null {
  if (input === null || input instanceof Command) return input;
  return { input };
}

type Unwrapped<Returned> = Returned extends Final<infer Value, infer _> ? Value : Returned;

interface Entrypoint {
  /**
   * Makes a workflow of a function. When it runs again, after an answer or a crash, its finished tasks do not: see
   * `task`. What it does outside of tasks has to be the same each time.
   */
  <Input, Returned>(
    options: string | EntrypointOptions,
    work: (input: Input, config: NodeConfig) => Returned | Promise<Returned>,
  ): Workflow<Input, Unwrapped<Returned>>;
  /** Returns one value from a workflow and leaves another for the next run of the thread. */
  final<Value, Save>(parts: { readonly value: Value; readonly save: Save }): Final<Value, Save>;
}

/**
 * Makes a workflow of a function: plain code whose tasks are recorded, and which is called like a compiled graph.
 *
 * When it runs again, after an answer or a crash, its finished tasks hand back what they returned then. `entrypoint.final`
 * returns one value and leaves another for the next run of the thread (`getPreviousState`).
 *
 * @example
 * const shout = task("shout", async (text: string) => text.toUpperCase());
 * const greet = entrypoint("greet", async (name: string) => `${await shout("hello")}, ${name}`);
 * await greet.invoke("Ada"); // "HELLO, Ada"
 */
export const entrypoint: Entrypoint = Object.assign(makeWorkflow, {
  final: <Value, Save>(parts: { readonly value: Value; readonly save: Save }) => new Final(parts),
});

const OPTIONS: Readonly<Record<keyof EntrypointOptions, true>> = {
  name: true,
  checkpointer: true,
  durability: true,
  retryPolicy: true,
  timeout: true,
};

function makeWorkflow<Input, Returned>(
  options: string | EntrypointOptions,
  work: (input: Input, config: NodeConfig) => Returned | Promise<Returned>,
): Workflow<Input, Unwrapped<Returned>> {
  const given: EntrypointOptions = typeof options === "string" ? { name: options } : options;
  const { name, checkpointer, durability, ...nodeOptions } = given;
  refuseIssues(unknownOptions(given, OPTIONS, { at: [], what: "entrypoint()" }));
  if (typeof name !== "string" || typeof work !== "function") {
    throw new GraphError("entrypoint(options, work) takes a name, alone or as an option, and a function.");
  }
  const fields: Fields = { input: field(), output: field(), previous: field() };
  const app = new StateGraph(fields)
    .addNode(
      name as "workflow",
      async ({ input, previous }: Held, config) => {
        const scope = currentScope();
        if (scope !== undefined) left.set(scope.asking, previous);
        const returned = await work(input as Input, config); // what `invoke` was given
        const { value, save } = returned instanceof Final ? returned : { value: returned, save: returned };
        return { output: value as unknown, previous: save as unknown };
      },
      nodeOptions,
    )
    .addEdge(START, name as "workflow")
    .addEdge(name as "workflow", END)
    .compile({ name, checkpointer, durability });
  return new Workflow(name, app);
}

/** What earlier runs left to the workflows that run now. */
const left = new WeakMap<Asking, unknown>();

/** What the last run of this thread saved or else returned; `undefined` in the first one. */
export function getPreviousState<State = unknown>(): State | undefined {
  const scope = currentScope();
  if (scope === undefined) throw new GraphError("getPreviousState() was called outside of an entrypoint.");
  return left.get(scope.asking) as State | undefined; // the caller says what it saved
}
