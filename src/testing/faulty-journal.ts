/**
 * A faulty journal stands for a process that dies while it appends, on a journal that outlives it.
 *
 * 1. Appends are counted from 1. The one that the plan names throws a `Crash`, with its write kept or lost.
 * 2. A dead process does nothing more: every call after that throws a `Crash` too, and the inner journal stays open
 *    for the process that comes next.
 */

import type { RunId } from "../base/names.ts";
import type { Event } from "../kernel/event.ts";
import type { Batch, Journal, Maybe, RunFilter, RunHead, StoredSnapshot } from "../run/journal.ts";

export interface CrashPlan {
  /** The append to crash at, counted from 1; none when absent, which is how appends are counted. */
  readonly append?: number;
  /** Whether the journal has what was to be appended; `lost` when absent. */
  readonly write?: "kept" | "lost";
}

/** The process died. */
export class Crash extends Error {
  override readonly name: string = "Crash";
}

export class FaultyJournal implements Journal {
  readonly #inner: Journal;
  readonly #plan: CrashPlan;
  #appends: number = 0;
  #crashed: boolean = false;

  constructor(inner: Journal, plan: CrashPlan = {}) {
    this.#inner = inner;
    this.#plan = plan;
  }

  /** How many appends there were, with the one that crashed. */
  get appends(): number {
    return this.#appends;
  }

  get crashed(): boolean {
    return this.#crashed;
  }

  append(batch: Batch): Maybe<void> {
    const inner = this.#alive();
    this.#appends++;
    if (this.#appends !== this.#plan.append) return inner.append(batch);
    this.#crashed = true;
    const { append, write = "lost" } = this.#plan;
    const crash = new Crash(`The process died at append ${append}; its write is ${write}.`);
    const appended = write === "kept" ? inner.append(batch) : undefined;
    if (!(appended instanceof Promise)) throw crash;
    return appended.then(() => {
      throw crash;
    });
  }

  read(run: RunId, after: number, limit?: number): Maybe<readonly Event[]> {
    return this.#alive().read(run, after, limit);
  }

  text(ref: string): Maybe<string | undefined> {
    return this.#alive().text(ref);
  }

  head(run: RunId): Maybe<RunHead | undefined> {
    return this.#alive().head(run);
  }

  runs(filter?: RunFilter): Maybe<readonly RunHead[]> {
    return this.#alive().runs(filter);
  }

  snapshot(run: RunId): Maybe<StoredSnapshot | undefined> {
    return this.#alive().snapshot(run);
  }

  saveSnapshot(run: RunId, snapshot: StoredSnapshot): Maybe<void> {
    return this.#alive().saveSnapshot(run, snapshot);
  }

  weight(run: RunId, after: number): Maybe<number> {
    return this.#alive().weight(run, after);
  }

  close(): Maybe<void> {
    if (!this.#crashed) return this.#inner.close();
  }

  #alive(): Journal {
    if (this.#crashed) throw new Crash("The process is dead.");
    return this.#inner;
  }
}
