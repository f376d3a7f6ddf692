/**
 * A contest lets contenders do the same work in turns, and keeps how long each took in each round.
 *
 * 1. Every round has every contender once, each time in another order: what disturbs the machine disturbs all.
 * 2. A ratio is that of two contenders in the same round; its spread is over the rounds.
 * 3. Nothing is forced between two turns: a garbage collection on demand also throws away compiled code, and whoever has
 *    much code would pay for that.
 * 4. All have to come to the same result in every round, or the contest is void.
 */

import { isDeepStrictEqual } from "node:util";
import { type Spread, spreadOf } from "./spread.ts";

export interface Contender {
  readonly name: string;
  /** What one call does this many of: steps, sends, chunks. Times are per unit. */
  readonly units: number;
  /** Calls in a round, 1 by default: more for the fast, so that their round lasts long enough to be measured. */
  readonly calls?: number;
  /** Not timed; before each call. */
  readonly prepare?: (() => void | Promise<void>) | undefined;
  /** The work; returns what it came to. */
  readonly run: () => unknown;
  /** Not timed; after each call. */
  readonly finish?: (() => void | Promise<void>) | undefined;
}

export interface ContestOptions {
  /** Rounds that count. */
  readonly rounds: number;
  /** Rounds before them, 2 by default: code gets compiled in these. */
  readonly warmUps?: number;
  /** What every call has to return. */
  readonly result: unknown;
}

export class Timings {
  /** Microseconds per unit, round by round. */
  readonly #times: ReadonlyMap<string, readonly number[]>;

  constructor(times: ReadonlyMap<string, readonly number[]>) {
    this.#times = times;
  }

  get names(): string[] {
    return [...this.#times.keys()];
  }

  /** Microseconds per unit. */
  of(name: string): Spread {
    return spreadOf(this.#of(name));
  }

  /** How many times as long as `less` one unit of `more` took. */
  ratio(more: string, less: string): Spread {
    const times = this.#of(less);
    return spreadOf(this.#of(more).map((time, round) => time / (times[round] as number)));
  }

  #of(name: string): readonly number[] {
    const times = this.#times.get(name);
    if (times === undefined) throw new Error(`No contender is called ${name}.`);
    return times;
  }
}

export async function contest(
  contenders: readonly Contender[],
  { rounds, warmUps = 2, result }: ContestOptions,
): Promise<Timings> {
  const times = new Map<string, number[]>(contenders.map(({ name }) => [name, []]));
  for (let round = 0; round < warmUps + rounds; round++) {
    for (const contender of rotated(contenders, round)) {
      const time = await timeOf(contender, result);
      if (round >= warmUps) times.get(contender.name)?.push(time);
    }
  }
  return new Timings(times);
}

async function timeOf(contender: Contender, expected: unknown): Promise<number> {
  const { units, calls = 1, prepare, run, finish } = contender;
  let spent = 0;
  for (let call = 0; call < calls; call++) {
    await prepare?.();
    const start = performance.now();
    const returned = await run();
    spent += performance.now() - start;
    await finish?.();
    checkResult(contender.name, returned, expected);
  }
  return (spent * 1000) / (units * calls);
}

/** Throws when a contender did not come to what it should. */
export function checkResult(name: string, returned: unknown, expected: unknown): void {
  // The peer returns objects of classes of its own: what counts is the data.
  if (isDeepStrictEqual(plain(returned), plain(expected))) return;
  const texts = [returned, expected].map((value) => JSON.stringify(value)?.slice(0, 200));
  throw new Error(`${name} came to ${texts[0]}, not to ${texts[1]}.`);
}

function plain(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
}

function rotated<T>(list: readonly T[], by: number): readonly T[] {
  const start = by % list.length;
  return [...list.slice(start), ...list.slice(0, start)];
}
