/**
 * Care is what this process gives one run: a seat, an engine and agents, until only a person can move the run on and
 * nobody has to stay with it.
 *
 * 1. The seat is kept while the run waits for an answer: the turn that asked is still open in an agent's process.
 * 2. It is left, and the agents are sent home, when the run is over or paused.
 */

import type { RunId } from "../../base/names.ts";
import { localHost } from "../../engines/local.ts";
import type { Program } from "../../kernel/program.ts";
import { standingOf } from "../../run/head.ts";
import { Conflict } from "../../run/journal.ts";
import { Ledger } from "../../run/ledger.ts";
import { Bell } from "../../server/bell.ts";
import { Crew } from "../agents/crew.ts";
import { type Driven, type Engine, takeUp } from "../runs/engine.ts";
import { type Seat, takeSeat } from "../runs/seat.ts";
import type { Store } from "../runs/store.ts";
import type { Bus } from "./bus.ts";

/** How often to look for what other processes recorded, in milliseconds. */
const INTERVAL = 300;

export interface Taking {
  readonly run: RunId;
  readonly store: Store;
  readonly bus: Bus;
  /** Makes what goes on with the run, once the seat is taken. */
  readonly engine: () => Promise<Program | Engine>;
}

export class Care {
  readonly run: RunId;
  readonly #seat: Seat;
  readonly #crew: Crew;
  readonly #engine: Program | Engine;
  readonly #driven: Driven;
  /** The program that the log had when the run was taken up. */
  readonly #given: string | undefined;

  private constructor(run: RunId, seat: Seat, { crew, engine, driven }: Opened) {
    this.run = run;
    this.#seat = seat;
    this.#crew = crew;
    this.#engine = engine;
    this.#driven = driven;
    this.#given = driven.ledger.state.program?.revision;
  }

  /** Takes a run up. Throws a `Conflict` when another process drives it, and what making its engine throws. */
  static async take({ run, store, bus, engine: make }: Taking): Promise<Care> {
    const seat = takeSeat(store.folder, run);
    if ("pid" in seat) throw new Conflict(run, `Run ${run} is driven by process ${seat.pid} right now.`);
    const crew = new Crew();
    try {
      return await crew.during(async () => {
        const engine = await make();
        const host = localHost((progress) => bus.progress(progress));
        const driven = await takeUp(engine, await Ledger.open(store.journal, run), host);
        driven.ledger.subscribe(() => bus.look(run));
        return new Care(run, seat, { crew, engine, driven });
      });
    } catch (error) {
      seat.leave();
      await crew.sendHome();
      throw error;
    }
  }

  get driven(): Driven {
    return this.#driven;
  }

  /** How the run stands: only a running one is driven. */
  get standing(): ReturnType<typeof standingOf> {
    return standingOf(this.#driven.ledger.state);
  }

  /** True when the run was given another program, which this care does not have. */
  get isOutdated(): boolean {
    const revision = this.#driven.ledger.state.program?.revision;
    return !("take" in this.#engine) && revision !== this.#given && revision !== this.#engine.id.revision;
  }

  /** Drives until only a person or a command can move the run on. */
  async drive(signal: AbortSignal): Promise<void> {
    await this.#crew.during(() => this.#driven.drive({ watch: INTERVAL, signal }));
  }

  /** Waits until the run no longer waits for a person. Throws a `Conflict` when somebody else drives it. */
  async attend(signal: AbortSignal): Promise<void> {
    const { ledger } = this.#driven;
    const bell = new Bell();
    const end = ledger.onDisturbance(() => bell.ring());
    try {
      while (this.standing === "waiting" && !signal.aborted) {
        await bell.heard(INTERVAL, signal);
        await ledger.refresh();
      }
    } finally {
      end();
    }
  }

  /** Leaves the seat at once, and sends the agents home (2). */
  release(): Promise<void> {
    this.#seat.leave();
    return this.#crew.sendHome();
  }
}

interface Opened {
  readonly crew: Crew;
  readonly engine: Program | Engine;
  readonly driven: Driven;
}
