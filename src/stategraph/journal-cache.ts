/**
 * A journal cache keeps the results of nodes beside the runs of a journal, so that they outlive the process.
 *
 * 1. Each key has a log of its own, without a head, so that no list of runs shows it; its last event counts.
 * 2. Of two processes that set one key at once the first wins: both results are right.
 */

import type { JsonObject } from "../base/json.ts";
import { type RunId, runId, taskId } from "../base/names.ts";
import { hash32 } from "../base/random.ts";
import type { Cache, CacheEntry } from "../dialects/graph/cache.ts";
import type { Event } from "../kernel/event.ts";
import { Conflict, type Journal } from "../run/journal.ts";
import { readEvents } from "../run/load.ts";

const KIND = "cached";

/** What a log holds: the whole key too, because two keys may share a log. */
interface Stored extends CacheEntry {
  readonly key: string;
}

/**
 * A cache of node results that lies in a journal, for the `cache` of `compile`: with a `SqliteSaver` it outlives the process
 * and is shared with others on the same file. `MemoryCache` keeps as much as fits for as long as the process lives.
 */
export class JournalCache implements Cache {
  readonly #journal: Journal;

  constructor(journal: Journal) {
    this.#journal = journal;
  }

  async get(key: string): Promise<CacheEntry | undefined> {
    return (await this.#latest(key)).entry;
  }

  async set(key: string, { at, value }: CacheEntry): Promise<void> {
    const run = logOf(key);
    const { seq } = await this.#latest(key);
    const data: JsonObject = { key, at, value };
    const task = taskId(0, KIND, 0);
    const event: Event = { type: "task.noted", task, kind: KIND, data, run, seq: seq + 1, at };
    try {
      await this.#journal.append({ run, after: seq, events: [event], texts: [] });
    } catch (error) {
      if (!(error instanceof Conflict)) throw error; // law 2
    }
  }

  async #latest(key: string): Promise<{ readonly seq: number; readonly entry: CacheEntry | undefined }> {
    let seq = 0;
    let entry: CacheEntry | undefined;
    for await (const event of readEvents(this.#journal, logOf(key), 0)) {
      seq = event.seq;
      if (event.type !== "task.noted" || event.kind !== KIND) continue;
      const stored = event.data as unknown as Stored; // `set` wrote it
      if (stored.key === key) entry = { at: stored.at, value: stored.value };
    }
    return { seq, entry };
  }
}

/** The log of a key: two hashes make it unlikely, and `Stored.key` harmless, that two keys share one. */
function logOf(key: string): RunId {
  const digits = [key, `${key}.`].map((text) => hash32(text).toString(16).padStart(8, "0"));
  return runId(`cache:${digits.join("")}`);
}
