/** A guard watches a driven run for what does not come from its own tasks: commands, other processes, a stop, the time. */

import type { Hand } from "./hand.ts";
import type { Ledger } from "./ledger.ts";

export interface GuardOptions {
  /** How often to look for commands that other processes recorded, in milliseconds; not at all when absent. */
  readonly watch?: number;
  /** Fires to stop: tasks in hand are told, and what they did not finish stays to be done. */
  readonly signal?: AbortSignal;
}

export class Guard {
  readonly #hand: Hand;
  readonly #ledger: Ledger;
  /** Present when there is something to end. */
  readonly #ended: AbortController | undefined;
  readonly #calm: () => void;
  #ring: (() => void) | undefined;
  #disturbed: boolean = true;
  #fault: { readonly error: unknown } | undefined;

  constructor(hand: Hand, ledger: Ledger, { watch, signal }: GuardOptions) {
    this.#hand = hand;
    this.#ledger = ledger;
    this.#calm = ledger.onDisturbance(this.#disturb);
    this.#listen();
    if (signal === undefined && watch === undefined) return;
    const ended = new AbortController();
    this.#ended = ended;
    signal?.addEventListener("abort", this.#disturb, { signal: ended.signal });
    if (watch !== undefined) void this.#watch(watch, ended.signal);
  }

  readonly #disturb = (): void => {
    this.#disturbed = true;
    this.#ring?.();
  };

  /** Waits for the next disturbance, here: what follows a call through awaits stays that of the driver's caller. */
  #listen(): void {
    const rung = new Promise<void>((ring) => {
      this.#ring = ring;
    });
    void rung.then(this.#wake);
  }

  readonly #wake = (): void => {
    this.#listen();
    this.#hand.wake();
  };

  /** True when something happened since the last look. */
  get isDisturbed(): boolean {
    return this.#disturbed;
  }

  /** Stops the tasks that a command ended. Throws what watching ran into. */
  releaseStopped(): void {
    if (this.#fault !== undefined) throw this.#fault.error;
    if (!this.#disturbed) return;
    this.#disturbed = false;
    this.#hand.release(this.#ledger.state, this.#ledger.state.status);
  }

  /** Waits until a task comes back, a sleeping one is due, or something else happens. */
  async settledOrDue(due: number): Promise<void> {
    const settled = new AbortController();
    const wait = due - this.#ledger.clock.now();
    await Promise.race([this.#hand.settled(), this.#ledger.clock.sleep(wait, settled.signal)]);
    settled.abort();
  }

  end(): void {
    this.#ended?.abort("ended"); // a reason of its own saves the making of an error
    this.#calm();
  }

  async #watch(interval: number, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.#ledger.clock.sleep(interval, signal);
      if (signal.aborted) return;
      try {
        await this.#ledger.refresh();
      } catch (error) {
        this.#fault = { error };
        this.#disturb();
        return;
      }
    }
  }
}
