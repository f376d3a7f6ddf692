/** Judging says what a rehearsal means for a replay: the call came to the same, nobody can say, or it differs. */

import type { Event } from "../../kernel/event.ts";
import type { Task } from "../../kernel/state.ts";
import type { ReplayProgram } from "./evidence.ts";
import type { Rehearsed } from "./rehearsal.ts";
import { compareCall, type ReplayDifference } from "./replay-difference.ts";
import { compareNode } from "./rerun-difference.ts";

export type Judged =
  | { readonly kind: "same" }
  | { readonly kind: "gap"; readonly why: string }
  /** A decision differs, when everything that was remembered on the way to it was the same. */
  | { readonly kind: "differs"; readonly difference: ReplayDifference; readonly isDecision: boolean };

export interface Case {
  readonly rehearsed: Rehearsed;
  /** What logs do not keep that the handler depends on. */
  readonly missing: readonly string[];
  /** The notes of the call, and the event that it ended with. */
  readonly recorded: readonly Event[];
  readonly event: Event;
  readonly task: Task;
  readonly checks: NonNullable<ReplayProgram["checks"]>;
  readonly isChanged: boolean;
}

const SAME = { kind: "same" } as const;

/** Says what it means. A handler of Baton's that misses something may make a failure of it, so its outcome says nothing then. */
export function judge(given: Case): Judged {
  const { rehearsed, missing, recorded, event, isChanged, checks } = given;
  const gap = missing.length > 0 && ({ kind: "gap", why: `The log does not keep ${missing[0]}.` } as const);
  if (gap && checks === "handlers") return gap;
  if (rehearsed.kind === "taken") return { kind: "gap", why: rehearsed.why };
  if (checks === "nodes" && rehearsed.kind === "facts") return judgeNode(given, rehearsed, gap || undefined);
  const difference = compareCall(rehearsed, recorded, { event, isChanged });
  if (difference === undefined) return SAME;
  return gap || { kind: "differs", difference, isDecision: rehearsed.kind === "facts" };
}

const CACHED: Judged = { kind: "gap", why: "Its result came from a cache, so its function did not run." };

function judgeNode(
  { event, task, recorded }: Case,
  { facts, unrecorded }: Extract<Rehearsed, { kind: "facts" }>,
  gap: Judged | undefined,
): Judged {
  const now = facts.at(-1);
  const difference = compareNode(now, event, task);
  const wasCached = recorded.some((each) => each.type === "task.noted" && each.kind === "cached");
  if (difference === undefined) return wasCached ? CACHED : SAME;
  if (gap !== undefined) return gap;
  const [key] = unrecorded;
  // What it remembers is handed back from the end of the call, so where a driver died in it makes no difference.
  const isDecision = false;
  if (key === undefined) return { kind: "differs", difference, isDecision };
  // An effect that failed then was not recorded, and a node that finished all the same had caught that.
  if (now?.type !== "task.failed" || event.type !== "task.finished") {
    return { kind: "gap", why: `The log has nothing under ${key}: it is new, or its effect failed then.` };
  }
  const message = `${task.node}, in step ${task.step}, wants to remember ${key}, which it did not then.`;
  const { expected: _, recorded: __, ...where } = difference;
  return { kind: "differs", difference: { ...where, message }, isDecision };
}
