/** The standings of runs as flags name them. */

import type { Standing } from "../../run/journal.ts";
import { Misuse } from "../misuse.ts";

export const STANDINGS: readonly Standing[] = [
  ...(["running", "waiting", "paused", "completed", "failed", "cancelled"] as const),
];

/** The standing that `--status` names. */
export function statusFrom(text: string): Standing {
  const known = STANDINGS.find((standing) => standing === text.trim());
  if (known !== undefined) return known;
  throw new Misuse("usage", `--status is one of ${STANDINGS.join(", ")}.`);
}
