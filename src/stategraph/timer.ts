/** The timer of this process: what nodes get to know of time. */

import type { Machine, Watch } from "../dialects/graph/machine.ts";
import type { Timeout } from "../dialects/graph/node-options.ts";
import { type Clock, systemClock } from "../run/clock.ts";

/** A machine whose time is that of a clock. */
function machineWith(clock: Clock): Machine {
  return {
    watch: (timeout, outer) => watch(clock, timeout, outer as AbortSignal), // runs on a platform that has them
    sleep: (milliseconds, signal) => clock.sleep(milliseconds, signal as AbortSignal), // as above
  };
}

export const systemMachine: Machine = machineWith(systemClock);

function watch(clock: Clock, { run, idle }: Timeout, outer: AbortSignal): Watch {
  const ended = new AbortController();
  const expiry = new AbortController();
  const { promise: expired, resolve } = Promise.withResolvers<"run" | "idle">();
  let alive = clock.now();
  const expire = (limit: "run" | "idle") => {
    if (ended.signal.aborted) return;
    resolve(limit);
    expiry.abort(new DOMException("The time of this attempt is up.", "TimeoutError"));
    ended.abort("expired");
  };
  const waitForEnd = async (milliseconds: number) => {
    await clock.sleep(milliseconds, ended.signal);
    expire("run");
  };
  const waitForSilence = async (milliseconds: number) => {
    for (
      let rest = milliseconds;
      rest > 0 && !ended.signal.aborted;
      rest = alive + milliseconds - clock.now()
    )
      await clock.sleep(rest, ended.signal);
    expire("idle");
  };
  outer.addEventListener("abort", () => ended.abort("stopped"), { once: true, signal: ended.signal });
  if (run !== undefined) void waitForEnd(run);
  if (idle !== undefined) void waitForSilence(idle);
  return {
    signal: AbortSignal.any([outer, expiry.signal]),
    expired,
    beat: () => {
      alive = clock.now();
    },
    end: () => ended.abort("ended"),
  };
}
