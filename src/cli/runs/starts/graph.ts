/** How a module's StateGraph is started from the command line. */

import type { Json, JsonObject } from "../../../base/json.ts";
import type { ExitCode } from "../../../protocol/codes.ts";
import { Misuse } from "../../misuse.ts";
import { positiveInteger } from "../../terminal/amounts.ts";
import { beginGraph, graphProgram, loadModule } from "../graph-runs.ts";
import { jsonOrText } from "../inputs.ts";
import type { ModuleSource } from "../source.ts";
import { beginPrepared, type Prepared, requestOf, type Start } from "../start.ts";

/** Starts a run of the compiled graph that a module exports. */
export async function beginModule(source: ModuleSource, start: Start): Promise<ExitCode> {
  return beginPrepared(await prepareModule(source, start), start);
}

/** Finds a start good: the module exports a graph, and its input is one that it takes. */
export async function prepareModule({ path }: ModuleSource, start: Start): Promise<Prepared> {
  const { run, call } = start;
  refuseForeignBudget(start);
  const limit = positiveInteger("--limit", call.options.limit);
  const { graph, fieldsOf } = await loadModule({ path });
  const input = fieldsOf === undefined ? fieldsIn(start) : fieldsOf(valueIn(start));
  const request = requestOf(path, start);
  return {
    ...{ powers: [], files: [] },
    engine: async () => graphProgram(graph, run),
    begin: (driven) => beginGraph(graph, driven, { input, request, limit }),
  };
}

/** The input of a graph is fields. */
function fieldsIn({ task, inputs = {} }: Start): JsonObject {
  if (task === "") return inputs;
  const message = "A StateGraph takes its input from --input key=value or --input-file, not as a task.";
  throw new Misuse("usage", message);
}

/** The input of a workflow is one value: what stands behind the file, or an object of what the flags give. */
function valueIn({ task, inputs }: Start): Json {
  if (task === "") return inputs ?? {};
  if (inputs === undefined) return jsonOrText(task);
  throw new Misuse("usage", "A workflow takes one input: behind its file, or by --input and --input-file.");
}

function refuseForeignBudget({ budget }: Start): void {
  if (budget.maxTokens !== undefined || budget.maxCostUsd !== undefined) {
    throw new Misuse("usage", "A StateGraph knows no tokens and no cost; --budget may give it a time.");
  }
}
