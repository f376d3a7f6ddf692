/** Turns let one piece of work run at a time, in the order of asking; work that is done at once costs nothing. */

import type { Maybe } from "./journal.ts";

export class Turns {
  #current: Promise<unknown> | undefined;

  /** Does the work when what was asked for before is done. */
  take<T>(work: () => Maybe<T>): Maybe<T> {
    return this.begun(this.#current === undefined ? work() : this.#current.then(work, work));
  }

  /** Makes others wait for work that was begun while nothing was under way. */
  begun<T>(result: Maybe<T>): Maybe<T> {
    return result instanceof Promise ? this.#hold(result) : result;
  }

  #hold<T>(result: Promise<T>): Promise<T> {
    const done = () => {
      if (this.#current === result) this.#current = undefined;
    };
    this.#current = result;
    result.then(done, done);
    return result;
  }

  /** True when nothing is under way. */
  get areIdle(): boolean {
    return this.#current === undefined;
  }

  /** Waits until nothing is under way. Does not throw. */
  async idle(): Promise<void> {
    while (this.#current !== undefined) await this.#current.catch(() => {});
  }
}
