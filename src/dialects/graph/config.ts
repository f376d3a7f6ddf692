/** The config is what a node gets beside the state: who it is, and what it may ask of the run. */

import type { Signal } from "../../base/abort.ts";
import type { Json } from "../../base/json.ts";
import type { TaskContext } from "../../kernel/program.ts";
import { GraphError } from "./errors.ts";
import type { Machine, Watch } from "./machine.ts";
import { open, seal } from "./values.ts";

/** How a task shows its progress to streams. */
export interface Shown {
  readonly mode: "custom" | "messages" | "updates";
  readonly chunk: unknown;
}

/** What a path function gets beside the state. */
export interface PathConfig<Context = unknown> {
  readonly configurable: Readonly<Record<string, unknown>>;
  readonly context: Context;
}

/** What the caller of a run passes to its nodes. */
export interface Invocation extends PathConfig {
  readonly machine: Machine;
  /** True when another graph has this one as a node. */
  readonly isChild?: boolean;
  /** True when nodes run over a log: their results are neither looked for in a cache nor kept in one. */
  readonly isRerun?: boolean;
}

/** Asks people, in the order of the calls. */
interface Asks {
  take(): number;
  ask(value: unknown, call: number): unknown;
}

/** What one attempt at a node brings with it. */
export interface Attempt {
  readonly asking: Asks;
  /** Present when the time of the attempt is limited: its signal is that of the attempt then. */
  readonly watch: Watch | undefined;
}

/**
 * The second argument of a node, `(state, config)`: who runs, what the caller gave, and what a node may ask of the run.
 * What it hands out may be taken apart: `({ n }, { once, signal }) => …`.
 */
export class NodeConfig<Context = unknown> implements PathConfig<Context> {
  readonly #task: TaskContext;
  readonly #invocation: Invocation;
  readonly #attempt: Attempt;

  constructor(task: TaskContext, invocation: Invocation, attempt: Attempt) {
    this.#task = task;
    this.#invocation = invocation;
    this.#attempt = attempt;
  }

  /** What the caller gave as `configurable`, with its `thread_id`. */
  get configurable(): Readonly<Record<string, unknown>> {
    return this.#invocation.configurable;
  }

  /** What the caller gave as `context`. */
  get context(): Context {
    return this.#invocation.context as Context; // checked where the caller gave it
  }

  /** The name of the node. */
  get node(): string {
    return this.#task.node;
  }

  /** The id of this execution, such as `3/review`. */
  get task(): string {
    return this.#task.task;
  }

  /** The number of the superstep, counted from 1 within the thread. */
  get step(): number {
    return this.#task.step;
  }

  /** Counts from 1; goes up with each retry. */
  get attempt(): number {
    return this.#task.attempt;
  }

  /** The same text whenever the same attempt runs again, for services that deduplicate requests. */
  get idempotencyKey(): string {
    return this.#task.idempotencyKey;
  }

  /** Fires when the run is aborted, the node is told to stop, or its time is up. */
  get signal(): Signal {
    return this.#attempt.watch?.signal ?? this.#task.signal;
  }

  /** Says that the node is alive, for its idle timeout. */
  get heartbeat(): () => void {
    return () => this.#attempt.watch?.beat();
  }

  /** The same as `interrupt`, for platforms on which that works up to the first `await` only. */
  get interrupt(): <Answer = unknown>(value: unknown) => Answer {
    const { asking } = this.#attempt;
    return <Answer>(value: unknown) => asking.ask(value, asking.take()) as Answer; // the caller says what it asked for
  }

  /** Sends a chunk to readers of the stream mode `custom`, now; it is not recorded. */
  get writer(): (chunk: unknown) => void {
    return (chunk) => this.#show({ mode: "custom", chunk });
  }

  /** Sends a piece of a message, such as a token, to readers of the stream mode `messages`, now. */
  get messageWriter(): (chunk: unknown) => void {
    return (chunk) => this.#show({ mode: "messages", chunk });
  }

  /** Runs an effect and records its value; when the node runs again, it gets the recorded value instead. */
  get once(): <T>(key: string, effect: () => T | Promise<T>) => Promise<T> {
    return async <T>(key: string, effect: () => T | Promise<T>) => {
      if (typeof key !== "string" || typeof effect !== "function") {
        throw new GraphError(
          "once(key, effect) takes a text that names the effect, and a function that does it.",
        );
      }
      const run = async (): Promise<Json> =>
        seal(await effect(), `The value of once(${JSON.stringify(key)})`);
      const value = await this.#task.once(key, run);
      this.#attempt.watch?.beat();
      return open(value) as T; // sealed here, from a T
    };
  }

  /** What an attempt shows after its time is up is not shown. */
  #show(shown: Shown): void {
    if (this.#attempt.watch?.signal.aborted) return;
    this.#attempt.watch?.beat();
    this.#task.progress(shown);
  }
}
