/** A start difference is where a run would begin otherwise now. */

import { messageOf } from "../../base/failure.ts";
import type { Json } from "../../base/json.ts";
import type { Event } from "../../kernel/event.ts";
import type { RunState } from "../../kernel/state.ts";
import { firstDifference } from "../difference.ts";
import type { ReplayProgram, Start } from "./evidence.ts";
import { placeOf, type ReplayDifference } from "./replay-difference.ts";

type Found =
  | { readonly kind: "gap"; readonly why: string }
  | { readonly kind: "differs"; readonly difference: ReplayDifference };

/** Asks where a run would begin, and holds that against where it did; nothing when it is the same. */
export async function compareStart(
  event: Extract<Event, { type: "run.started" }>,
  state: RunState,
  start: NonNullable<ReplayProgram["start"]>,
): Promise<Found | undefined> {
  const missing: string[] = [];
  const found = await differenceIn(event, async () =>
    start(event, { state, gap: (what) => missing.push(what) }),
  );
  if (found === undefined) return undefined;
  if (missing.length > 0) return { kind: "gap", why: `The log does not keep ${missing[0]}.` };
  return { kind: "differs", difference: { ...placeOf(event), by: "start", ...found } };
}

type Told = Pick<ReplayDifference, "path" | "expected" | "recorded" | "message">;

async function differenceIn(
  { route, sends = [] }: Extract<Event, { type: "run.started" }>,
  ask: () => Promise<Start>,
): Promise<Told | undefined> {
  let now: Start;
  try {
    now = await ask();
  } catch (error) {
    const why = messageOf(error);
    return { path: "", message: `A path function of START throws: ${why}` };
  }
  // Routes and sends are plain JSON.
  const found = firstDifference(now as unknown as Json, { route, sends } as unknown as Json);
  if (found === undefined) return undefined;
  const { path, left, right } = found;
  return {
    path,
    ...(left !== undefined && { expected: left }),
    ...(right !== undefined && { recorded: right }),
    message: `START leads elsewhere at ${path}.`,
  };
}
