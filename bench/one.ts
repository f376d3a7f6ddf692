/** Runs one case for `run.ts`, whose process this one is a child of. */

import { CASES } from "./cases/cases.ts";
import type { Ended } from "./harness/print.ts";

const which = CASES[Number(process.argv[2])];
if (which === undefined || process.send === undefined) throw new Error("Start run.ts instead.");

const ended: Ended = await which.run().then(
  (report) => ({ report }),
  (error: unknown) => ({ failure: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
);
process.send(ended, () => process.disconnect());
