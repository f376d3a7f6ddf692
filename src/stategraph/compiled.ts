/** A compiled graph is what runs: it starts, goes on, streams, tells its state, and takes edits of it. */

import type { Command } from "../dialects/graph/command.ts";
import type { CompiledGraph } from "../dialects/graph/compile.ts";
import type { Drawing } from "../dialects/graph/drawing.ts";
import type { SubGraph } from "../dialects/graph/graph.ts";
import { toMermaid } from "../dialects/graph/mermaid.ts";
import { driveOn } from "../run/loop.ts";
import { begin } from "./begin.ts";
import { editState } from "./edit.ts";
import { forkIfOlder } from "./fork.ts";
import { type HistoryOptions, readHistory, readState } from "./history.ts";
import { graphHost } from "./host.ts";
import { Ledgers } from "./ledgers.ts";
import type { StateSnapshot } from "./moments.ts";
import { type Interrupted, resultOf } from "./outcome.ts";
import type { RunConfig } from "./run-config.ts";
import { openSession, type Session, type SessionOptions } from "./session.ts";
import { streamSession, type Wrap } from "./stream.ts";

/** What `invoke` and `stream` take: an input, a command, or `null` to go on. */
export type InputOf<Update> = Update | Command<Update> | null;

const HOST = graphHost();

export class CompiledStateGraph<State = Record<string, unknown>, Update = Partial<State>, Context = unknown>
  implements SubGraph
{
  /** What the graph was compiled to; another graph that has it as a node looks here. */
  readonly graph: CompiledGraph;
  readonly #options: SessionOptions;

  constructor(graph: CompiledGraph, options: Omit<SessionOptions, "ledgers">) {
    this.graph = graph;
    this.#options = { ...options, ledgers: new Ledgers() };
  }

  get name(): string {
    return this.graph.plan.name;
  }

  /**
   * Runs the graph on an input, or goes on with a thread (`null`, or a `Command` that answers), until it ends or
   * waits for a person. Rejects with a `NodeExecutionError`, `GraphRecursionError` or `InvalidUpdateError`, or the
   * reason of an aborted `signal`.
   */
  async invoke(
    input: InputOf<Update>,
    config: RunConfig<Context> = {},
  ): Promise<State & Partial<Interrupted>> {
    const session = await this.#open(config);
    await begin(session, input);
    const { signal } = config;
    const { ledgers, checkpointer } = this.#options;
    const stop = await driveOn(session.program, session.ledger, HOST, signal ? { signal } : {});
    if (checkpointer !== undefined) ledgers.give(session.ledger);
    return resultOf(session, stop) as State & Partial<Interrupted>; // the channels of the plan are those of the type
  }

  /**
   * Runs like `invoke` and yields what happens on the way, in one or several modes (see `streamMode`). The run goes no
   * further than the reader asks; leaving the iterator stops it cleanly after the steps in hand.
   */
  async *stream(input: InputOf<Update>, config: RunConfig<Context> = {}): AsyncGenerator<unknown, void> {
    const { streamMode = this.#options.debug ? "debug" : "values" } = config;
    const open = (wrap?: Wrap) => this.#open({ ...config, streamMode }, wrap);
    yield* streamSession(open, input, config.subgraphs === true);
  }

  /** The state of a thread: the latest, or that at `checkpoint_id`. */
  async getState(config: RunConfig): Promise<StateSnapshot<State>> {
    const snapshot = await readState(this.#options.checkpointer, config);
    return snapshot as StateSnapshot<State>; // the channels of the plan are those of the type
  }

  /** The states of a thread, newest first. */
  async *getStateHistory(
    config: RunConfig,
    options: HistoryOptions = {},
  ): AsyncGenerator<StateSnapshot<State>, void> {
    const snapshots = await readHistory(this.#options.checkpointer, config, options);
    for (const snapshot of snapshots) yield snapshot as StateSnapshot<State>; // as above
  }

  /**
   * Writes to the state through its reducers, in the name of a node: what comes after that node runs next. Without
   * `asNode` it is the node that ran last, which has to be one. Returns the config of the new moment.
   */
  async updateState(config: RunConfig<Context>, update: Update | null, asNode?: string): Promise<RunConfig> {
    return editState(await this.#open(config), update, asNode);
  }

  /** The graph as its author drew it. */
  getGraph(): { drawMermaid(): string; toJSON(): Drawing } {
    const { drawing } = this.graph;
    return { drawMermaid: () => toMermaid(drawing), toJSON: () => drawing };
  }

  async #open(config: RunConfig<Context>, wrap?: Wrap): Promise<Session> {
    const options = wrap === undefined ? this.#options : { ...this.#options, wrap };
    const session = await openSession(this.graph, options, config);
    if (config.configurable?.checkpoint_id !== undefined) await forkIfOlder(session);
    return session;
  }
}
