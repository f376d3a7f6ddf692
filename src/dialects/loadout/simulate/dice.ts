/** Dice are the chance of one simulated run: everything in it that could go either way is asked of them, in order. */

import { random } from "../../../base/random.ts";

export interface Dice {
  /** True with this probability, 0 to 1. */
  chance(probability: number): boolean;
  /** A whole number from 0 to one below the limit. */
  below(limit: number): number;
  /** One of several things; there has to be one. */
  pick<T>(things: readonly [T, ...T[]]): T;
}

/** The same seed throws the same way on every machine. */
export function diceOf(seed: string): Dice {
  const next = random(seed);
  const below = (limit: number): number => Math.floor(next() * limit);
  return {
    chance: (probability) => next() < probability,
    below,
    pick: (things) => things[below(things.length)] ?? things[0],
  };
}

/** How the actors of one run are: most runs are calm about most things, so that each kind of trouble gets its say. */
export interface Temper {
  /** The share of true among what is said about work. */
  readonly satisfied: number;
  /** The shares of turns whose output breaks the contract, that fail, and that take their time. */
  readonly malformed: number;
  readonly failing: number;
  readonly late: number;
  /** The share of programs that fail or run out of time. */
  readonly broken: number;
}

export function temperOf(dice: Dice): Temper {
  const sometimes = (share: number): number => (dice.chance(0.25) ? share : 0);
  return {
    satisfied: dice.pick([1, 0.8, 0.5, 0.2, 0]),
    malformed: sometimes(0.2),
    failing: sometimes(0.15),
    late: sometimes(0.2),
    broken: sometimes(0.15),
  };
}
