/**
 * A watched journal passes everything on to another one and tells what happens to the children of a run.
 *
 * 1. Whatever a child appends was first read, or is its beginning: both pass here, so its state can be folded on the way.
 * 2. Only what was appended is told, once the other journal has it.
 */

import type { JsonObject } from "../base/json.ts";
import type { RunId } from "../base/names.ts";
import { restoreState } from "../kernel/archive.ts";
import type { Event } from "../kernel/event.ts";
import { evolve } from "../kernel/evolve.ts";
import { emptyState, type RunState } from "../kernel/state.ts";
import type { Batch, Journal, Maybe, RunFilter, RunHead, StoredSnapshot } from "../run/journal.ts";

/** Told each event that a child has recorded, with the state that it led to; `path` names the tasks that lead there. */
export type Watcher = (path: readonly string[], event: Event, state: RunState) => void;

export class WatchedJournal implements Journal {
  readonly #inner: Journal;
  readonly #root: RunId;
  readonly #watcher: Watcher;
  readonly #states: Map<RunId, RunState> = new Map();

  constructor(inner: Journal, root: RunId, watcher: Watcher) {
    this.#inner = inner;
    this.#root = root;
    this.#watcher = watcher;
  }

  append(batch: Batch): Maybe<void> {
    const tell = () => this.#tell(batch);
    const appended = this.#inner.append(batch);
    return appended instanceof Promise ? appended.then(tell) : tell();
  }

  read(run: RunId, after: number, limit?: number): Maybe<readonly Event[]> {
    return then(this.#inner.read(run, after, limit), (events) => {
      if (run !== this.#root) this.#fold(run, events);
      return events;
    });
  }

  snapshot(run: RunId): Maybe<StoredSnapshot | undefined> {
    return then(this.#inner.snapshot(run), (stored) => {
      if (stored !== undefined && run !== this.#root) this.#restore(run, stored.seq, stored.state);
      return stored;
    });
  }

  text(ref: string): Maybe<string | undefined> {
    return this.#inner.text(ref);
  }

  head(run: RunId): Maybe<RunHead | undefined> {
    return this.#inner.head(run);
  }

  runs(filter?: RunFilter): Maybe<readonly RunHead[]> {
    return this.#inner.runs(filter);
  }

  saveSnapshot(run: RunId, snapshot: StoredSnapshot): Maybe<void> {
    return this.#inner.saveSnapshot(run, snapshot);
  }

  weight(run: RunId, after: number): Maybe<number> {
    return this.#inner.weight(run, after);
  }

  close(): Maybe<void> {
    return this.#inner.close();
  }

  /** The tasks that lead from the root to a run. */
  pathTo(run: RunId): readonly string[] {
    const parent = run === this.#root ? undefined : this.#states.get(run)?.parent;
    return parent === undefined ? [] : [...this.pathTo(parent.run), parent.task];
  }

  #tell({ run, events }: Batch): void {
    if (run === this.#root) return;
    for (const event of events) {
      const state = this.#fold(run, [event]);
      this.#watcher(this.pathTo(run), event, state);
    }
  }

  #fold(run: RunId, events: readonly Event[]): RunState {
    const state = this.#states.get(run) ?? emptyState(run);
    this.#states.set(run, state);
    for (const event of events) if (event.seq > state.seq) evolve(state, event);
    return state;
  }

  #restore(run: RunId, seq: number, archive: JsonObject): void {
    if ((this.#states.get(run)?.seq ?? 0) >= seq) return;
    const state = restoreState(run, archive);
    state.seq = seq;
    this.#states.set(run, state);
  }
}

function then<T, R>(value: Maybe<T>, use: (value: T) => R): Maybe<R> {
  return value instanceof Promise ? value.then(use) : use(value);
}
