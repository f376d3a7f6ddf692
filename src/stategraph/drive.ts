/** Driving a call: on until only a person or a command can move the run, also through the waits between attempts. */

import type { Program } from "../kernel/program.ts";
import type { Host } from "../run/host.ts";
import type { Ledger } from "../run/ledger.ts";
import { type DriveOptions, drive, type Stop } from "../run/loop.ts";

/** Drives a run and waits for the times of its retries; a command that comes meanwhile ends such a wait. */
export async function driveToRest(
  program: Program,
  ledger: Ledger,
  host: Host,
  options: DriveOptions,
): Promise<Exclude<Stop, { kind: "sleeping" }>> {
  for (;;) {
    const stop = await drive(program, ledger, host, { grace: 0, ...options });
    if (stop.kind !== "sleeping") return stop;
    await sleepUntil(stop.until, ledger, options.signal);
  }
}

async function sleepUntil(until: number, ledger: Ledger, outer: AbortSignal | undefined): Promise<void> {
  const woken = new AbortController();
  const calm = ledger.onDisturbance(() => woken.abort("a command came"));
  const signal = outer === undefined ? woken.signal : AbortSignal.any([woken.signal, outer]);
  await ledger.clock.sleep(until - ledger.clock.now(), signal);
  calm();
}
