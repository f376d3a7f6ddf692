/** The clock is the only source of time. */

export interface Clock {
  /** Milliseconds since 1970 UTC. */
  now(): number;
  /** Waits; ends early, without an error, when the signal fires. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
  /** Lets timers, sockets and signals have their turn. */
  breathe(): Promise<void>;
}

/** The longest delay that `setTimeout` keeps, in milliseconds. */
const LONGEST = 2 ** 31 - 1;

/** The clock of the machine. */
export const systemClock: Clock = {
  now: () => Date.now(),
  sleep(milliseconds, signal) {
    return new Promise((resolve) => {
      if (signal?.aborted) return resolve();
      const end = () => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", end);
        resolve();
      };
      const timer = setTimeout(end, Math.min(Math.max(0, milliseconds), LONGEST));
      signal?.addEventListener("abort", end);
    });
  },
  breathe: () =>
    new Promise((resolve) =>
      typeof setImmediate === "function" ? setImmediate(resolve) : setTimeout(resolve),
    ),
};
