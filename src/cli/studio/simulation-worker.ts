/** The thread of a simulation: it gets its job when it is made, and sends one message. */

import { parentPort, workerData } from "node:worker_threads";
import type { Json } from "../../base/json.ts";
import { type SimulateFile, simulateFile } from "../../engines/simulate.ts";

export interface SimulationJob {
  readonly json: Json;
  readonly options: Pick<SimulateFile, "seed" | "runs"> & { readonly below: readonly Json[] };
}

const { json, options } = workerData as SimulationJob; // what `simulateBeside` gives it
parentPort?.postMessage(await simulateFile(json, options));
