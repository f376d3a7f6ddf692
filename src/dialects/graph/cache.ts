/** A cache remembers what nodes returned, so that the same work need not be done twice. */

import { canonical, isJsonObject, type Json, type JsonObject } from "../../base/json.ts";
import type { Result } from "../../kernel/event.ts";
import type { TaskContext } from "../../kernel/program.ts";
import type { CachePolicy } from "./node-options.ts";

/** One result, and when it was made. It is plain JSON. */
export interface CacheEntry {
  /** Milliseconds since 1970 UTC. */
  readonly at: number;
  readonly value: Json;
}

type Maybe<T> = T | Promise<T>;

/** Where results are kept. A cache that loses entries costs time and nothing else. */
export interface Cache {
  get(key: string): Maybe<CacheEntry | undefined>;
  set(key: string, entry: CacheEntry): Maybe<void>;
}

/** Keeps results for as long as the process lives, the ones set last when there are more than `limit`. */
export class MemoryCache implements Cache {
  readonly #entries: Map<string, CacheEntry> = new Map();
  readonly #limit: number;

  constructor({ limit = 10_000 }: { readonly limit?: number } = {}) {
    this.#limit = limit;
  }

  get(key: string): CacheEntry | undefined {
    return this.#entries.get(key);
  }

  set(key: string, entry: CacheEntry): void {
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    if (this.#entries.size <= this.#limit) return;
    const [oldest] = this.#entries.keys();
    if (oldest !== undefined) this.#entries.delete(oldest);
  }

  clear(): void {
    this.#entries.clear();
  }
}

/** The place of one execution of a node in the cache of its graph. */
export class CacheSlot {
  readonly #cache: Cache;
  readonly #key: string;
  readonly #ttl: number;
  readonly #context: TaskContext;

  constructor(cache: Cache, { ttl = Number.POSITIVE_INFINITY }: CachePolicy, where: SlotPlace) {
    this.#cache = cache;
    this.#ttl = ttl;
    this.#context = where.context;
    this.#key = `${where.graph}/${where.context.node}:${canonical(where.key)}`;
  }

  /** The result that is still good, if there is one. */
  find(): Maybe<Result | undefined> {
    const found = this.#cache.get(this.#key);
    return found instanceof Promise ? found.then((entry) => this.#read(entry)) : this.#read(found);
  }

  keep({ writes, route, sends = [] }: Result): Maybe<void> {
    const value = { writes, route, sends } as unknown as JsonObject; // results are plain JSON
    return this.#cache.set(this.#key, { at: this.#context.now(), value });
  }

  #read(entry: CacheEntry | undefined): Result | undefined {
    if (entry === undefined || this.#context.now() - entry.at >= this.#ttl) return undefined;
    return isJsonObject(entry.value) ? (entry.value as unknown as Result) : undefined; // `keep` wrote it
  }
}

export interface SlotPlace {
  readonly graph: string;
  readonly context: TaskContext;
  readonly key: Json;
}
