/**
 * When a snapshot is saved: it is a cache that makes loading cheap, so it has to be much smaller than what it saves
 * reading. A run whose state is most of its log never gets one.
 */

import type { JsonObject } from "../base/json.ts";
import { archiveState } from "../kernel/archive.ts";
import type { RunState } from "../kernel/state.ts";
import type { Journal, Maybe } from "./journal.ts";

/** Fewer events than this are folded faster than it is worth to look. */
const LEAST_EVENTS = 500;
/** A snapshot may take this share of the bytes that it stands for. */
const SHARE = 1 / 16;

export class SnapshotPolicy {
  #lastSeq: number;
  #interval: number = LEAST_EVENTS;
  #lookedAt: number;

  constructor(lastSeq: number) {
    this.#lastSeq = lastSeq;
    this.#lookedAt = lastSeq;
  }

  /** Saves a snapshot when enough has happened since the last one; looks less often when it was not worth it. */
  saveWhenDue(journal: Journal, state: RunState): Maybe<void> {
    if (state.seq - this.#lookedAt >= this.#interval) return this.#look(journal, state);
  }

  async #look(journal: Journal, state: RunState): Promise<void> {
    const { run, seq } = state;
    this.#lookedAt = seq;
    const weight = await journal.weight(run, this.#lastSeq);
    if (weight === 0) return;
    const text = JSON.stringify(archiveState(state));
    if (text.length > weight * SHARE) {
      this.#interval *= 2;
      return;
    }
    await journal.saveSnapshot(run, { seq, state: JSON.parse(text) as JsonObject });
    this.#lastSeq = seq;
    this.#interval = LEAST_EVENTS;
  }
}
