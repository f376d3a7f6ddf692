/** The machine is what nodes need of the platform that runs them: time. */

import type { Signal } from "../../base/abort.ts";
import type { Timeout } from "./node-options.ts";

export interface Machine {
  /** Watches one attempt at a node; `outer` is the signal that it would have had. */
  watch(timeout: Timeout, outer: Signal): Watch;
  /** Waits; ends early, without an error, when the signal fires. */
  sleep(milliseconds: number, signal: Signal): Promise<void>;
}

/** A look at the clock that goes on until the attempt has ended. */
export interface Watch {
  /** Fires when the time is up, or the outer signal does. */
  readonly signal: Signal;
  /** Resolves when the time is up, with the limit that was passed; it stays open otherwise. */
  readonly expired: Promise<"run" | "idle">;
  /** The attempt shows a sign of life. */
  beat(): void;
  /** The attempt has ended. */
  end(): void;
}
