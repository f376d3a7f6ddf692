/** The config of a call: which thread, from where, how far, and what its nodes get to see of it. */

import type { RunId } from "../base/names.ts";
import { closest, runId } from "../base/names.ts";
import { DEFAULT_LIMIT } from "../dialects/graph/compile.ts";
import { GraphError } from "../dialects/graph/errors.ts";
import type { Durability } from "../run/ledger.ts";

/**
 * What a stream tells: `values`, the state after each superstep; `updates`, what each node wrote; `tasks`, the beginning and
 * end of each; `checkpoints`, what `getState` would say; `debug`, both of these; `custom` and `messages`, what nodes send
 * while they run.
 */
export type StreamMode = "values" | "updates" | "debug" | "tasks" | "checkpoints" | "custom" | "messages";

/**
 * What a call of a compiled graph is told: `invoke(input, config)`. All of it is optional, but for the thread where the
 * graph has a checkpointer. A value that cannot be is refused with a `GraphError`.
 */
export interface RunConfig<Context = unknown> {
  /** Which thread, from where, and whatever else nodes are to find as `config.configurable`. */
  readonly configurable?: {
    /** The thread to go on with; needed with a checkpointer. */
    readonly thread_id?: string | undefined;
    /** A moment of the thread to go on from; when it is not the latest, the thread forks there. */
    readonly checkpoint_id?: string | undefined;
    readonly [key: string]: unknown;
  };
  /** The same as `configurable.thread_id`. */
  readonly threadId?: string | undefined;
  /** The most supersteps that this call may take; 25 by default. */
  readonly recursionLimit?: number | undefined;
  /** What `stream` yields; `values` by default. */
  readonly streamMode?: StreamMode | readonly StreamMode[] | undefined;
  /** Makes `stream` yield what sub-graphs do too, and the path before each chunk. */
  readonly subgraphs?: boolean | undefined;
  /**
   * Makes `stream` begin with what was recorded behind this place and go on from there: the sequence number of an
   * event, or what `stream.place` told. Modes have to be those of the stream that told it.
   */
  readonly after?: number | string | undefined;
  /**
   * The most nodes of one graph that run at once in this call, and in its sub-graphs; what `compile` was told by
   * default. At pace `turn` it is no more than that.
   */
  readonly maxConcurrency?: number | undefined;
  /** Fires to abort: the call rejects with its reason, and what was not finished stays to be done. */
  readonly signal?: AbortSignal | undefined;
  /** Handed to every node as `config.context`. */
  readonly context?: Context | undefined;
  /** When progress reaches the checkpointer: `sync` (the default), `async` or at the `exit` of the call. */
  readonly durability?: Durability | undefined;
}

const MODES: Readonly<Record<StreamMode, true>> = {
  values: true,
  updates: true,
  debug: true,
  tasks: true,
  checkpoints: true,
  custom: true,
  messages: true,
};

/** The stream modes of a call, as a list. */
export function modesOf(streamMode: StreamMode | readonly StreamMode[]): readonly StreamMode[] {
  const modes = typeof streamMode === "string" ? [streamMode] : streamMode;
  const unknown = modes.find((mode) => !Object.hasOwn(MODES, mode));
  if (unknown === undefined) return modes;
  const meant = closest(String(unknown), Object.keys(MODES));
  const hint =
    meant === undefined ? `The modes are: ${Object.keys(MODES).join(", ")}.` : `Did you mean "${meant}"?`;
  throw new GraphError(`There is no stream mode ${JSON.stringify(unknown)}. ${hint}`);
}

/** Says whether this is a durability. */
export function isDurability(value: unknown): value is Durability {
  return value === "sync" || value === "async" || value === "exit";
}

/** When progress of a call reaches the checkpointer; nothing when the call does not say. */
export function durabilityOf({ durability }: RunConfig): Durability | undefined {
  if (durability === undefined || isDurability(durability)) return durability;
  throw new GraphError(`durability is ${String(durability)}; it has to be "sync", "async" or "exit".`);
}

/** Refuses what a call cannot say, where it would change what the run does if it could. */
export function refuseMisplaced(config: RunConfig): void {
  if (!("interruptBefore" in config || "interruptAfter" in config)) return;
  throw new GraphError(
    "interruptBefore and interruptAfter are options of compile() and not of a call: where a run pauses is part of the graph.",
  );
}

/** The thread that a config names. Throws when it names none and one is needed. */
export function threadOf({ configurable, threadId }: RunConfig, isKept: boolean): RunId {
  const name = configurable?.thread_id ?? threadId;
  if (name !== undefined) {
    try {
      return runId(String(name));
    } catch (error) {
      throw new GraphError((error as Error).message, { cause: error });
    }
  }
  if (!isKept) return crypto.randomUUID() as string as RunId; // a random id is a good name for a run
  throw new GraphError(
    "This graph was compiled with a checkpointer, so a call has to say which thread it is about: pass { configurable: { thread_id } }.",
  );
}

/** The most supersteps of a call. */
export function limitOf({ recursionLimit = DEFAULT_LIMIT }: RunConfig): number {
  if (Number.isInteger(recursionLimit) && recursionLimit > 0) return recursionLimit;
  throw new GraphError(`recursionLimit is ${recursionLimit}; it has to be a whole number of at least 1.`);
}

/** The most nodes that run at once in a call, if it says so. */
export function concurrencyOf({ maxConcurrency }: RunConfig): number | undefined {
  if (maxConcurrency === undefined || maxConcurrency === Number.POSITIVE_INFINITY) return maxConcurrency;
  if (Number.isInteger(maxConcurrency) && maxConcurrency > 0) return maxConcurrency;
  throw new GraphError(`maxConcurrency is ${maxConcurrency}; it has to be a whole number of at least 1.`);
}
