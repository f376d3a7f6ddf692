/** How a loadout is started from the command line. */

import type { JsonObject } from "../../base/json.ts";
import { startLoadout } from "../../dialects/loadout/compile.ts";
import type { ExitCode } from "../../protocol/codes.ts";
import { agentsOf } from "../agents.ts";
import { requireBudget } from "../ceiling.ts";
import { driveFrom } from "../foreground.ts";
import { definitionOf, loadoutRuns, powersOf, programOf, wantedBy } from "../loadout-runs.ts";
import type { LoadoutSource } from "../source.ts";
import { requestOf, type Start, withNewRun } from "../start.ts";
import { requireTrust } from "../trust.ts";

/** Starts a run of a loadout that is fit to run, trusted, and has somebody for every turn. */
export async function beginLoadout(source: LoadoutSource, start: Start): Promise<ExitCode> {
  const { run, task, inputs, cast, budget, call } = start;
  const { options, terminal } = call;
  const { definition, warnings } = definitionOf(source);
  for (const { message, pointer } of warnings) terminal.tell(`warning: ${pointer}: ${message}`);
  await agentsOf(cast, wantedBy(definition), process.cwd());
  await requireBudget(source, { ...definition.budget, ...budget }, call);
  const cwd = process.cwd();
  const powers = powersOf(definition, cast);
  for (const file of source.files)
    await requireTrust({ ...file, powers, yes: options.yes === true, terminal });
  return withNewRun(start, async (foreground, store) => {
    const program = await programOf(definition, { run, store, cwd, cast });
    const { time: _, ...limits } = budget;
    const { writes, request, ...command } = startLoadout(definition, task, inputs);
    const given = Object.keys(limits).length > 0 ? loadoutRuns.budgetWrites(limits) : [];
    return driveFrom({ ...foreground, program }, (handle) =>
      handle.send({
        ...command,
        writes: [...writes, ...given],
        request: { ...(request as JsonObject), ...requestOf(source.named, start) },
      }),
    );
  });
}
