/** Event by event is how a stream hears of a run: each event with the state that it led to, and no later one. */

import { archiveState, restoreState } from "../kernel/archive.ts";
import type { Event } from "../kernel/event.ts";
import { evolve } from "../kernel/evolve.ts";
import type { Pace } from "../kernel/plan.ts";
import { emptyState, type RunState } from "../kernel/state.ts";
import type { Ledger, Listener } from "../run/ledger.ts";

type Tell = (event: Event, state: RunState) => void;

/**
 * A listener for a ledger as it is now. At pace `step` a stream records one commit at a time, so the ledger's own state
 * will do. At pace `turn` one append may hold several, and the state is folded here once more.
 */
export function eventByEvent(ledger: Ledger, pace: Pace, tell: Tell): Listener {
  if (pace === "step") {
    return (events, state) => {
      for (const event of events) tell(event, state);
    };
  }
  const { run, seq } = ledger.state;
  const state = seq === 0 ? emptyState(run) : restoreState(run, archiveState(ledger.state));
  state.seq = seq;
  return (events) => {
    for (const event of events) {
      evolve(state, event);
      tell(event, state);
    }
  };
}
