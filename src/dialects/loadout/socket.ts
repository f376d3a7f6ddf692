/**
 * A socket's handler: it sees that the visit may begin, has the work done, and concludes what was said.
 *
 * 1. A used-up budget, its own or that of a run around it, and a loop without items end the visit before anything is done in it.
 * 2. An interrupted visit that came to no output holds the run, whatever else became of it.
 * 3. What kind of materia it holds matters to `perform` alone.
 */

import { failure } from "../../base/failure.ts";
import type { Handler, Outcome, TaskContext } from "../../kernel/program.ts";
import { budgetReached, type Purse, spentIn } from "./budget.ts";
import type { Chart, Circuit, Place } from "./chart.ts";
import { conclude, done, type Output } from "./conclude.ts";
import { takeExit } from "./onward.ts";
import { Visit } from "./visit.ts";

/** Does the work of one visit. Notes are left on the visit. */
export type Perform = (visit: Visit, context: TaskContext) => Promise<Performed>;

export type Performed =
  | { readonly kind: "output"; readonly output: Output }
  /** The visit came to no output; its notes are added. */
  | { readonly kind: "stopped"; readonly outcome: Outcome };

export interface Setting {
  readonly chart: Chart;
  /** What the run may spend from the budgets around it. */
  readonly purse: Purse | undefined;
}

export function socketHandler({ chart, purse }: Setting, place: Place, perform: Perform): Handler {
  return async (input, context) => {
    const visit = new Visit(place, input.snapshot);
    if (place.loop !== undefined && visit.item === undefined) return passBy(chart, visit, place.loop);
    const held = budgetReached(visit) ?? purse?.(spentIn(visit));
    if (held !== undefined) return { ...held, notes: [skipped(visit, "budget")] };
    if (isFirstRun(context)) {
      const { item } = visit;
      visit.note("entered", { label: place.label, ...(item && { item: item.key, title: item.label }) });
    }
    const performed = await perform(visit, context);
    if (performed.kind === "output") return conclude(chart, visit, performed.output);
    const { interrupted: reason } = context;
    const { outcome } = reason === undefined ? performed : interrupted(place, reason);
    return { ...outcome, notes: visit.notes };
  };
}

/** A visit that a person stopped holds the run; resumed, it is made again. */
export function interrupted({ id, label }: Place, reason: string): Extract<Performed, { kind: "stopped" }> {
  const message = `${id} (${label}) was interrupted (${reason}). Resume the run to go on with it.`;
  return { kind: "stopped", outcome: { kind: "held", reason: "interrupted", message } };
}

/** The driver was told to stop while somebody was at work: nothing that they say now counts. */
export function stoppedByDriver(who: string): Extract<Performed, { kind: "stopped" }> {
  const message = `The driver stopped while ${who} at work.`;
  return { kind: "stopped", outcome: { kind: "held", reason: "stopped", message } };
}

/** False when an earlier run of the same task has left its notes in the log. */
export function isFirstRun({ answers, attempt }: TaskContext): boolean {
  return answers.length === 0 && attempt === 1;
}

function skipped(visit: Visit, why: string): Visit["notes"][number] {
  return { kind: "loadout.skipped", data: { socket: visit.place.id, why } };
}

/** A loop without items is over before its first one: its exit table is asked, with nothing said. */
function passBy(chart: Chart, visit: Visit, loop: Circuit): Outcome {
  const { id } = visit.place;
  visit.notes.push(skipped(visit, "no items"));
  if (!Array.isArray(visit.listOf(loop))) {
    const message = `Loop ${loop.id} takes its items from state.${loop.items.join(".")}, and no list stands there.`;
    return { kind: "failed", failure: failure("invalid_input", message, { at: id }), notes: visit.notes };
  }
  const skips = Number(visit.scope(undefined)["skips"] ?? 0) + 1;
  if (skips > chart.loops.length) {
    const message = `The loops around ${id} have no items and lead into each other for ever.`;
    return { kind: "failed", failure: failure("no_progress", message, { at: id }), notes: visit.notes };
  }
  visit.changeScope(undefined, { skips });
  visit.resetScope(loop, 0);
  return done(visit, takeExit(chart, visit, loop, undefined, loop.advancer));
}
