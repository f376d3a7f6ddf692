/** A compiled graph is what runs: it starts, goes on, streams, tells its state, and takes edits of it. */

import type { Command } from "../dialects/graph/command.ts";
import type { CompiledGraph } from "../dialects/graph/compile.ts";
import type { Drawing } from "../dialects/graph/drawing.ts";
import { GraphError, InvalidUpdateError } from "../dialects/graph/errors.ts";
import type { SubGraph } from "../dialects/graph/graph.ts";
import { toMermaid } from "../dialects/graph/mermaid.ts";
import type { Maybe } from "../run/journal.ts";
import { Ledger } from "../run/ledger.ts";
import { checkBeginning, inStages, missingCheckpointer } from "./begin.ts";
import { driveToRest } from "./drive.ts";
import { checkEdits, editState } from "./edit.ts";
import { type FollowOptions, followRun, type RecordedChunk } from "./follow.ts";
import { forkIfOlder } from "./fork.ts";
import { type HistoryOptions, readHistory, readState } from "./history.ts";
import { graphHost } from "./host.ts";
import { Ledgers } from "./ledgers.ts";
import type { StateSnapshot } from "./moments.ts";
import { type Interrupted, resultOf } from "./outcome.ts";
import { modesOf, type RunConfig, threadOf } from "./run-config.ts";
import { asGraphError, openSession, type Session, type SessionOptions } from "./session.ts";
import { type ChunkStream, streamSession, type Wrap } from "./stream.ts";
import type { ChunkFor } from "./stream-types.ts";
import { refuseWithin, withinSubGraph } from "./within.ts";

/** What `invoke` and `stream` take: an input, a command, or `null` to go on. */
export type InputOf<Update> = Update | Command<Update> | null;

/** One of several updates at once, and the node in whose name it is made. */
export interface StateUpdate<Update = Record<string, unknown>> {
  readonly values: Update | null;
  readonly asNode?: string | undefined;
}

/**
 * What `compile()` returns: a graph that can be called any number of times, also at once.
 *
 * With a `checkpointer` each call names a thread (`{ configurable: { thread_id } }`), which is kept, can wait for a person,
 * and is gone on with by the next call. Without one every call begins anew and leaves nothing behind.
 */
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

  /** What the graph is called in logs, lists of runs and traces: the `name` that `compile` got. */
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
    const session = await this.#open(config, input);
    const { ledgers, checkpointer } = this.#options;
    const { signal } = config;
    try {
      const stop = await ledgers.whileDriven(session.ledger, async () => {
        const host = graphHost(session);
        return inStages(session, input, () =>
          driveToRest(session.program, session.ledger, host, signal ? { signal } : {}),
        );
      });
      if (checkpointer !== undefined) ledgers.give(session.ledger);
      const result = resultOf(session, stop);
      return (result instanceof Promise ? await result : result) as State & Partial<Interrupted>; // the plan's channels are the type's
    } catch (error) {
      throw asGraphError(error);
    }
  }

  /**
   * Runs like `invoke` and yields what happens on the way, in one or several modes (see `streamMode`). The run goes no
   * further than the reader asks; leaving the iterator stops it cleanly after the steps in hand.
   */
  stream<const Config extends RunConfig<Context> = Record<never, never>>(
    input: InputOf<Update>,
    config?: Config,
  ): ChunkStream<ChunkFor<State, Update, Config>> {
    const given: RunConfig<Context> = config ?? {};
    const { streamMode = this.#options.debug ? "debug" : "values", subgraphs = false, after } = given;
    const { ledgers } = this.#options;
    const open = (wrap?: Wrap) => this.#open({ ...given, streamMode }, input, wrap);
    // The modes and the path of the config are those of the type.
    return streamSession({ open, input, subgraphs, after, ledgers }) as ChunkStream<
      ChunkFor<State, Update, Config>
    >;
  }

  /**
   * Watches a thread without driving it: what was recorded after `after`, and then what is recorded live, until the
   * run is over or waits for a person. Modes are those of `stream`, save what is not recorded (`custom` and pieces of
   * messages). A reader that lost its connection goes on with the `place`
   * that it saw last; without sub-graphs the `seq` will do.
   */
  async *events(config: RunConfig, options: FollowOptions = {}): AsyncGenerator<RecordedChunk, void> {
    const { checkpointer: journal } = this.#options;
    if (journal === undefined) throw new GraphError(missingCheckpointer("events()"));
    const { streamMode = "updates", subgraphs = false, signal } = config;
    const modes = modesOf(streamMode);
    const run = threadOf(config, true);
    const followed = { journal, run, graph: this.graph, modes, isDeep: subgraphs };
    yield* followRun(followed, options, signal);
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

  /**
   * The state of a thread: the latest, or that at `checkpoint_id`. With `subgraphs`, the tasks of the latest state that
   * stand in a sub-graph tell its `state`.
   */
  async getState(
    config: RunConfig,
    { subgraphs = false }: { readonly subgraphs?: boolean } = {},
  ): Promise<StateSnapshot<State>> {
    const snapshot = await readState(this.#options.checkpointer, config, subgraphs ? this.graph : undefined);
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
    return this.#edit(config, [{ values: update, asNode }]);
  }

  /**
   * Makes several updates of the state: those of one list as if their nodes had run in one superstep, list after list.
   * Returns the config of the last moment.
   */
  async bulkUpdateState(
    config: RunConfig<Context>,
    supersteps: readonly { readonly updates: readonly StateUpdate<Update>[] }[],
  ): Promise<RunConfig> {
    if (supersteps.length === 0)
      throw new InvalidUpdateError("There is no superstep to make: give at least one.");
    let moment: RunConfig = config;
    for (const { updates } of supersteps) {
      moment = await this.#edit(
        { ...config, configurable: { ...config.configurable, ...moment.configurable } },
        updates,
      );
    }
    return moment;
  }

  /** The graph as its author drew it. */
  getGraph(): { drawMermaid(): string; toJSON(): Drawing } {
    const { drawing } = this.graph;
    return { drawMermaid: () => toMermaid(drawing), toJSON: () => drawing };
  }

  async #edit(config: RunConfig<Context>, edits: readonly StateUpdate<Update>[]): Promise<RunConfig> {
    try {
      const session = await withinSubGraph(await this.#openAt(config));
      if (config.configurable?.checkpoint_id !== undefined) checkEdits(session, edits);
      return await editState(await forkedAt(session), edits);
    } catch (error) {
      throw asGraphError(error);
    }
  }

  async #open(config: RunConfig<Context>, input: unknown, wrap?: Wrap): Promise<Session> {
    const opening = this.#openAt(config, wrap);
    const session = opening instanceof Promise ? await opening : opening;
    refuseWithin(session);
    if (config.configurable?.checkpoint_id === undefined) return session;
    await checkBeginning(session, input);
    return forkedAt(session);
  }

  #openAt(config: RunConfig<Context>, wrap?: Wrap): Maybe<Session> {
    const options = wrap === undefined ? this.#options : { ...this.#options, wrap };
    return openSession(this.graph, options, config);
  }
}

/** The session at the moment that its config names, if it names one. */
async function forkedAt(session: Session): Promise<Session> {
  if (session.config.configurable?.checkpoint_id === undefined) return session;
  return { ...session, isForked: await forkIfOlder(session) };
}
