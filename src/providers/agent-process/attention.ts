/**
 * Attention is who watches an exchange with an agent: somebody is shown what it does and waits for what comes next, or,
 * while a person decides, nobody is.
 */

import type { Progress } from "../../agent/agent.ts";

export class Attention {
  #progress: (chunk: Progress) => void;
  #wake: (() => void) | undefined;
  readonly #whenLeft: (() => void)[] = [];
  #isParked = false;
  /** How often the agent has shown a sign of life. */
  signs = 0;
  /** Whether it has shown anything of its work. */
  hasShown = false;

  constructor(progress: (chunk: Progress) => void) {
    this.#progress = progress;
  }

  /** True while a person decides, and nobody attends. */
  get isParked(): boolean {
    return this.#isParked;
  }

  show(chunk: Progress): void {
    this.hasShown = true;
    this.#progress(chunk);
  }

  /** Leaves the exchange alone until a person has decided; nothing is shown meanwhile. */
  park(): void {
    this.#isParked = true;
    this.#progress = () => {};
    this.#leave();
  }

  /** Attends to it again. */
  takeUp(progress: (chunk: Progress) => void): void {
    this.#isParked = false;
    this.#progress = progress;
  }

  /** Nobody will attend to it any more. */
  end(): void {
    this.#isParked = false;
    this.#leave();
  }

  /** Resolves when it is left alone, for a while or for good. */
  left(): Promise<void> {
    return new Promise((resolve) => this.#whenLeft.push(resolve));
  }

  /** Resolves with the next change, or after so many milliseconds. */
  changed(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, Math.min(milliseconds, 2 ** 31 - 1));
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  /** Wakes whoever waits for a change. */
  wake(): void {
    const wake = this.#wake;
    this.#wake = undefined;
    wake?.();
  }

  #leave(): void {
    for (const resolve of this.#whenLeft.splice(0)) resolve();
  }
}

/** What can have an exchange under way. */
export interface Place<E> {
  exchange?: E | undefined;
}

interface Watched {
  readonly attention: Attention;
}

/** Waits until a place is free, and takes it before anybody else can; `abandon` ends and frees what nobody came back for. */
export async function occupy<E extends Watched>(
  place: Place<E>,
  exchange: E,
  abandon: (before: E) => Promise<void>,
): Promise<void> {
  for (let before = place.exchange; before !== undefined; before = place.exchange) {
    if (before.attention.isParked) await abandon(before);
    else await before.attention.left();
  }
  place.exchange = exchange;
}

/** Gives a place free again, if it is this exchange that has it. */
export function vacate<E extends Watched>(place: Place<E>, exchange: E): void {
  if (place.exchange === exchange) place.exchange = undefined;
  exchange.attention.end();
}
