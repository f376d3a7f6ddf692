/** A budget is what a run may cost before it pauses, and how much of it is used. */

import type { Usage } from "../agent/agent.ts";
import { object, optional } from "../base/object-shape.ts";
import { integer, number, type Shape } from "../base/shape.ts";
import type { Outcome } from "../kernel/program.ts";

export interface Budget {
  readonly maxTokens?: number;
  readonly maxCostUsd?: number;
  /** When to warn, in percent of the budget; 75 when absent. */
  readonly warnAtPercent?: number;
}

export const DEFAULT_WARN_AT_PERCENT = 75;

export const budgetShape: Shape<Budget> = object("What the run may cost before it pauses.", {
  maxTokens: optional(integer("The most tokens.", { least: 1 })),
  maxCostUsd: optional(number("The most US dollars.", { above: 0 })),
  warnAtPercent: optional(number("When to warn; 75 when absent.", { least: 0, most: 100 })),
});

/** Usage as it is added up: `knownUsd` leaves out what nobody knows, `costUsd` is null because of it. */
export interface Spent extends Usage {
  readonly knownUsd: number;
}

/** One part of a budget beside what is used of it. */
interface Measure {
  readonly used: number;
  readonly most: number;
  show(amount: number): string;
}

/** The pause of a run that has used up its budget; nothing while some is left. */
export function usedUp(budget: Budget, spent: Spent): Extract<Outcome, { kind: "held" }> | undefined {
  const reached = measures(budget, spent).find(({ used, most }) => used >= most);
  if (reached === undefined) return undefined;
  const { used, most, show } = reached;
  const message = `The budget of ${show(most)} is used up (${show(used)}). Resume with a higher one to go on.`;
  const detail = { tokens: spent.tokens, costUsd: spent.costUsd };
  return { kind: "held", reason: "budget_exhausted", message, detail };
}

/** Says of each part of a budget that just passed the share at which its author wants to be warned how much is used. */
export function passedShare(budget: Budget, before: Spent, after: Spent): string[] {
  const { warnAtPercent = DEFAULT_WARN_AT_PERCENT } = budget;
  const was = measures(budget, before);
  return measures(budget, after).flatMap(({ used, most, show }, index) => {
    const line = (most * warnAtPercent) / 100;
    const isDue = (was[index]?.used ?? 0) < line && used >= line;
    return isDue ? [`${show(used)} of the budget of ${show(most)} is used`] : [];
  });
}

function measures({ maxTokens, maxCostUsd }: Budget, { tokens, knownUsd }: Spent): Measure[] {
  const inTokens = (amount: number) => `${amount} tokens`;
  const inUsd = (amount: number) => `$${amount.toFixed(2)}`;
  return [
    ...(maxTokens === undefined ? [] : [{ used: tokens, most: maxTokens, show: inTokens }]),
    ...(maxCostUsd === undefined ? [] : [{ used: knownUsd, most: maxCostUsd, show: inUsd }]),
  ];
}
