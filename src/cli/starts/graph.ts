/** How a module's StateGraph is started from the command line. */

import type { ExitCode } from "../../protocol/codes.ts";
import { positiveInteger } from "../amounts.ts";
import { driveFrom } from "../foreground.ts";
import { beginGraph, graphProgram, loadGraph } from "../graph-runs.ts";
import { Misuse } from "../misuse.ts";
import type { ModuleSource } from "../source.ts";
import { requestOf, type Start, withNewRun } from "../start.ts";

/** Starts a run of the compiled graph that a module exports. */
export async function beginModule({ path }: ModuleSource, start: Start): Promise<ExitCode> {
  const { run, inputs = {}, call } = start;
  refuseForeignInput(start);
  const limit = positiveInteger("--limit", call.options.limit);
  const graph = await loadGraph({ path });
  const request = requestOf(path, start);
  return withNewRun(start, (foreground) =>
    driveFrom({ ...foreground, program: graphProgram(graph, run) }, (handle) =>
      beginGraph(graph, handle, { input: inputs, request, limit }),
    ),
  );
}

function refuseForeignInput({ task, budget }: Start): void {
  if (task !== "") {
    const message = "A StateGraph takes its input from --input key=value or --input-file, not as a task.";
    throw new Misuse("usage", message);
  }
  if (budget.maxTokens !== undefined || budget.maxCostUsd !== undefined) {
    throw new Misuse("usage", "A StateGraph knows no tokens and no cost; --budget may give it a time.");
  }
}
