/** Driven is a run in which somebody records what only a driver does: its steps, and what comes of its tasks. */

import type { RunId } from "../base/names.ts";
import type { Event, Fact } from "../kernel/event.ts";
import { Conflict } from "./journal.ts";

/** What only a driver records; anything else may come from a command. */
const DRIVEN: ReadonlySet<Fact["type"]> = new Set([
  "run.started",
  "run.resumed",
  "run.finished",
  "run.failed",
  "step.opened",
  "step.committed",
  "task.finished",
  "task.failed",
  "task.asked",
  "task.remembered",
]);

/** Gives up when the events that came in between say that somebody else drives the run. */
export function refuseDriven(run: RunId, events: readonly Event[]): void {
  const driven = events.find(({ type }) => DRIVEN.has(type));
  if (driven === undefined) return;
  const what = `recorded ${driven.type} as event ${driven.seq}`;
  throw new Conflict(run, `Run ${run} is driven by somebody else, who ${what}.`);
}
