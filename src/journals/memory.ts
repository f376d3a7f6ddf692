/** A journal in memory: what tests and short-lived runs use. It is gone with the process. */

import type { RunId } from "../base/names.ts";
import type { Event } from "../kernel/event.ts";
import {
  type Batch,
  Conflict,
  type RetainingJournal,
  type RunFilter,
  type RunHead,
  type StoredSnapshot,
  type Vacuumed,
  type VacuumOptions,
} from "../run/journal.ts";
import { referredIn } from "./referred.ts";

/** Keeps logs in memory for as long as the object lives: for tests, and runs that nobody will look at later. */
export class MemoryJournal implements RetainingJournal {
  readonly #logs: Map<RunId, Event[]> = new Map();
  readonly #heads: Map<RunId, RunHead> = new Map();
  readonly #texts: Map<string, string> = new Map();
  readonly #snapshots: Map<RunId, StoredSnapshot> = new Map();

  append({ run, after, events, texts, head }: Batch): void {
    let log = this.#logs.get(run);
    if (log === undefined) {
      log = [];
      this.#logs.set(run, log);
    }
    if (log.length !== after) throw new Conflict(run);
    for (const event of events) log.push(event);
    for (const { ref, text } of texts) this.#texts.set(ref, text);
    if (head !== undefined) {
      this.#heads.delete(run);
      this.#heads.set(run, head);
    }
  }

  read(run: RunId, after: number, limit: number = Number.POSITIVE_INFINITY): readonly Event[] {
    return this.#logs.get(run)?.slice(after, after + limit) ?? [];
  }

  text(ref: string): string | undefined {
    return this.#texts.get(ref);
  }

  head(run: RunId): RunHead | undefined {
    return this.#heads.get(run);
  }

  runs({
    status,
    prefix = "",
    limit = Number.POSITIVE_INFINITY,
    children = false,
  }: RunFilter = {}): RunHead[] {
    return [...this.#heads.values()]
      .reverse()
      .filter((head) => (status === undefined || head.status === status) && head.run.startsWith(prefix))
      .filter(({ parent }) => children || parent === undefined)
      .slice(0, limit);
  }

  snapshot(run: RunId): StoredSnapshot | undefined {
    return this.#snapshots.get(run);
  }

  saveSnapshot(run: RunId, snapshot: StoredSnapshot): void {
    this.#snapshots.set(run, snapshot);
  }

  /** Reading costs nothing here, so no snapshot is ever worth it. */
  weight(): number {
    return 0;
  }

  remove(runs: readonly RunId[]): void {
    for (const run of runs) {
      for (const kept of [this.#logs, this.#heads, this.#snapshots]) kept.delete(run);
    }
  }

  vacuum({ dryRun = false }: VacuumOptions = {}): Vacuumed {
    const logs = [...this.#logs.values()].flatMap((log) => log.map((event) => JSON.stringify(event)));
    const referred = referredIn(logs, (ref) => this.#texts.get(ref));
    const unused = [...this.#texts.keys()].filter((ref) => !referred.has(ref));
    if (!dryRun) for (const ref of unused) this.#texts.delete(ref);
    return { texts: unused.length, bytes: { before: 0, after: 0 } };
  }

  close(): void {}
}
