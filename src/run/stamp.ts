/**
 * A stamp gives a fact its place in the log, which makes an event of it.
 *
 * 1. It marks the fact itself: nobody else holds it, and a copy would cost as much again.
 * 2. The facts of each step are marked by a line of their own. A line that adds fields to objects of many shapes looks
 *    up how each time; one that always meets the same shape knows. What is done is the same, which `stamp.test.ts` holds.
 */

import type { RunId } from "../base/names.ts";
import type { Event, Fact } from "../kernel/event.ts";

export interface Place {
  readonly run: RunId;
  readonly seq: number;
  /** Milliseconds since 1970 UTC. */
  readonly at: number;
}

type Marked = { -readonly [Field in keyof Place]: Place[Field] } & Fact;

/** Makes an event of a fact that nobody else holds (1); `type` is its type, for callers that have just looked. */
export function stamp(fact: Fact, place: Place, type: Fact["type"] = fact.type): Event {
  const event = fact as Marked; // it becomes one here
  switch (type) {
    case "step.opened":
      return markOpened(event, place);
    case "task.finished":
      return markFinished(event, place);
    case "step.committed":
      return markCommitted(event, place);
    default:
      return mark(event, place);
  }
}

function mark(event: Marked, { run, seq, at }: Place): Event {
  event.run = run;
  event.seq = seq;
  event.at = at;
  return event;
}

function markOpened(event: Marked, { run, seq, at }: Place): Event {
  event.run = run;
  event.seq = seq;
  event.at = at;
  return event;
}

function markFinished(event: Marked, { run, seq, at }: Place): Event {
  event.run = run;
  event.seq = seq;
  event.at = at;
  return event;
}

function markCommitted(event: Marked, { run, seq, at }: Place): Event {
  event.run = run;
  event.seq = seq;
  event.at = at;
  return event;
}
