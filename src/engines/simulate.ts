/**
 * Simulate runs a loadout many times in memory, in virtual time, with actors that a seed decides on, and looks for runs
 * that break a law.
 *
 * 1. The same definition, laws and seed give the same report.
 * 2. Nothing outside of memory is touched: agents, programs and people are played.
 */

import type { Issue } from "../base/issue.ts";
import type { Json, JsonObject } from "../base/json.ts";
import { runId } from "../base/names.ts";
import { type Chart, chartOf } from "../dialects/loadout/chart.ts";
import { compileLoadout, startLoadout } from "../dialects/loadout/compile.ts";
import type { LoadoutDefinition } from "../dialects/loadout/definition.ts";
import { type ReadOptions, readLoadout } from "../dialects/loadout/read.ts";
import { type Briefs, briefsOf, inOrder } from "../dialects/loadout/simulate/brief.ts";
import { Cast, type Draw } from "../dialects/loadout/simulate/cast.ts";
import { diceOf, temperOf } from "../dialects/loadout/simulate/dice.ts";
import { type Invariant, lawOf, type WalkLaw } from "../dialects/loadout/simulate/invariant.ts";
import { readLaws } from "../dialects/loadout/simulate/laws.ts";
import { plainerPrograms, plainerTurns } from "../dialects/loadout/simulate/moves.ts";
import { EMPTY_PLAY, type Play, sizeOf, withoutEmpty } from "../dialects/loadout/simulate/play.ts";
import {
  coverageOf,
  type SimulationReport,
  Tally,
  type Violation,
  violationOf,
} from "../dialects/loadout/simulate/report.ts";
import { type Plainer, shrink, type Trial } from "../dialects/loadout/simulate/shrink.ts";
import { type Walk, Walker } from "../dialects/loadout/simulate/walk.ts";
import { MemoryJournal } from "../journals/memory.ts";
import { openQuestions } from "../kernel/state.ts";
import type { Clock } from "../run/clock.ts";
import { LocalRun } from "./local.ts";

export interface SimulateOptions {
  readonly seed: string;
  /** How many runs. */
  readonly runs: number;
  /** The most items of a simulated list; 3 when absent. */
  readonly items?: number;
  readonly invariants?: readonly Invariant[];
  /** What the state of every run begins with. */
  readonly inputs?: JsonObject;
  /** The most moves of one run before it is cut; 400 when absent. */
  readonly mostMoves?: number;
  /** The most runs that the shrinking of one violation may take; 600 when absent. */
  readonly mostTrials?: number;
}

/** Simulates a loadout that `readLoadout` accepted. */
export async function simulate(
  definition: LoadoutDefinition,
  options: SimulateOptions,
): Promise<SimulationReport> {
  const { runs, seed, invariants = [] } = options;
  const theatre = new Theatre(definition, options);
  const tally = new Tally();
  const found = new Map<Invariant, Found>();
  for (let index = 0; index < runs; index++) {
    const runSeed = seedOf(seed, index);
    const shown = await theatre.draw(runSeed);
    tally.add(shown.walk.end);
    for (const invariant of invariants) {
      if (invariant.broken(shown.walk) === undefined) continue;
      const known = found.get(invariant);
      const runs = (known?.runs ?? 0) + 1;
      const isShortest = known === undefined || shown.walk.path.length < known.walk.path.length;
      found.set(invariant, isShortest ? { ...shown, seed: runSeed, runs } : { ...known, runs });
    }
  }
  const coverage = theatre.coverage;
  const violations: Violation[] = [];
  for (const invariant of invariants) {
    const shortest = found.get(invariant);
    if (shortest !== undefined) violations.push(await theatre.shorten(invariant, shortest));
  }
  return { ok: violations.length === 0, runs, seed, outcomes: tally.outcomes, violations, coverage };
}

/** The seed of one run of several; that of the first is the seed itself, so that a run can be had alone. */
function seedOf(seed: string, index: number): string {
  return index === 0 ? seed : `${seed}/${index}`;
}

interface Shown {
  readonly walk: Walk;
  readonly play: Play;
}

interface Found extends Shown {
  readonly seed: string;
  readonly runs: number;
}

const RUN = runId("simulated");

/** Where one loadout is played again and again. */
class Theatre {
  readonly #definition: LoadoutDefinition;
  readonly #options: SimulateOptions;
  readonly #chart: Chart;
  readonly #briefs: Briefs;
  readonly #visited: Set<string> = new Set();
  readonly #taken: Set<string> = new Set();

  constructor(definition: LoadoutDefinition, options: SimulateOptions) {
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

export type SimulateFile = Omit<SimulateOptions, "invariants"> & {
  /** Configs below the file, lowest first, as for `readLoadout`. */
  readonly below?: ReadOptions["below"];
  /** The laws: the JSON of a file of them, or what a module exports. */
  readonly laws?: { readonly json: Json } | { readonly module: Readonly<Record<string, unknown>> };
};

/** `exit` is what `baton simulate` ends with: 0 all laws held, 1 one was broken, 2 the file or the laws are not fit. */
export type Simulated =
  | { readonly exit: 0 | 1; readonly report: SimulationReport }
  | { readonly exit: 2; readonly in: "loadout" | "invariants"; readonly issues: readonly Issue[] };

/** All of `baton simulate` but reading files and printing: what was read comes in, what is printed goes out. */
export async function simulateFile(json: Json, options: SimulateFile): Promise<Simulated> {
  const { below, laws, ...rest } = options;
  const read = readLoadout(json, below === undefined ? {} : { below });
  if (!read.ok) return { exit: 2, in: "loadout", issues: read.errors };
  const { definition } = read;
  const known =
    laws === undefined ? NO_LAWS : "json" in laws ? readLaws(laws.json, definition) : lawsIn(laws.module);
  if (!known.ok) return { exit: 2, in: "invariants", issues: known.issues };
  const report = await simulate(definition, { ...rest, invariants: known.invariants });
  return { exit: report.ok ? 0 : 1, report };
}

const NO_LAWS: ReturnType<typeof readLaws> = { ok: true, invariants: [] };

/** Every function that a module exports is a law under its name. */
function lawsIn(module: Readonly<Record<string, unknown>>): ReturnType<typeof readLaws> {
  const laws = Object.entries(module).filter(([, value]) => typeof value === "function");
  if (laws.length > 0) {
    // What a function of the author's takes and returns cannot be checked here; `lawOf` reads its answer with care.
    return { ok: true, invariants: laws.map(([name, law]) => lawOf(name, law as WalkLaw)) };
  }
  const message = "The module exports no function.";
  const hint = 'Export one, such as: export const ends = ({ end }) => end.kind === "completed";';
  return { ok: false, issues: [{ severity: "error", code: "no_laws", pointer: "", message, hint }] };
}
