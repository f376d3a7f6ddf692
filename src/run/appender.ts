/**
 * An appender brings what was folded to the journal: before anything follows from it, soon after, or at the end.
 *
 * 1. Events reach the journal in their order, and texts with the first append after they were kept.
 * 2. When a held-back append fails, nothing is accepted any more: the fault is thrown by whatever comes next.
 */

import type { Event } from "../kernel/event.ts";
import type { RunState } from "../kernel/state.ts";
import type { Clock } from "./clock.ts";
import { headOf } from "./head.ts";
import type { Journal, Maybe, RunHead, StoredText } from "./journal.ts";

/** When facts reach the journal: before anything follows from them, soon after, or when the driver stops. */
export type Durability = "sync" | "async" | "exit";

const NO_TEXTS: readonly StoredText[] = [];

export class Appender {
  readonly #journal: Journal;
  readonly #clock: Clock;
  readonly #durability: Durability;
  readonly #texts: Map<string, string> = new Map();
  #held: Event[] = [];
  #flushing: Promise<void> | undefined;
  #fault: { readonly error: unknown } | undefined;
  /** What the journal's list shows of the run. */
  head: RunHead | undefined;

  constructor(journal: Journal, clock: Clock, durability: Durability) {
    this.#journal = journal;
    this.#clock = clock;
    this.#durability = durability;
  }

  /** True when the journal lacks something that was accepted. */
  get isBehind(): boolean {
    return this.#held.length > 0;
  }

  /** True when nothing is held back or on its way, and nothing has failed. */
  get isFlushed(): boolean {
    return this.#held.length === 0 && this.#flushing === undefined && this.#fault === undefined;
  }

  /** Accepts events and the state after them. Throws when the journal refuses them, or failed before. */
  append(events: readonly Event[], state: RunState): Maybe<void> {
    this.throwFault();
    if (this.#durability === "sync") return this.#write(events, state);
    for (const event of events) this.#held.push(event);
    if (this.#durability === "async")
      this.#flushing ??= this.#clock.breathe().then(() => this.#release(state));
  }

  /** Keeps a text for the next append. */
  keep(ref: string, text: string): void {
    this.#texts.set(ref, text);
  }

  /** A text that was kept and is not appended yet. */
  kept(ref: string): string | undefined {
    return this.#texts.get(ref);
  }

  /** Appends what is held back. Throws when that fails, now or before. */
  async flush(state: RunState): Promise<void> {
    await this.#flushing;
    await this.#release(state);
    this.throwFault();
  }

  throwFault(): void {
    if (this.#fault !== undefined) throw this.#fault.error;
  }

  async #release(state: RunState): Promise<void> {
    const events = this.#held;
    this.#held = [];
    this.#flushing = undefined;
    if (events.length === 0) return;
    try {
      await this.#write(events, state);
    } catch (error) {
      this.#fault = { error };
    }
  }

  #write(events: readonly Event[], state: RunState): Maybe<void> {
    const { run, seq, at } = events[0] as Event; // never empty
    const head = headOf(state, this.head, at);
    const texts = this.#texts.size === 0 ? NO_TEXTS : [...this.#texts].map(([ref, text]) => ({ ref, text }));
    const batch = { run, after: seq - 1, events, texts };
    const appended = this.#journal.append(
      head === undefined || head === this.head ? batch : { ...batch, head },
    );
    this.head = head;
    return texts.length === 0 ? appended : this.#forget(texts, appended);
  }

  /** Forgets texts that were kept once they are appended. */
  #forget(texts: readonly StoredText[], appended: Maybe<void>): Maybe<void> {
    if (appended instanceof Promise) return appended.then(() => this.#forget(texts, undefined));
    for (const { ref } of texts) this.#texts.delete(ref);
  }
}
