/**
 * A theatre is where one loadout is played again and again: in memory, in virtual time, its agents, programs and people
 * played by a cast.
 */

import type { JsonObject } from "../base/json.ts";
import { runId } from "../base/names.ts";
import { type Chart, chartOf } from "../dialects/loadout/chart.ts";
import { compileLoadout, startLoadout } from "../dialects/loadout/compile.ts";
import type { LoadoutDefinition } from "../dialects/loadout/definition.ts";
import { type Briefs, briefsOf, inOrder } from "../dialects/loadout/simulate/brief.ts";
import { Cast, type Draw } from "../dialects/loadout/simulate/cast.ts";
import { diceOf, temperOf } from "../dialects/loadout/simulate/dice.ts";
import type { Invariant } from "../dialects/loadout/simulate/invariant.ts";
import { plainerPrograms, plainerTurns } from "../dialects/loadout/simulate/moves.ts";
import { EMPTY_PLAY, type Play, sizeOf, withoutEmpty } from "../dialects/loadout/simulate/play.ts";
import {
  coverageOf,
  type SimulationReport,
  type Violation,
  violationOf,
} from "../dialects/loadout/simulate/report.ts";
import { type Plainer, shrink, type Trial } from "../dialects/loadout/simulate/shrink.ts";
import { type Walk, Walker } from "../dialects/loadout/simulate/walk.ts";
import { MemoryJournal } from "../journals/memory.ts";
import { openQuestions } from "../kernel/state.ts";
import type { Clock } from "../run/clock.ts";
import { LocalRun } from "./local.ts";

/** How a loadout is played. */
export interface TheatreOptions {
  /** The most items of a simulated list; 3 when absent. */
  readonly items?: number;
  /** What the state of every run begins with. */
  readonly inputs?: JsonObject;
  /** The most moves of one run before it is cut; 400 when absent. */
  readonly mostMoves?: number;
  /** The most runs that the shrinking of one violation may take; 600 when absent. */
  readonly mostTrials?: number;
}

export interface Shown {
  readonly walk: Walk;
  readonly play: Play;
}

export interface Found extends Shown {
  readonly seed: string;
  readonly runs: number;
}

const RUN = runId("simulated");

/** Where one loadout is played again and again. */
export class Theatre {
  readonly #definition: LoadoutDefinition;
  readonly #options: TheatreOptions;
  readonly #chart: Chart;
  readonly #briefs: Briefs;
  readonly #visited: Set<string> = new Set();
  readonly #taken: Set<string> = new Set();

  constructor(definition: LoadoutDefinition, options: TheatreOptions) {
    this.#definition = inOrder(definition);
    this.#options = options;
    this.#chart = chartOf(definition);
    this.#briefs = briefsOf(definition);
  }

  /** What no drawn run has done so far. */
  get coverage(): SimulationReport["coverage"] {
    return coverageOf(this.#chart, this.#visited, this.#taken);
  }

  /** Plays a run whose moves the seed decides on. */
  async draw(seed: string): Promise<Shown> {
    const dice = diceOf(seed);
    const { items = 3 } = this.#options;
    const { walker, ...shown } = await this.#play(EMPTY_PLAY, { dice, temper: temperOf(dice), items });
    for (const { socket } of shown.walk.visits) this.#visited.add(socket);
    for (const way of walker.taken) this.#taken.add(way);
    return shown;
  }

  /** The shortest play found that breaks the law as this one does. */
  async shorten(invariant: Invariant, { play, walk, seed, runs }: Found): Promise<Violation> {
    const attempt = async (candidate: Play): Promise<Trial | undefined> => {
      const shown = await this.#play(candidate);
      return invariant.broken(shown.walk) === undefined ? undefined : trialOf(shown);
    };
    const most = this.#options.mostTrials ?? 600;
    const start = (await attempt(play)) ?? trialOf({ play, walk });
    const best = await shrink(start, { attempt, plainer: this.#plainer(), most });
    const shown = await this.#play(best.play);
    const message = invariant.broken(shown.walk) ?? "";
    return violationOf({ ...shown, invariant: invariant.name, message, seed, runs });
  }

  async #play(play: Play, draw?: Draw): Promise<Shown & { readonly walker: Walker }> {
    const clock = virtualClock();
    const { mostMoves = 400, inputs } = this.#options;
    const sleep = (milliseconds: number) => clock.sleep(milliseconds);
    const cast = new Cast({ briefs: this.#briefs, play, mostMoves, sleep, ...(draw && { draw }) });
    const program = compileLoadout(this.#definition, {
      agent: () => cast.agent,
      commands: cast.commands,
      utility: (name) => ({ argv: [name] }),
      cwd: "/simulated",
      runDir: "/simulated/run",
    });
    const run = await LocalRun.open(program, new MemoryJournal(), RUN, { clock });
    const walker = new Walker(this.#chart);
    run.ledger.subscribe((events) => {
      for (const event of events) walker.evolve(event);
    });
    await run.send(startLoadout(this.#definition, "Simulated.", inputs));
    await this.#drive(run, cast);
    const walk = walker.walk(run.ledger.state, cast.isCut);
    return { walk, play: withoutEmpty(cast.played), walker };
  }

  /** Drives a run and answers its questions until it stops for another reason. */
  async #drive(run: LocalRun, cast: Cast): Promise<void> {
    for (;;) {
      const { kind } = await run.drive();
      const [open] = openQuestions(run.ledger.state);
      if (kind !== "waiting" || open === undefined) return;
      const value = cast.answer(open.question);
      if (value === undefined) return;
      await run.send({ type: "answer", question: open.question.id, value });
    }
  }

  /** Sockets of inner loadouts keep the moves that they have: their briefs need their materia, which a play does not name. */
  #plainer(): Plainer {
    const briefOf = (socket: string) => {
      const place = this.#chart.places.get(socket.replace(/@WI-\d+$/, ""));
      return place && this.#briefs(socket, place.role);
    };
    return {
      turn: (socket, move) => {
        const brief = briefOf(socket);
        return brief === undefined ? [] : plainerTurns(brief, move);
      },
      program: (socket, move) => {
        const brief = briefOf(socket);
        return brief === undefined ? [] : plainerPrograms(brief, move);
      },
    };
  }
}

function trialOf({ play, walk }: Shown): Trial {
  return { play, length: walk.visits.length, size: sizeOf(play) };
}

/** Time that passes only while somebody waits for it. */
function virtualClock(): Clock {
  let now = 0;
  return {
    now: () => now,
    async sleep(milliseconds) {
      now += Math.max(0, milliseconds);
    },
    breathe: async () => {},
  };
}
