/**
 * The ledgers of the threads that were used last, so that going on with one does not read its whole log again.
 *
 * 1. A ledger is in use by one call or lies here, never both: calls that overlap have one each, and one of them wins.
 * 2. What others have recorded meanwhile is read before a ledger is used again.
 */

import type { RunId } from "../base/names.ts";
import { SmallMap } from "../base/small-map.ts";
import { Conflict, type Journal } from "../run/journal.ts";
import { type Durability, Ledger } from "../run/ledger.ts";

/** The most threads that are remembered. */
const MOST = 64;

export class Ledgers {
  readonly #idle: Map<RunId, Ledger> = new Map();
  readonly #driven: SmallMap<RunId, Ledger> = new SmallMap();

  /** The ledger with which a call drives a thread right now, if one does. */
  drivenOf(run: RunId): Ledger | undefined {
    return this.#driven.get(run);
  }

  /** Does a call's work while its ledger can be found. */
  async whileDriven<T>(ledger: Ledger, work: () => Promise<T>): Promise<T> {
    this.#driven.set(ledger.run, ledger);
    try {
      return await work();
    } finally {
      if (this.#driven.get(ledger.run) === ledger) this.#driven.delete(ledger.run);
    }
  }

  /** The ledger of a thread, up to date. */
  async take(journal: Journal, run: RunId, durability: Durability): Promise<Ledger> {
    const idle = this.#idle.get(run);
    this.#idle.delete(run);
    if (idle?.journal === journal && idle.durability === durability && (await isCurrent(idle))) return idle;
    return Ledger.open(journal, run, { durability });
  }

  /** Takes back the ledger of a call that went well. */
  give(ledger: Ledger): void {
    this.#idle.delete(ledger.run);
    this.#idle.set(ledger.run, ledger);
    if (this.#idle.size <= MOST) return;
    const [oldest] = this.#idle.keys();
    if (oldest !== undefined) this.#idle.delete(oldest);
  }
}

async function isCurrent(ledger: Ledger): Promise<boolean> {
  try {
    await ledger.refresh();
    return true;
  } catch (error) {
    if (error instanceof Conflict) return false; // somebody else drove the run meanwhile
    throw error;
  }
}
