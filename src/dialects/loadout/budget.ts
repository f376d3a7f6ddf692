/** The budget of a run: asked before a socket starts, and warned about while it is used up. */

import type { Usage } from "../../agent/agent.ts";
import type { Write } from "../../kernel/event.ts";
import type { Outcome } from "../../kernel/program.ts";
import { type Budget, DEFAULT_WARN_AT_PERCENT, passedShare, type Spent, usedUp } from "../budget.ts";
import { addSpent, BUDGET, NOTHING_SPENT, USAGE } from "./channels.ts";
import type { Visit } from "./visit.ts";

/** The writes that give a run another budget: parts that are left out stay as they are. For `start` and `resume`. */
export function budgetWrites(budget: Budget): Write[] {
  return [{ channel: BUDGET, value: { ...budget } }];
}

/** The pause of a run that has used up its budget with what is spent elsewhere; nothing while there is some left. */
export function budgetReached(visit: Visit, elsewhere: Spent = NOTHING_SPENT): Outcome | undefined {
  return usedUp(budgetOf(visit), addSpent(spentIn(visit), elsewhere));
}

/** The pause of a visit that would spend too much, asked with what its run has spent. */
export type Purse = (spent: Spent) => Outcome | undefined;

/** The purse of a run inside a visit: it spends from the budget of the visit, and of all that lies around it. */
export function innerPurse(visit: Visit, outer: Purse | undefined): Purse {
  const before = spentIn(visit);
  return (spent) => budgetReached(visit, spent) ?? outer?.(addSpent(before, spent));
}

/** Warns when the turns of this visit pass the share of the budget that its author wants to hear of. */
export function budgetWarnings(visit: Visit, usage: Usage): void {
  const before = spentIn(visit);
  const after = addSpent(before, usage);
  const budget = budgetOf(visit);
  const percent = budget.warnAtPercent ?? DEFAULT_WARN_AT_PERCENT;
  for (const used of passedShare(budget, before, after)) {
    visit.warn("budget", `${used}, ${percent} % of it or more.`);
  }
  if (budget.maxCostUsd !== undefined && before.costUsd !== null && after.costUsd === null) {
    visit.warn("cost_unknown", `${visit.place.id} does not know its cost, so the budget cannot count it.`);
  }
}

function budgetOf(visit: Visit): Budget {
  return visit.readObject(BUDGET) as Budget; // the plan's initial value, or what a resume wrote
}

/** What a run has spent, as a visit finds it. */
export function spentIn(visit: Visit): Spent {
  return { ...NOTHING_SPENT, ...(visit.readObject(USAGE) as unknown as Partial<Spent>) }; // written by `spend`
}
