/** The budget of a run: asked before a turn begins, and warned about while it is used up. */

import type { Usage } from "../../agent/agent.ts";
import { isJsonObject, type JsonObject } from "../../base/json.ts";
import type { Write } from "../../kernel/event.ts";
import type { Outcome } from "../../kernel/program.ts";
import type { Snapshot } from "../../kernel/snapshot.ts";
import { addSpent, BUDGET, NOTHING_SPENT, type Spent, USAGE } from "./channels.ts";
import { type Budget, DEFAULT_WARN_AT_PERCENT } from "./definition.ts";

/** The writes that give a run another budget: parts that are left out stay as they are. For `start` and `resume`. */
export function budgetWrites(budget: Budget): Write[] {
  return [{ channel: BUDGET, value: { ...budget } as JsonObject }]; // absent parts are left out
}

/** The pause of a run that has used up its budget, arrears included; nothing while some is left. */
export function budgetReached(
  snapshot: Snapshot,
  arrears: Usage,
): Extract<Outcome, { kind: "held" }> | undefined {
  const spent = addSpent(spentIn(snapshot), arrears);
  const reached = measures(snapshot, spent).find(({ used, most }) => used >= most);
  if (reached === undefined) return undefined;
  const message = `The budget of ${reached.show(reached.most)} is used up (${reached.show(reached.used)}). Resume with a higher one to go on.`;
  const detail = { tokens: spent.tokens, costUsd: spent.costUsd };
  return { kind: "held", reason: "budget_exhausted", message, detail };
}

export interface BudgetWarning {
  readonly code: "budget" | "tokens_unknown" | "cost_unknown";
  readonly message: string;
}

/** The warnings due when a turn takes spending past the share that the author wants to hear of. */
export function budgetWarnings(snapshot: Snapshot, arrears: Usage, usage: Usage): BudgetWarning[] {
  const before = addSpent(spentIn(snapshot), arrears);
  const after = addSpent(before, usage);
  const { warnAtPercent = DEFAULT_WARN_AT_PERCENT, maxTokens, maxCostUsd } = budgetIn(snapshot);
  const was = measures(snapshot, before);
  const passed = measures(snapshot, after).filter(({ used, most }, index) => {
    const line = (most * warnAtPercent) / 100;
    return (was[index]?.used ?? 0) < line && used >= line;
  });
  const warnings = passed.map(({ used, most, show }): BudgetWarning => {
    return { code: "budget", message: `${show(used)} of the budget of ${show(most)} is used.` };
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

interface Measure {
  readonly used: number;
  readonly most: number;
  show(amount: number): string;
}

function measures(snapshot: Snapshot, { tokens, knownUsd }: Spent): Measure[] {
  const { maxTokens, maxCostUsd } = budgetIn(snapshot);
  const inTokens = (amount: number) => `${amount} tokens`;
  const inUsd = (amount: number) => `$${amount.toFixed(2)}`;
  return [
    ...(maxTokens === undefined ? [] : [{ used: tokens, most: maxTokens, show: inTokens }]),
    ...(maxCostUsd === undefined ? [] : [{ used: knownUsd, most: maxCostUsd, show: inUsd }]),
  ];
}
