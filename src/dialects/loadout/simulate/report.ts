/** A report is what a simulation found: how runs ended, which laws were broken and how to see it, and what never happened. */

import type { JsonObject } from "../../../base/json.ts";
import type { Chart } from "../chart.ts";
import type { Condition } from "../definition.ts";
import { edgeName } from "../facts.ts";
import type { Play } from "./play.ts";
import { exitName, type Walk, type WalkEnd } from "./walk.ts";

export interface SimulationReport {
  /** True when no run broke a law. */
  readonly ok: boolean;
  readonly runs: number;
  readonly seed: string;
  readonly outcomes: Outcomes;
  /** One for each law that was broken, with the shortest run found that shows it. */
  readonly violations: readonly Violation[];
  readonly coverage: Coverage;
}

export interface Outcomes {
  readonly completed: number;
  /** By the code of the failure. */
  readonly failed: Readonly<Record<string, number>>;
  /** By the reason of the pause. */
  readonly paused: Readonly<Record<string, number>>;
  /** Runs that wait for an answer which nobody could think of. */
  readonly waiting: number;
  /** Runs that were cut because they did not come to an end. */
  readonly unfinished: number;
}

export interface Violation {
  /** The name of the law. */
  readonly invariant: string;
  /** How it was broken. */
  readonly message: string;
  readonly path: readonly string[];
  /** A simulation of one run with this seed shows it, before shrinking. */
  readonly seed: string;
  /** How many runs broke the law. */
  readonly runs: number;
  /** What `run --script` plays to show it. */
  readonly script: JsonObject;
  /** How programs have to end for it, by socket; they do well where nothing is said. */
  readonly programs: Play["programs"];
  /** What people have to answer for it, by socket; they approve where nothing is said. */
  readonly answers: Play["answers"];
}

/** What no run did. */
export interface Coverage {
  readonly sockets: readonly string[];
  readonly edges: readonly {
    readonly socket: string;
    readonly edge: number;
    readonly when: Condition;
    readonly to: string;
  }[];
  readonly exits: readonly { readonly loop: string; readonly exit: string; readonly to: string }[];
}

/** Counts how runs end. */
export class Tally {
  readonly #counts: Map<string, number> = new Map();

  add(end: WalkEnd): void {
    const key = JSON.stringify(end.kind === "failed" ? [end.kind, end.code] : pausedKey(end));
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
  }

  get outcomes(): Outcomes {
    return {
      completed: this.#of("completed")[""] ?? 0,
      failed: this.#of("failed"),
      paused: this.#of("paused"),
      waiting: this.#of("waiting")[""] ?? 0,
      unfinished: this.#of("unfinished")[""] ?? 0,
    };
  }

  #of(kind: WalkEnd["kind"]): Record<string, number> {
    const found = [...this.#counts].flatMap(([key, count]) => {
      const [named, why] = JSON.parse(key) as [string, string]; // written by `add`
      return named === kind ? [[why, count] as const] : [];
    });
    return Object.fromEntries(found.sort(([a], [b]) => (a < b ? -1 : 1)));
  }
}

function pausedKey(end: Exclude<WalkEnd, { kind: "failed" }>): readonly [string, string] {
  return [end.kind, end.kind === "paused" ? end.reason : ""];
}

/** What neither the visits nor the ways of all runs have. */
export function coverageOf(
  { definition, places, loops }: Chart,
  visited: ReadonlySet<string>,
  taken: ReadonlySet<string>,
): Coverage {
  const exits = loops.flatMap(({ id: loop, exits: routes }) =>
    routes.map(({ id: exit, targetSocketId: to }) => ({ loop, exit, to })),
  );
  return {
    sockets: Object.keys(definition.sockets).filter((id) => !visited.has(id)),
    edges: [...places.values()].flatMap(({ id: socket, edges }) =>
      edges.flatMap(({ when, to }, edge) =>
        taken.has(edgeName(socket, edge)) ? [] : [{ socket, edge, when, to }],
      ),
    ),
    exits: exits.filter(({ loop, exit }) => !taken.has(exitName(loop, exit))),
  };
}

/** The violation that a shrunk play shows. */
export function violationOf({ play, walk, ...found }: Shown): Violation {
  const { invariant, message, seed, runs } = found;
  const { script, programs, answers } = play;
  return { invariant, message, path: walk.path, seed, runs, script: { ...script }, programs, answers };
}

interface Shown extends Pick<Violation, "invariant" | "message" | "seed" | "runs"> {
  readonly play: Play;
  readonly walk: Walk;
}
