/**
 * A ledger is one run as this process knows it: the state, and the way in which anything is added to its log.
 *
 * 1. Work proposes facts on the latest state; they count once the journal has them, and only then are they published.
 * 2. When somebody else wrote first, the state is read again and the work done anew. A driver accepts that from
 *    commands only: when somebody else drives the run it gives up with a `Conflict`, so of two drivers one wins.
 * 3. One piece of work at a time, in the order of asking.
 */

import type { RunId } from "../base/names.ts";
import type { Emit, Event } from "../kernel/event.ts";
import { evolve } from "../kernel/evolve.ts";
import { emptyState, type RunState } from "../kernel/state.ts";
import { Appender, type Durability } from "./appender.ts";
import { type Clock, systemClock } from "./clock.ts";
import { refuseDriven } from "./driven.ts";
import { Conflict, type Journal, type Maybe } from "./journal.ts";
import { loadState } from "./load.ts";
import { SnapshotPolicy } from "./snapshots.ts";
import { stamp } from "./stamp.ts";
import { Turns } from "./turns.ts";

export type { Durability } from "./appender.ts";

/** The clock (that of the system when absent), and when facts reach the journal (`sync` when absent). */
export interface LedgerOptions {
  readonly clock?: Clock;
  readonly durability?: Durability;
}

/** Called with what was recorded, and the state after it. It must not change either. */
export type Listener = (events: readonly Event[], state: RunState) => void;

/** Looks at the latest state and emits facts, all of them at `now`. It may be called again on a later state. */
export type Work<T> = (state: RunState, emit: Emit, now: number) => T;

const NOBODY: readonly never[] = [];

/**
 * One run as this process knows it, and the only way to add to its log: `Ledger.open` reads it, drivers and commands work
 * on it. Rejects with a `Conflict` when somebody else drives the run.
 */
export class Ledger {
  readonly run: RunId;
  readonly journal: Journal;
  readonly clock: Clock;
  readonly durability: Durability;
  #state: RunState;
  readonly #appender: Appender;
  readonly #snapshots: SnapshotPolicy;
  readonly #turns: Turns = new Turns();
  /** What the work at hand has emitted, and the time at which it does. */
  #proposed: Event[] = [];
  #at: number = 0;
  #listeners: readonly Listener[] = NOBODY;
  #alarms: readonly (() => void)[] = NOBODY;

  private constructor(journal: Journal, state: RunState, snapshotSeq: number, options: LedgerOptions) {
    this.run = state.run;
    this.journal = journal;
    this.clock = options.clock ?? systemClock;
    this.durability = options.durability ?? "sync";
    this.#state = state;
    this.#appender = new Appender(journal, this.clock, this.durability);
    this.#snapshots = new SnapshotPolicy(snapshotSeq);
  }

  /** A ledger for a run that does not exist yet; its first append fails when it does. */
  static create(journal: Journal, run: RunId, options: LedgerOptions = {}): Ledger {
    return new Ledger(journal, emptyState(run), 0, options);
  }

  /** A ledger for a run as the journal has it, which may be not at all. */
  static async open(journal: Journal, run: RunId, options: LedgerOptions = {}): Promise<Ledger> {
    const { state, snapshotSeq } = await loadState(journal, run);
    const ledger = new Ledger(journal, state, snapshotSeq, options);
    if (state.seq > 0) ledger.#appender.head = await journal.head(run);
    return ledger;
  }

  /** The latest state. It changes with the run: read it, do not keep it. */
  get state(): RunState {
    return this.#state;
  }

  /** Does a driver's work. Throws a `Conflict` when somebody else drives the run. */
  drive<T>(work: Work<T>): Maybe<T> {
    if (this.#turns.areIdle) return this.#turns.begun(this.#attempt(work, true));
    return this.#inTurn(work);
  }

  #inTurn<T>(work: Work<T>): Maybe<T> {
    return this.#turns.take(() => this.#attempt(work, true));
  }

  /** Does a command's work, and tells the driver in this process that something has changed. */
  async command<T>(work: Work<T>): Promise<T> {
    const taken = this.#turns.take(() => this.#attempt(work, false));
    const result = taken instanceof Promise ? await taken : taken;
    for (const alarm of this.#alarms) alarm();
    return result;
  }

  /** Folds what others have appended; says whether there was anything. */
  async refresh(): Promise<boolean> {
    return this.#turns.take(async () => {
      if (this.#appender.isBehind) return false;
      const events = await this.journal.read(this.run, this.#state.seq);
      if (events.length === 0) return false;
      refuseDriven(this.run, events);
      for (const event of events) evolve(this.#state, event);
      this.#publish(events);
      for (const alarm of this.#alarms) alarm();
      return true;
    });
  }

  /** Stores a text with the next append. */
  keep(ref: string, text: string): void {
    this.#appender.keep(ref, text);
  }

  /** Reads a text, also one that is not appended yet. */
  text(ref: string): Maybe<string | undefined> {
    return this.#appender.kept(ref) ?? this.journal.text(ref);
  }

  /** Calls the listener with whatever is recorded from now on; returns what ends that. */
  subscribe(listener: Listener): () => void {
    this.#listeners = [...this.#listeners, listener];
    return () => {
      this.#listeners = this.#listeners.filter((other) => other !== listener);
    };
  }

  /** Calls the alarm when the state changed other than by the driver's own work; returns what ends that. */
  onDisturbance(alarm: () => void): () => void {
    this.#alarms = [...this.#alarms, alarm];
    return () => {
      this.#alarms = this.#alarms.filter((other) => other !== alarm);
    };
  }

  /** Appends what is still held back, and saves a snapshot where that will make loading cheaper. */
  flush(): Maybe<void> {
    if (this.#turns.areIdle && this.#appender.isFlushed) return this.saveSnapshotWhenDue();
    return this.#flush();
  }

  async #flush(): Promise<void> {
    await this.#turns.idle();
    await this.#appender.flush(this.#state);
    await this.saveSnapshotWhenDue();
  }

  /** Saves a snapshot when it is time; says nothing when it is not. */
  saveSnapshotWhenDue(): Maybe<void> {
    if (!this.#appender.isBehind) return this.#snapshots.saveWhenDue(this.journal, this.#state);
  }

  #attempt<T>(work: Work<T>, driving: boolean): Maybe<T> {
    this.#appender.throwFault();
    const state = this.#state;
    const after = state.seq;
    this.#at = this.clock.now();
    const events: Event[] = [];
    this.#proposed = events;
    let result: T;
    try {
      result = work(state, this.#emit, this.#at);
    } catch (error) {
      if (events.length === 0) throw error;
      return this.#undo(error);
    }
    if (events.length === 0) return result;
    let appended: Maybe<void>;
    try {
      appended = this.#appender.append(events, state);
    } catch (error) {
      return this.#recover(error, { after, work, driving });
    }
    if (appended instanceof Promise)
      return this.#appended(appended, [events, result], { after, work, driving });
    return this.#publish(events, result);
  }

  /** Folds a fact of the work at hand, of which there is one at a time (3). */
  readonly #emit: Emit = (fact) => {
    const state = this.#state;
    const { type } = fact;
    const event = stamp(fact, { run: state.run, seq: state.seq + 1, at: this.#at }, type);
    evolve(state, event, type);
    this.#proposed.push(event);
  };

  #appended<T>(
    appended: Promise<void>,
    [events, result]: readonly [readonly Event[], T],
    attempt: Attempt<T>,
  ): Promise<T> {
    return appended.then(
      () => this.#publish(events, result),
      (error) => this.#recover(error, attempt),
    );
  }

  #publish(events: readonly Event[]): void;
  #publish<T>(events: readonly Event[], result: T): T;
  #publish<T>(events: readonly Event[], result?: T): T | undefined {
    for (const listener of this.#listeners) listener(events, this.#state);
    return result;
  }

  /** Takes back what half-done work has folded. */
  async #undo(error: unknown): Promise<never> {
    await this.#appender.flush(this.#state);
    await this.#reload();
    throw error;
  }

  async #recover<T>(error: unknown, { after, work, driving }: Attempt<T>): Promise<T> {
    await this.#reload();
    if (!(error instanceof Conflict)) throw error;
    const events = await this.journal.read(this.run, after);
    if (driving) refuseDriven(this.run, events);
    this.#publish(events);
    return this.#attempt(work, driving);
  }

  async #reload(): Promise<void> {
    this.#state = (await loadState(this.journal, this.run)).state;
    this.#appender.head = await this.journal.head(this.run);
  }
}

interface Attempt<T> {
  readonly after: number;
  readonly work: Work<T>;
  readonly driving: boolean;
}
