/** How a run stands, as a list says it: one that should go on and that nobody drives is not called running. */

import type { RunLine } from "./baton.ts";

export interface Standing {
  readonly status: string;
  readonly reason: string | null;
}

export function standingOf({
  status,
  reason,
  driver,
}: Pick<RunLine, "status" | "reason" | "driver">): Standing {
  return status === "running" && driver === null
    ? { status: "idle", reason: "nobody drives it" }
    : { status, reason };
}
