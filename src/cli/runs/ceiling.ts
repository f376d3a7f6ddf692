/**
 * The ceiling of a run against its budget: what it may cost at most is said before its first turn.
 *
 * 1. Nobody knows beforehand what a turn takes, so a ceiling is reckoned only with what `--assume` says.
 * 2. A ceiling above the budget is no mistake, since the budget will stop the run; but a person has to want that.
 *    Without a terminal to ask on, `--yes` says so, and without it nothing runs.
 */

import { checkLoadout } from "../../dialects/loadout/check/check.ts";
import {
  type Assumptions,
  type Ceiling,
  ceilingSentence,
  costCeiling,
  parseAssumptions,
} from "../../dialects/loadout/prove/ceiling.ts";
import { Misuse } from "../misuse.ts";
import { confirm } from "../terminal/confirm.ts";
import { grouped } from "../terminal/style.ts";
import type { Call } from "../verb.ts";
import type { GivenBudget } from "./budget.ts";
import type { LoadoutSource } from "./source.ts";

/** What `--assume` says; nothing when it was not given. */
export function assumptionsFrom(text: string | undefined): Assumptions | undefined {
  if (text === undefined) return undefined;
  const parsed = parseAssumptions(text);
  if (parsed.ok) return parsed.assume;
  throw new Misuse("usage", `--assume: ${parsed.message}`);
}

/** Lets a run begin whose ceiling is within its budget, or whose person accepts that it is not (2). */
export async function requireBudget(
  source: LoadoutSource,
  budget: GivenBudget,
  { options, terminal }: Pick<Call, "options" | "terminal">,
): Promise<void> {
  const assume = assumptionsFrom(options.assume);
  if (assume === undefined && options.budget === undefined) return;
  const { termination } = checkLoadout(source.json, { below: source.below });
  if (assume === undefined) {
    terminal.tell(unassumed(termination.bound));
    return;
  }
  const ceiling = costCeiling(termination, assume);
  terminal.tell(ceilingSentence(ceiling));
  const above = whatIsAbove(ceiling, budget);
  if (above === undefined || options.yes) return;
  if (terminal.isInteractive && (await confirm(`${above}\nRun it all the same?`))) return;
  const hint = "Raise the budget, or accept with --yes that it may stop the run.";
  throw new Misuse("above_budget", above, { hint });
}

/** What can be told of a budget before the run when nobody says what a turn takes (1). */
function unassumed(bound: string | null): string {
  if (bound === null) return "How many turns it takes is not known beforehand; the budget pauses it.";
  const items = bound.includes("items") ? "items=20," : "";
  return `At most ${bound} turns. To hold their cost against the budget first, add --assume ${items}tokens-per-turn=30k,usd-per-mtok=3.`;
}

function whatIsAbove({ tokens, usd }: Ceiling, { maxTokens, maxCostUsd }: GivenBudget): string | undefined {
  if (tokens !== null && maxTokens !== undefined && tokens > maxTokens) {
    return `It may take up to ${grouped(tokens)} tokens, and its budget is ${grouped(maxTokens)}.`;
  }
  if (usd !== null && maxCostUsd !== undefined && usd > maxCostUsd) {
    return `It may cost up to $${usd.toFixed(2)}, and its budget is $${maxCostUsd.toFixed(2)}.`;
  }
  return undefined;
}
