/**
 * Replay runs the kernel over a log again, with the recorded outcomes in place of effects.
 *
 * 1. No handler is called: what tasks returned, people answered and commands asked is taken from the log.
 * 2. Everything that the kernel decides by itself is decided again and has to be what was recorded.
 * 3. A log that cannot be folded is told like one that differs: by its first event that is wrong.
 */

import { describeError } from "../base/failure.ts";
import { type Json, sameJson } from "../base/json.ts";
import type { RunId } from "../base/names.ts";
import type { Event, Fact } from "./event.ts";
import { evolve } from "./evolve.ts";
import { next } from "./next.ts";
import type { Program } from "./program.ts";
import { emptyState, type RunState } from "./state.ts";

export type Replay = { readonly ok: true; readonly state: RunState } | ({ readonly ok: false } & Divergence);

/** The first event that the kernel would not have recorded, and what it would have recorded instead. */
export interface Divergence {
  readonly at: Event;
  readonly expected: Fact | undefined;
  /** Why the event cannot stand where it stands, when it is not that another one should. */
  readonly problem?: string;
}

/** What follows from the state alone. Everything else came from outside. */
const DECIDED: ReadonlySet<Fact["type"]> = new Set([
  "step.opened",
  "step.committed",
  "run.finished",
  "run.failed",
]);

/** The pauses that follow from the state; others come from tasks and people. */
const DECIDED_PAUSES: ReadonlySet<string> = new Set(["interrupt_before", "interrupt_after"]);

/** Goes through the log of one run, event by event, from its beginning. */
export class Replayer {
  readonly state: RunState;
  readonly #program: Program;

  constructor(program: Program, run: RunId) {
    this.#program = program;
    this.state = emptyState(run);
  }

  /** Says whether the kernel would have recorded the event now, and folds it when that is so. */
  take(event: Event): Divergence | undefined {
    const { state } = this;
    if (event.run !== state.run || event.seq !== state.seq + 1) {
      const problem = `event ${state.seq + 1} of run ${state.run} should stand here`;
      return { at: event, expected: undefined, problem };
    }
    try {
      if (isDecided(event)) {
        const decision = next(this.#program, state);
        const expected = decision.kind === "record" ? decision.fact : undefined;
        if (expected === undefined || !sameJson(plainFact(expected), plainFact(factOf(event)))) {
          return { at: event, expected };
        }
      }
      evolve(state, event);
    } catch (error) {
      return { at: event, expected: undefined, problem: describeError(error).message }; // (3)
    }
    return undefined;
  }
}

/** Replays the log of a run from its beginning. */
export function replay(program: Program, run: RunId, events: Iterable<Event>): Replay {
  const replayer = new Replayer(program, run);
  for (const event of events) {
    const divergence = replayer.take(event);
    if (divergence !== undefined) return { ok: false, ...divergence };
  }
  return { ok: true, state: replayer.state };
}

function isDecided(event: Event): boolean {
  return event.type === "run.paused" ? DECIDED_PAUSES.has(event.reason) : DECIDED.has(event.type);
}

/** An event without its place in a log. */
export function factOf({ run: _run, seq: _seq, at: _at, ...fact }: Event): Fact {
  return fact;
}

/** A fact as a log would give it back: without the keys that hold nothing. */
export function plainFact(fact: Fact): Json {
  return JSON.parse(JSON.stringify(fact)) as Json;
}
