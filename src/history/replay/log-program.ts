/**
 * A log program is what the log of a run tells of its program when nobody has the code: the plan, without handlers.
 *
 * 1. What a reducer made of writes is taken from the log; that there was something to fold, and when, is decided again.
 * 2. Where a reducer threw, it throws the same again.
 */

import type { Json } from "../../base/json.ts";
import type { ChannelName } from "../../base/names.ts";
import type { Event } from "../../kernel/event.ts";
import type { Change, Patch, Take } from "../../kernel/patch.ts";
import type { Plan } from "../../kernel/plan.ts";
import type { Program, Reducer } from "../../kernel/program.ts";
import type { ReplayProgram } from "./evidence.ts";

/** The replay program of a run whose code is not at hand. */
export function logProgram({
  program: id,
  plan,
}: Pick<Program, "plan"> & { program: Program["id"] }): ReplayProgram {
  const book = new ReducerBook();
  return {
    program: { id, plan, handlers: {}, reducers: reducersOf(plan, book) },
    unchecked: ["node functions", "conditional edges", "reducers"],
    foresee: (event) => book.open(event),
  };
}

/** What reducers came to in the event that is decided next. */
class ReducerBook {
  #event: Event | undefined;

  open(event: Event): void {
    this.#event = event;
  }

  changeOf(channel: ChannelName): Change | Take {
    const event = this.#event;
    const failure = event?.type === "run.failed" ? event.failure : undefined;
    if (failure?.cause !== undefined && failure.message.startsWith(`The reducer of ${channel} threw`)) {
      throw Object.assign(new Error(failure.cause.message), failure.cause); // (2)
    }
    const patches: readonly Patch[] = event?.type === "step.committed" ? event.patches : [];
    const found = patches.find((patch) => patch.channel === channel);
    if (found === undefined) return { op: "clear" }; // which no reducer makes of anything, so it is found
    const { channel: _, ...change } = found;
    return change;
  }
}

/** A stand-in for each reducer: in a graph every field has its own. */
function reducersOf(plan: Plan, book: ReducerBook): Readonly<Record<string, Reducer>> {
  const named = Object.entries(plan.channels).flatMap(([channel, spec]) =>
    spec.kind === "fold" ? [[spec.reducer, standIn(channel, book)] as const] : [],
  );
  return Object.fromEntries(named);
}

function standIn(channel: ChannelName, book: ReducerBook): Reducer {
  const reducer = (): Json => {
    const change = book.changeOf(channel);
    return change.op === "set" ? change.value : null; // past a replacing write a commit sets the whole value
  };
  return Object.assign(reducer, { patch: () => book.changeOf(channel) });
}
