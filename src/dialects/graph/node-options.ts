/** The options of a node: how often it is tried, how long it may take, what is remembered, and what else it says. */

import type { Json } from "../../base/json.ts";
import type { Attempts } from "../../kernel/plan.ts";

/**
 * How often a node that throws is tried, and how long it is waited for in between. Once attempts are used up the run fails
 * with a `NodeExecutionError`, unless the node has an `onError`.
 */
export interface RetryPolicy {
  /** Milliseconds before the second attempt; 500 by default. */
  readonly initialInterval?: number;
  /** What the interval is multiplied by after each attempt; 2 by default. */
  readonly backoffFactor?: number;
  /** The longest interval in milliseconds; 128,000 by default. */
  readonly maxInterval?: number;
  /** How often the node is tried in all; 3 by default. */
  readonly maxAttempts?: number;
  /** Shortens each interval by up to a half, drawn from the name of the task; true by default. */
  readonly jitter?: boolean;
  /** Which errors are worth another attempt: a question, or the classes of errors; by default all are. */
  readonly retryOn?: ((error: unknown) => boolean) | readonly (abstract new (...args: never[]) => unknown)[];
}

/** How long one attempt may take, in milliseconds. */
export interface Timeout {
  /** In all. */
  readonly run?: number;
  /** Without a sign of life: `config.heartbeat()`, a chunk that it writes, or a recorded `once`. */
  readonly idle?: number;
}

/** When the result of an earlier run of the node will do. */
export interface CachePolicy {
  /** What the result depends on; by default everything that the node reads. */
  readonly key?: (input: never) => Json;
  /** How long a result is good for, in milliseconds; for ever by default. */
  readonly ttl?: number;
}

/**
 * Takes the place of a node that failed for good: it gets the error, and what it returns counts as what the node
 * returned. `input` and `config` are those of the node.
 */
export type ErrorHandler = (error: unknown, input: never, config: never) => unknown;

/** What can be set for all nodes of a graph at once. */
export interface NodeDefaults {
  /** How often a node is tried that throws; once when absent. */
  readonly retryPolicy?: RetryPolicy;
  /** A number limits the whole attempt, in milliseconds. An attempt that takes longer fails and may be tried again. */
  readonly timeout?: number | Timeout;
  /** Remembers results in the `cache` of the graph; `true` for ever, by everything that the node reads. */
  readonly cache?: true | CachePolicy;
  /** Called when no attempt is left. */
  readonly onError?: ErrorHandler;
}

/** The options of `addNode`; each of them wins over the `defaults` of the graph. */
export interface NodeOptions<Ends extends string = string> extends NodeDefaults {
  /** Where the node may go by `Command.goto`, for checking and drawing. */
  readonly ends?: readonly Ends[];
  /** The fields that the node reads, and those of its own that nobody else declares. */
  readonly input?: object;
  /** Waits until nothing else can run. */
  readonly defer?: boolean;
}

/** A timeout in its long form. */
export function timeoutOf(timeout: number | Timeout | undefined): Timeout | undefined {
  return typeof timeout === "number" ? { run: timeout } : timeout;
}

const RETRY = { initialInterval: 500, backoffFactor: 2, maxInterval: 128_000, maxAttempts: 3, jitter: true };

/** A retry policy as the kernel knows it. */
export function attemptsOf(policy: RetryPolicy): Attempts {
  const { maxAttempts: max, initialInterval, backoffFactor, maxInterval, jitter } = { ...RETRY, ...policy };
  return { max, initialInterval, backoffFactor, maxInterval, jitter };
}
