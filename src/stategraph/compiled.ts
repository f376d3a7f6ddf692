/** A compiled graph is what runs: it starts, goes on, streams, tells its state, and takes edits of it. */

import type { Command } from "../dialects/graph/command.ts";
import type { CompiledGraph } from "../dialects/graph/compile.ts";
import type { Drawing } from "../dialects/graph/drawing.ts";
import { GraphError } from "../dialects/graph/errors.ts";
import type { SubGraph } from "../dialects/graph/graph.ts";
import { toMermaid } from "../dialects/graph/mermaid.ts";
import { Ledger } from "../run/ledger.ts";
import { begin, missingCheckpointer } from "./begin.ts";
import { driveToRest } from "./drive.ts";
import { editState } from "./edit.ts";
import { type FollowOptions, followRun, type RecordedChunk } from "./follow.ts";
import { forkIfOlder } from "./fork.ts";
import { type HistoryOptions, readHistory, readState } from "./history.ts";
import { graphHost } from "./host.ts";
import { Ledgers } from "./ledgers.ts";
import type { StateSnapshot } from "./moments.ts";
import { type Interrupted, resultOf } from "./outcome.ts";
import { type RunConfig, threadOf } from "./run-config.ts";
import { asGraphError, openSession, type Session, type SessionOptions } from "./session.ts";
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
    const { ledgers, checkpointer } = this.#options;
    const { signal } = config;
    try {
      const stop = await ledgers.whileDriven(session.ledger, async () => {
        await begin(session, input);
        return driveToRest(session.program, session.ledger, HOST, signal ? { signal } : {});
      });
      if (checkpointer !== undefined) ledgers.give(session.ledger);
      return (await resultOf(session, stop)) as State & Partial<Interrupted>; // the plan's channels are the type's
    } catch (error) {
      throw asGraphError(error);
    }
  }

  /**
   * Runs like `invoke` and yields what happens on the way, in one or several modes (see `streamMode`). The run goes no
   * further than the reader asks; leaving the iterator stops it cleanly after the steps in hand.
   */
  async *stream(input: InputOf<Update>, config: RunConfig<Context> = {}): AsyncGenerator<unknown, void> {
    const { streamMode = this.#options.debug ? "debug" : "values", subgraphs = false } = config;
    const { ledgers } = this.#options;
    const open = (wrap?: Wrap) => this.#open({ ...config, streamMode }, wrap);
    yield* streamSession({ open, input, subgraphs, ledgers });
  }

  /**
   * Watches a thread without driving it: what was recorded after `after`, and then what is recorded live, until the
   * run is over or waits for a person. Modes are those of `stream`, save what is not recorded (`custom` and pieces of
   * messages). A reader that lost its connection goes on with the `seq` that it saw last.
   */
  async *events(config: RunConfig, options: FollowOptions = {}): AsyncGenerator<RecordedChunk, void> {
    const { checkpointer: journal } = this.#options;
    if (journal === undefined) throw new GraphError(missingCheckpointer("events()"));
    const { streamMode = "updates", signal } = config;
    const modes = typeof streamMode === "string" ? [streamMode] : streamMode;
    const run = threadOf(config, true);
    yield* followRun({ journal, run, graph: this.graph, modes, signal }, options);
  }

  /**
   * Stops a running thread at its next boundary: tasks in hand finish and are recorded, and no others start. The call
   * that runs it returns the state so far, and `invoke(null)` goes on. Says whether there was anything to stop.
   */
  async drain(config: RunConfig): Promise<boolean> {
    const { checkpointer: journal, ledgers } = this.#options;
    if (journal === undefined) throw new GraphError(missingCheckpointer("drain()"));
    const run = threadOf(config, true);
    const ledger = ledgers.drivenOf(run) ?? (await Ledger.open(journal, run));
    return ledger.command((state, emit) => {
      const runs = state.status === "running";
      if (runs) emit({ type: "run.paused", reason: "drained" });
      return runs;
    });
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
    try {
      return await editState(await this.#open(config), update, asNode);
    } catch (error) {
      throw asGraphError(error);
    }
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
