/** The budget of a run: asked before a turn begins, and warned about while it is used up. */

import type { Usage } from "../../agent/agent.ts";
import { isJsonObject, type JsonObject } from "../../base/json.ts";
import type { Write } from "../../kernel/event.ts";
import type { Outcome } from "../../kernel/program.ts";
import type { Snapshot } from "../../kernel/snapshot.ts";
import { type Budget, passedShare, type Spent, usedUp } from "../budget.ts";
import { addSpent, BUDGET, NOTHING_SPENT, USAGE } from "./channels.ts";

/** The writes that give a run another budget: parts that are left out stay as they are. For `start` and `resume`. */
export function budgetWrites(budget: Budget): Write[] {
  return [{ channel: BUDGET, value: { ...budget } as JsonObject }]; // absent parts are left out
}

/** The pause of a run that has used up its budget, arrears included; nothing while some is left. */
export function budgetReached(
  snapshot: Snapshot,
  arrears: Usage,
): Extract<Outcome, { kind: "held" }> | undefined {
  return usedUp(budgetIn(snapshot), addSpent(spentIn(snapshot), arrears));
}

export interface BudgetWarning {
  readonly code: "budget" | "tokens_unknown" | "cost_unknown";
  readonly message: string;
}

/** The warnings due when a turn takes spending past the share that the author wants to hear of. */
export function budgetWarnings(snapshot: Snapshot, arrears: Usage, usage: Usage): BudgetWarning[] {
  const before = addSpent(spentIn(snapshot), arrears);
  const after = addSpent(before, usage);
  const budget = budgetIn(snapshot);
  const { maxTokens, maxCostUsd } = budget;
  const warnings = passedShare(budget, before, after).map((used): BudgetWarning => {
    return { code: "budget", message: `${used}.` };
  });
  if (maxTokens !== undefined && before.uncounted !== true && after.uncounted === true) {
    const message = "A turn does not know all of its tokens, so the budget counts too few.";
    warnings.push({ code: "tokens_unknown", message });
  }
  if (maxCostUsd !== undefined && before.costUsd !== null && after.costUsd === null) {
    const message = "A turn does not know its cost, so the budget cannot count it.";
    warnings.push({ code: "cost_unknown", message });
  }
  return warnings;
}

function budgetIn(snapshot: Snapshot): Budget {
  const value = snapshot.read(BUDGET);
  return isJsonObject(value) ? (value as Budget) : {}; // the plan's initial value, or `budgetWrites`
}

function spentIn(snapshot: Snapshot): Spent {
  const value = snapshot.read(USAGE);
  return isJsonObject(value) ? (value as unknown as Spent) : NOTHING_SPENT; // written by the reducer
}
