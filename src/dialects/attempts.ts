/** How often a turn is tried when its failure says that another try may help; each try is a turn of its own. */

import type { Attempts } from "../kernel/plan.ts";

export const TURN_ATTEMPTS: Attempts = {
  max: 3,
  initialInterval: 1000,
  backoffFactor: 2,
  maxInterval: 30_000,
  jitter: true,
};
