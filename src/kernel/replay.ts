/**
 * Replay runs the kernel over a log again, with the recorded outcomes in place of effects.
 *
 * 1. No handler is called: what tasks returned, people answered and commands asked is taken from the log.
 * 2. Everything that the kernel decides by itself is decided again and has to be what was recorded.
 */

import { type Json, sameJson } from "../base/json.ts";
import type { RunId } from "../base/names.ts";
import type { Event, Fact } from "./event.ts";
import { evolve } from "./evolve.ts";
import { next } from "./next.ts";
import type { Program } from "./program.ts";
import { emptyState, type RunState } from "./state.ts";

export type Replay =
  | { readonly ok: true; readonly state: RunState }
  /** The first event that the kernel would not have recorded, and what it would have recorded instead. */
  | { readonly ok: false; readonly at: Event; readonly expected: Fact | undefined };

/** What follows from the state alone. Everything else came from outside. */
const DECIDED: ReadonlySet<Fact["type"]> = new Set([
  "step.opened",
  "step.committed",
  "run.finished",
  "run.failed",
]);

/** Replays the log of a run from its beginning. */
export function replay(program: Program, run: RunId, events: Iterable<Event>): Replay {
  const state = emptyState(run);
  for (const event of events) {
    if (DECIDED.has(event.type)) {
      const decision = next(program, state);
      const expected = decision.kind === "record" ? decision.fact : undefined;
      if (expected === undefined || !sameJson(plain(expected), plain(factOf(event)))) {
        return { ok: false, at: event, expected };
      }
    }
    evolve(state, event);
  }
  return { ok: true, state };
}

function factOf({ run: _run, seq: _seq, at: _at, ...fact }: Event): Fact {
  return fact;
}

/** As a log would give it back: without the keys that hold nothing. */
function plain(fact: Fact): Json {
  return JSON.parse(JSON.stringify(fact)) as Json;
}
