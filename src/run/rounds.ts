/**
 * Rounds are a driver's work in portions: each ends by saying what it waits for, a promise or what the hand holds.
 *
 * 1. What the last task in hand brings is gone on with at once, in the turn of the queue in which it came back. An
 *    `await` would cost a promise and a turn of its own in each step.
 * 2. Of several tasks in hand, those that come back in the same turn are taken together.
 */

import type { Hand } from "./hand.ts";

/** Waits until a task comes back, or the hand is woken. */
export const RETURNS: unique symbol = Symbol("returns");

/** Yields what it waits for; a promise is answered with what it resolves to. */
export type Rounds<Result> = Generator<Promise<unknown> | typeof RETURNS, Result, unknown>;

/** Resumes the rounds whenever what they wait for is there; resolves to what they return. */
export function resumed<Result>(rounds: Rounds<Result>, hand: Hand): Promise<Result> {
  return new Promise((resolve, reject) => {
    const goOn = (value?: unknown): void => {
      try {
        wait(rounds.next(value));
      } catch (error) {
        reject(error);
      }
    };
    const fail = (error: unknown): void => {
      try {
        wait(rounds.throw(error));
      } catch (unhandled) {
        reject(unhandled);
      }
    };
    const wait = ({ done, value }: IteratorResult<Promise<unknown> | typeof RETURNS, Result>): void => {
      if (done) resolve(value);
      else if (value === RETURNS) hand.onReturn(goOn);
      else value.then(goOn, fail);
    };
    goOn();
  });
}
