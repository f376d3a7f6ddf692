/** How a loadout is started from the command line. */

import type { JsonObject } from "../../../base/json.ts";
import { chartOf } from "../../../dialects/loadout/chart.ts";
import { startLoadout } from "../../../dialects/loadout/compile.ts";
import type { LoadoutDefinition } from "../../../dialects/loadout/definition.ts";
import { writingLoops } from "../../../dialects/loadout/lanes/lane.ts";
import type { ExitCode } from "../../../protocol/codes.ts";
import { GitWorktrees } from "../../../providers/worktree/git-worktrees.ts";
import { agentsOf } from "../../agents/agents.ts";
import { remarksFor } from "../../agents/remarks.ts";
import { requireBudget } from "../ceiling.ts";
import { definitionOf, loadoutRuns, powersOf, programOf, wantedBy } from "../loadout-runs.ts";
import type { LoadoutSource } from "../source.ts";
import { beginPrepared, type Prepared, requestOf, type Start } from "../start.ts";

/**
 * Tells of what would keep lanes from their worktrees before anything is paid for. It is no refusal: the run itself may
 * commit what is there before it comes to the loop.
 */
async function warnOfWorktrees(
  definition: LoadoutDefinition,
  { cwd, call: { terminal } }: Start,
): Promise<void> {
  const [loop] = writingLoops(chartOf(definition));
  if (loop === undefined) return;
  const begun = await new GitWorktrees().begin(cwd, [".baton"]);
  if (begun.ok) return;
  terminal.tell(
    `warning: loop ${loop} needs a worktree for each item, and the run would pause before it. ${begun.why}`,
  );
}

/** Starts a run of a loadout that is fit to run, trusted, and has somebody for every turn. */
export async function beginLoadout(source: LoadoutSource, start: Start): Promise<ExitCode> {
  const { prepared, definition } = await prepareLoadout(source, start);
  await warnOfWorktrees(definition, start);
  await requireBudget(source, { ...definition.budget, ...start.budget }, start.call);
  return beginPrepared(prepared, start);
}

/** Finds a start good: the loadout is fit to run, and there is somebody for every turn. */
export async function prepareLoadout(source: LoadoutSource, start: Start): Promise<PreparedLoadout> {
  const { run, cwd, task, inputs, cast, budget, call } = start;
  const { definition, warnings } = definitionOf(source);
  for (const { message, pointer } of warnings) call.terminal.tell(`warning: ${pointer}: ${message}`);
  await agentsOf(cast, wantedBy(definition), cwd);
  for (const remark of remarksFor(cast, wantedBy(definition))) call.terminal.tell(`warning: ${remark}`);
  const { time: _, ...limits } = budget;
  const given = Object.keys(limits).length > 0 ? loadoutRuns.budgetWrites(limits) : [];
  const { writes, request, ...command } = startLoadout(definition, task, inputs);
  const prepared: Prepared = {
    powers: powersOf(definition, cast),
    files: source.files,
    engine: (store) => programOf(definition, { run, store, cwd, cast }),
    begin: (driven) =>
      driven.send({
        ...command,
        writes: [...writes, ...given],
        request: { ...(request as JsonObject), ...requestOf(source.named, start) },
      }),
  };
  return { prepared, definition };
}

export interface PreparedLoadout {
  readonly prepared: Prepared;
  readonly definition: LoadoutDefinition;
}
