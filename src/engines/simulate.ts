/**
 * Simulate runs a loadout many times in memory, in virtual time, with actors that a seed decides on, and looks for runs
 * that break a law.
 *
 * 1. The same definition, laws and seed give the same report.
 * 2. Nothing outside of memory is touched: agents, programs and people are played.
 */

import type { Issue } from "../base/issue.ts";
import type { Json } from "../base/json.ts";
import type { LoadoutDefinition } from "../dialects/loadout/definition.ts";
import { type ReadOptions, readLoadout } from "../dialects/loadout/read.ts";
import { type Invariant, lawOf, type WalkLaw } from "../dialects/loadout/simulate/invariant.ts";
import { readLaws } from "../dialects/loadout/simulate/laws.ts";
import { type SimulationReport, Tally, type Violation } from "../dialects/loadout/simulate/report.ts";
import { type Found, Theatre, type TheatreOptions } from "./theatre.ts";

export interface SimulateOptions extends TheatreOptions {
  readonly seed: string;
  /** How many runs. */
  readonly runs: number;
  readonly invariants?: readonly Invariant[];
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
