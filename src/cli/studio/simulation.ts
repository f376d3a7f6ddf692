/**
 * A simulation runs beside everything else: in a thread of its own, since nobody else would have a turn meanwhile.
 *
 * 1. One that takes too long is ended; the person makes it smaller.
 */

import { Worker } from "node:worker_threads";
import type { Simulated } from "../../engines/simulate.ts";
import { Problem } from "../../server/problem.ts";
import type { SimulationJob } from "./simulation-worker.ts";

/** In milliseconds. */
const LONGEST = 60_000;
const WORKER = import.meta.url.endsWith(".ts") ? "./simulation-worker.ts" : "./simulation-worker.js";

/** Simulates; throws a `Problem` when it takes too long. */
export async function simulateBeside(job: SimulationJob): Promise<Simulated> {
  const worker = new Worker(new URL(WORKER, import.meta.url), { workerData: job });
  const { promise, resolve, reject } = Promise.withResolvers<Simulated>();
  worker.once("message", resolve);
  worker.once("error", reject);
  worker.once("exit", () => reject(new Error("The simulation ended without a word.")));
  const timer = setTimeout(() => {
    const hint = "Ask for fewer runs.";
    reject(new Problem("too_large", `The simulation took more than ${LONGEST / 1000} seconds.`, { hint })); // (1)
  }, LONGEST);
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    await worker.terminate();
  }
}
