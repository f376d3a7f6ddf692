/**
 * The conductor drives runs in this process: those that are started here, those that others left unfinished, and those
 * that were moved on by a command.
 *
 * 1. The seat decides between this process and others; a run that another process drives is left alone.
 * 2. A run that another process stopped driving is not taken over while this one is up: whoever stopped it meant it.
 *    One that only was recorded (`--detach`), or whose question was answered, is taken up.
 * 3. A fork waits to be resumed.
 */

import type { RunId } from "../../base/names.ts";
import type { RunDocument } from "../../protocol/studio.ts";
import { systemClock } from "../../run/clock.ts";
import { Conflict, type RunHead } from "../../run/journal.ts";
import { loadState } from "../../run/load.ts";
import { Misuse } from "../misuse.ts";
import { reopenRun } from "../runs/reopen.ts";
import { readBeginning } from "../runs/request.ts";
import { driverOf } from "../runs/seat.ts";
import type { Call } from "../verb.ts";
import { Care, type Taking } from "./care.ts";
import type { Premises } from "./premises.ts";
import { Slots } from "./slots.ts";

/** How many runs are driven at once; others wait for their turn. */
const MOST_RUNS = 8;
/** How often to look for runs that nobody drives, in milliseconds. */
const INTERVAL = 1000;

export class Conductor {
  readonly #premises: Premises;
  readonly #slots: Slots = new Slots(MOST_RUNS);
  readonly #cares: Map<RunId, Care> = new Map();
  readonly #opening: Map<RunId, Promise<Care>> = new Map();
  readonly #drives: Set<Promise<void>> = new Set();
  /** The runs that another process was seen to drive (2), and those that cannot be taken up here. */
  readonly #leftAlone: Set<RunId> = new Set();
  /** Forks that wait to be resumed, by the last event that was seen of them (3). */
  readonly #forks: Map<RunId, number> = new Map();
  readonly #stopping: AbortController = new AbortController();

  constructor(premises: Premises) {
    this.#premises = premises;
  }

  /** Looks for runs that nobody drives, now and again, until it is stopped. */
  begin(): void {
    const looking = (async () => {
      const { signal } = this.#stopping;
      while (!signal.aborted) {
        await this.#look().catch((error) => this.#premises.tellFault(error));
        await systemClock.sleep(INTERVAL, signal);
      }
    })();
    this.#keep(looking);
  }

  /** Who drives a run now. */
  driverOf(run: string): RunDocument["driver"] {
    if (this.#cares.has(run as RunId)) return "studio"; // looked up, not trusted to be one
    return driverOf(this.#premises.store.folder, run) === undefined ? null : "elsewhere";
  }

  /** Who drives a run now; one that is part of another is driven with it. */
  async driverWithin(head: RunHead): Promise<RunDocument["driver"]> {
    const { journal } = this.#premises.store;
    let outer: RunHead = head;
    for (let above: RunHead | undefined = head; above !== undefined; ) {
      outer = above;
      above = above.parent && (await journal.head(above.parent.run));
    }
    return this.driverOf(outer.run);
  }

  /** The care that a run is in, when this process gives it. */
  careOf(run: RunId): Care | undefined {
    return this.#cares.get(run);
  }

  /** Takes a run up that may not exist yet, lets it be prepared, and drives it from then on. */
  async take(
    run: RunId,
    engine: Taking["engine"],
    prepare: (care: Care) => Promise<void> = async () => {},
  ): Promise<void> {
    if (this.#stopping.signal.aborted) throw new Conflict(run, "The studio is being closed.");
    const known = this.#cares.get(run) ?? (await this.#opening.get(run));
    if (known !== undefined) return prepare(known);
    const { store, bus } = this.#premises;
    const opened = Care.take({ run, store, bus, engine });
    this.#opening.set(run, opened);
    try {
      const care = await opened;
      await prepare(care).catch(async (error) => {
        await care.release();
        throw error;
      });
      this.#leftAlone.delete(run);
      this.#cares.set(run, care);
      this.#keep(this.#conduct(care));
    } finally {
      this.#opening.delete(run);
    }
  }

  /** Goes on with a run that exists. */
  async goOn(head: RunHead, prepare?: (care: Care) => Promise<void>): Promise<void> {
    await this.take(head.run, () => this.#reopened(head), prepare);
  }

  /** Stops every driver and waits for them; what was recorded stays. */
  async stop(): Promise<void> {
    this.#stopping.abort(new DOMException("The studio is being closed.", "AbortError"));
    await Promise.allSettled(this.#opening.values());
    await Promise.all(this.#drives);
  }

  async #look(): Promise<void> {
    const { journal, folder } = this.#premises.store;
    const running = await journal.runs({ status: "running" });
    const known = new Set(running.map(({ run }) => run));
    for (const run of this.#leftAlone) if (!known.has(run)) this.#leftAlone.delete(run);
    for (const head of running) {
      const { run } = head;
      if (this.#cares.has(run) || this.#opening.has(run)) continue;
      if (driverOf(folder, run) !== undefined) this.#leftAlone.add(run);
      if (this.#leftAlone.has(run) || (await this.#isFork(run))) continue;
      await this.goOn(head).catch((error) => this.#leaveAlone(run, error));
    }
  }

  /** That somebody else drives a run, or has to, is as it should be; anything else a person should know. */
  #leaveAlone(run: RunId, error: unknown): void {
    this.#leftAlone.add(run);
    const isOthers = error instanceof Misuse && error.code === "not_supported";
    if (!(error instanceof Conflict) && !isOthers) this.#premises.tellFault(error);
  }

  /** Says whether nothing happened to a run since it was made of another one (3). */
  async #isFork(run: RunId): Promise<boolean> {
    const { journal } = this.#premises.store;
    const known = this.#forks.get(run);
    if (known !== undefined && (await journal.read(run, known, 1)).length === 0) return true;
    const { seq } = (await loadState(journal, run)).state;
    const last = (await journal.read(run, Math.max(0, seq - 2))).map(({ type }) => type);
    const isFork = last.at(-1) === "run.forked" || last.join() === "run.forked,state.updated";
    if (isFork) this.#forks.set(run, seq);
    else this.#forks.delete(run);
    return isFork;
  }

  async #reopened(head: RunHead): ReturnType<Taking["engine"]> {
    const { store, options, terminal } = this.#premises;
    if (head.program.dialect === "graph") await this.#requireSameFolder(head);
    const call: Call = { args: [], options, terminal };
    return reopenRun(head, store, call);
  }

  /** Code of a StateGraph works in the folder of its process, which all runs of this process share. */
  async #requireSameFolder({ run }: RunHead): Promise<void> {
    const { cwd } = (await readBeginning(this.#premises.store.journal, run)).request;
    if (cwd === process.cwd()) return;
    const hint = `Go on with \`baton resume ${run}\` from there.`;
    throw new Misuse("not_supported", `Run ${run} is code that works in ${cwd}, another folder.`, { hint });
  }

  /** Drives a run for as long as there is something to drive. */
  async #conduct(care: Care): Promise<void> {
    const { signal } = this.#stopping;
    const { bus } = this.#premises;
    bus.look(care.run);
    try {
      while (!signal.aborted && !care.isOutdated) {
        if (care.standing === "running") await this.#driveOnce(care);
        else if (care.standing === "waiting") await care.attend(signal);
        else break;
      }
    } catch (error) {
      this.#leaveAlone(care.run, error);
    }
    this.#cares.delete(care.run); // at once with the seat: whoever asks now finds a run that nobody drives
    const gone = care.release();
    bus.look(care.run);
    await gone;
  }

  /** Drives in a slot. Should there be nothing to do in a run that says that there is, it is asked less often. */
  async #driveOnce(care: Care): Promise<void> {
    const { signal } = this.#stopping;
    const { seq } = care.driven.ledger.state;
    await this.#slots.use(() => care.drive(signal));
    if (care.driven.ledger.state.seq === seq) await systemClock.sleep(INTERVAL, signal);
  }

  #keep(work: Promise<void>): void {
    const kept = work
      .catch((error) => this.#premises.tellFault(error))
      .finally(() => {
        this.#drives.delete(kept);
      });
    this.#drives.add(kept);
  }
}
