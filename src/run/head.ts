/** A head is the line that a list of runs shows for one run. */

import { invariant } from "../base/failure.ts";
import type { RunState } from "../kernel/state.ts";
import type { RunHead, Standing } from "./journal.ts";

/** The status of a run as people see it. */
export function standingOf({ status, count }: RunState): Standing {
  invariant(status !== "new", "a run without events has no standing");
  return status === "running" && count.asked > 0 && count.ready === 0 ? "waiting" : status;
}

/** The head that a state has now, or the one before when nothing in it has changed. */
export function headOf(state: RunState, before: RunHead | undefined, now: number): RunHead | undefined {
  if (state.status === "new") return before;
  const status = standingOf(state);
  if (
    before !== undefined &&
    before.status === status &&
    before.reason === state.reason &&
    before.program === state.program
  ) {
    return before;
  }
  invariant(state.program, "a started run has a program");
  return {
    run: state.run,
    program: state.program,
    status,
    ...(state.reason !== undefined && { reason: state.reason }),
    ...(state.parent && { parent: state.parent }),
    startedAt: before?.startedAt ?? now,
    updatedAt: now,
  };
}
