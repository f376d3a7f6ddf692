/**
 * A ledger is one run as this process knows it: the state, and the way in which anything is added to its log.
 *
 * 1. Work proposes facts on the latest state; they count once the journal has them, and only then are they published.
 * 2. When somebody else wrote first, the state is read again and the work done anew. A driver accepts that from
 *    commands only: when somebody else drives the run it gives up with a `Conflict`, so of two drivers one wins.
 * 3. One piece of work at a time, in the order of asking.
 */

import type { RunId } from "../base/names.ts";
import type { Emit, Event, Fact } from "../kernel/event.ts";
import { evolve } from "../kernel/evolve.ts";
import { emptyState, type RunState } from "../kernel/state.ts";
import { type Clock, systemClock } from "./clock.ts";
import { headOf } from "./head.ts";
import { Conflict, type Journal, type Maybe, type RunHead, type StoredText } from "./journal.ts";
import { loadState } from "./load.ts";
import { SnapshotPolicy } from "./snapshots.ts";

/** When facts reach the journal: before anything follows from them, soon after, or when the driver stops. */
export type Durability = "sync" | "async" | "exit";

export interface LedgerOptions {
  readonly clock?: Clock;
  readonly durability?: Durability;
}

/** Called with what was recorded, and the state after it. It must not change either. */
export type Listener = (events: readonly Event[], state: RunState) => void;

/** Looks at the latest state and emits facts, all of them at `now`. It may be called again on a later state. */
export type Work<T> = (state: RunState, emit: Emit, now: number) => T;

/** What only a driver records; anything else may come from a command. */
const DRIVEN: ReadonlySet<Fact["type"]> = new Set([
  "run.started",
  "run.resumed",
  "run.finished",
  "run.failed",
  "step.opened",
  "step.committed",
  "task.finished",
  "task.failed",
  "task.asked",
  "task.remembered",
]);

const NO_TEXTS: StoredText[] = [];

export class Ledger {
  readonly run: RunId;
  readonly journal: Journal;
  readonly clock: Clock;
  readonly durability: Durability;
  #state: RunState;
  #head: RunHead | undefined;
  readonly #snapshots: SnapshotPolicy;
  /** The work under way, when its append did not finish at once. */
  #busy: Promise<unknown> | undefined;
  /** What is folded but not yet appended, when durability allows that. */
  #buffer: Event[] = [];
  #flushing: Promise<void> | undefined;
  #fault: { readonly error: unknown } | undefined;
  readonly #texts: Map<string, string> = new Map();
  readonly #listeners: Set<Listener> = new Set();
  readonly #alarms: Set<() => void> = new Set();

  private constructor(journal: Journal, state: RunState, snapshotSeq: number, options: LedgerOptions) {
    this.run = state.run;
    this.journal = journal;
    this.clock = options.clock ?? systemClock;
    this.durability = options.durability ?? "sync";
    this.#state = state;
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
    if (state.seq > 0) ledger.#head = await journal.head(run);
    return ledger;
  }

  /** The latest state. It changes with the run: read it, do not keep it. */
  get state(): RunState {
    return this.#state;
  }

  /** Does a driver's work. Throws a `Conflict` when somebody else drives the run. */
  drive<T>(work: Work<T>): Maybe<T> {
    if (this.#busy === undefined) return this.#hold(this.#attempt(work, true));
    return this.#inTurn(() => this.#attempt(work, true));
  }

  /** Does a command's work, and tells the driver in this process that something has changed. */
  async command<T>(work: Work<T>): Promise<T> {
    const result = await this.#inTurn(() => this.#attempt(work, false));
    for (const alarm of this.#alarms) alarm();
    return result;
  }

  /** Folds what others have appended; says whether there was anything. */
  async refresh(): Promise<boolean> {
    return this.#inTurn(async () => {
      if (this.#buffer.length > 0) return false;
      const events = await this.journal.read(this.run, this.#state.seq);
      if (events.length === 0) return false;
      this.#adopt(events, true);
      for (const alarm of this.#alarms) alarm();
      return true;
    });
  }

  /** Stores a text with the next append, or at once when it is already stored. */
  keep(ref: string, text: string): void {
    this.#texts.set(ref, text);
  }

  /** Reads a text, also one that is not appended yet. */
  text(ref: string): Maybe<string | undefined> {
    return this.#texts.get(ref) ?? this.journal.text(ref);
  }

  /** Calls the listener with whatever is recorded from now on; returns what ends that. */
  subscribe(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Calls the alarm when the state changed other than by the driver's own work; returns what ends that. */
  onDisturbance(alarm: () => void): () => void {
    this.#alarms.add(alarm);
    return () => this.#alarms.delete(alarm);
  }

  /** Appends what is still held back, and saves a snapshot where that will make loading cheaper. */
  async flush(): Promise<void> {
    await this.#busy;
    await this.#flushing;
    await this.#appendBuffer();
    this.#throwFault();
    await this.saveSnapshotWhenDue();
  }

  /** Saves a snapshot when it is time; says nothing when it is not. */
  saveSnapshotWhenDue(): Maybe<void> {
    if (this.#buffer.length === 0) return this.#snapshots.saveWhenDue(this.journal, this.#state);
  }

  #inTurn<T>(work: () => Maybe<T>): Maybe<T> {
    return this.#hold(this.#busy === undefined ? work() : this.#busy.then(work, work));
  }

  /** Keeps the next work waiting until this one has its result. */
  #hold<T>(result: Maybe<T>): Maybe<T> {
    if (!(result instanceof Promise)) return result;
    const done = () => {
      if (this.#busy === result) this.#busy = undefined;
    };
    this.#busy = result;
    result.then(done, done);
    return result;
  }

  #attempt<T>(work: Work<T>, driving: boolean): Maybe<T> {
    this.#throwFault();
    const state = this.#state;
    const after = state.seq;
    const at = this.clock.now();
    const events: Event[] = [];
    const emit: Emit = (fact) => {
      const event = stamp(fact, state.run, state.seq + 1, at);
      evolve(state, event);
      events.push(event);
      return event;
    };
    let result: T;
    try {
      result = work(state, emit, at);
    } catch (error) {
      if (events.length === 0) throw error;
      return this.#reload().then(() => {
        throw error;
      });
    }
    if (events.length === 0) return result;
    if (this.durability !== "sync") return this.#buffered(events, result);
    try {
      const appended = this.#append(after, events, at);
      if (!(appended instanceof Promise)) return this.#publish(events, result);
      const recover = (error: unknown) => this.#recover(error, after, work, driving);
      return appended.then(() => this.#publish(events, result), recover);
    } catch (error) {
      return this.#recover(error, after, work, driving);
    }
  }

  #append(after: number, events: readonly Event[], at: number): Maybe<void> {
    const head = headOf(this.#state, this.#head, at);
    const texts: StoredText[] =
      this.#texts.size === 0 ? NO_TEXTS : [...this.#texts].map(([ref, text]) => ({ ref, text }));
    const batch = { run: this.run, after, events, texts };
    const appended = this.journal.append(
      head === undefined || head === this.#head ? batch : { ...batch, head },
    );
    this.#head = head;
    if (texts.length === 0) return appended;
    const forget = () => {
      for (const { ref } of texts) this.#texts.delete(ref);
    };
    return appended instanceof Promise ? appended.then(forget) : forget();
  }

  #publish<T>(events: readonly Event[], result: T): T {
    for (const listener of this.#listeners) listener(events, this.#state);
    return result;
  }

  async #recover<T>(error: unknown, after: number, work: Work<T>, driving: boolean): Promise<T> {
    await this.#reload();
    if (!(error instanceof Conflict)) throw error;
    this.#adopt(await this.journal.read(this.run, after), driving, { folded: true });
    return this.#attempt(work, driving);
  }

  async #reload(): Promise<void> {
    this.#state = (await loadState(this.journal, this.run)).state;
    this.#head = await this.journal.head(this.run);
  }

  /** Takes in what others appended. */
  #adopt(events: readonly Event[], driving: boolean, { folded = false }: { folded?: boolean } = {}): void {
    const driven = driving && events.find(({ type }) => DRIVEN.has(type));
    if (driven) {
      const message = `Run ${this.run} is driven by somebody else, who recorded ${driven.type} as event ${driven.seq}.`;
      throw new Conflict(this.run, message);
    }
    if (!folded) for (const event of events) evolve(this.#state, event);
    this.#publish(events, undefined);
  }

  #buffered<T>(events: readonly Event[], result: T): T {
    for (const event of events) this.#buffer.push(event);
    if (this.durability === "async") {
      this.#flushing ??= this.clock.breathe().then(async () => {
        this.#flushing = undefined;
        await this.#appendBuffer();
      });
    }
    return this.#publish(events, result);
  }

  async #appendBuffer(): Promise<void> {
    const events = this.#buffer;
    const [first] = events;
    if (first === undefined) return;
    this.#buffer = [];
    try {
      await this.#append(first.seq - 1, events, first.at);
    } catch (error) {
      this.#fault = { error };
    }
  }

  #throwFault(): void {
    if (this.#fault !== undefined) throw this.#fault.error;
  }
}

/** Makes an event of a fact that nobody else holds. */
function stamp(fact: Fact, run: RunId, seq: number, at: number): Event {
  const event = fact as { run: RunId; seq: number; at: number } & Fact;
  event.run = run;
  event.seq = seq;
  event.at = at;
  return event;
}
