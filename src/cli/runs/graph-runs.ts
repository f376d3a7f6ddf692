/** Runs of StateGraphs: how a module is loaded, and how its runs are begun, taken up again and looked at. */

import { existsSync } from "node:fs";
import { relative } from "node:path";
import { pathToFileURL } from "node:url";
import { messageOf } from "../../base/failure.ts";
import type { Issue } from "../../base/issue.ts";
import type { Json, JsonObject } from "../../base/json.ts";
import type { RunId } from "../../base/names.ts";
import type { CompiledGraph } from "../../dialects/graph/compile.ts";
import type { Graph } from "../../dialects/graph/graph.ts";
import { open } from "../../dialects/graph/values.ts";
import type { Program } from "../../kernel/program.ts";
import { outputOf } from "../../kernel/state.ts";
import { begin } from "../../stategraph/begin.ts";
import type { Workflow } from "../../stategraph/entrypoint.ts";
import { invocationOf } from "../../stategraph/session.ts";
import { Misuse } from "../misuse.ts";
import { readable } from "../terminal/readable.ts";
import type { Dialect } from "./dialect.ts";
import type { Driven } from "./engine.ts";
import { readText } from "./inputs.ts";
import type { ModuleSource } from "./source.ts";
import { requireTrustAgain } from "./trust-again.ts";

/** What a module exports: a graph, or a workflow that was compiled to one. */
export interface Loaded {
  readonly graph: CompiledGraph;
  /** What the graph of a workflow gets for its input; absent for a graph, whose input is fields. */
  readonly fieldsOf: ((input: Json) => JsonObject) | undefined;
}

/** The compiled graph that a module exports. */
export async function loadGraph(source: Pick<ModuleSource, "path">): Promise<CompiledGraph> {
  return (await loadModule(source)).graph;
}

/** The graph or workflow that a module exports: as default, else the only one. */
export async function loadModule({ path }: Pick<ModuleSource, "path">): Promise<Loaded> {
  const { resolveOwnPackage } = await import("../own-package.ts");
  resolveOwnPackage();
  const exported = await importModule(path);
  const preferred = loadedFrom(exported["default"]);
  if (preferred !== undefined) return preferred;
  const found = Object.entries(exported).flatMap(([name, value]) => {
    const loaded = loadedFrom(value);
    return loaded === undefined ? [] : [{ name, loaded }];
  });
  if (found.length === 1 && found[0] !== undefined) return found[0].loaded;
  const named = relative(process.cwd(), path);
  if (found.length > 1) {
    const names = found.map(({ name }) => name).join(", ");
    throw new Misuse(
      "invalid_definition",
      `${named} exports several graphs (${names}); make one the default.`,
    );
  }
  const hint = "Export what `new StateGraph(…).compile()` returns, as default.";
  throw new Misuse("invalid_definition", `${named} exports no compiled StateGraph.`, { hint });
}

/** The program of a graph for one run, which is its thread. */
export function graphProgram(graph: Graph, run: RunId, isChild = false): Program {
  return graph.programFor({ ...invocationOf({}, run), ...(isChild && { isChild }) });
}

export interface GraphStart {
  readonly input: JsonObject;
  readonly request: JsonObject;
  /** The most supersteps; what the graph says when absent. */
  readonly limit?: number | undefined;
}

/** Records how a run of a graph begins. */
export async function beginGraph(
  graph: CompiledGraph,
  handle: Driven,
  { input, request, limit = graph.plan.limits.steps ?? Number.POSITIVE_INFINITY }: GraphStart,
): Promise<void> {
  const { ledger, program } = handle;
  await begin(
    { graph, program, ledger, config: {}, limit, concurrency: undefined, isKept: true, request },
    input,
  );
}

async function importModule(path: string): Promise<Readonly<Record<string, unknown>>> {
  try {
    return (await import(pathToFileURL(path).href)) as Record<string, unknown>; // a module's exports by name
  } catch (error) {
    const why = messageOf(error);
    const issues = issuesIn(error);
    const hint = isUnknownExtension(error) ? OLD_NODE : undefined;
    throw new Misuse("invalid_definition", `${path} cannot be loaded: ${why}`, {
      ...(issues && { issues }),
      ...(hint && { hint }),
    });
  }
}

const OLD_NODE = "TypeScript needs Node 22.18 or newer; with an older one, compile the module and run that.";

function isUnknownExtension(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ERR_UNKNOWN_FILE_EXTENSION";
}

/** What an `InvalidGraphError` holds; by its shape, as it may come from another copy of the package. */
function issuesIn(error: unknown): readonly Issue[] | undefined {
  const isInvalid = error instanceof Error && "issues" in error && Array.isArray(error.issues);
  return isInvalid ? (error.issues as readonly Issue[]) : undefined;
}

/** By its shape: the module may have been written against another copy of the package. */
function loadedFrom(value: unknown): Loaded | undefined {
  if (typeof value !== "object" || value === null || !("graph" in value)) return undefined;
  const { graph } = value;
  const isCompiled = typeof graph === "object" && graph !== null && "plan" in graph && "programFor" in graph;
  if (!isCompiled) return undefined;
  const isWorkflow = "fieldsOf" in value && typeof value.fieldsOf === "function";
  const fieldsOf = isWorkflow
    ? (input: Json) => (value as Workflow<Json, unknown>).fieldsOf(input)
    : undefined;
  return { graph: graph as CompiledGraph, fieldsOf };
}

export const graphRuns: Dialect = {
  read(events, state) {
    const steps = new Map<number, string[]>();
    for (const event of events) {
      if (event.type === "step.opened")
        steps.set(
          event.step,
          event.tasks.map(({ node }) => node),
        );
    }
    return { steps: [...steps.values()], state: readable(open(outputOf(state))) };
  },
  watch: () => ({ evolve() {}, glance: () => ({ usage: { tokens: 0, costUsd: 0 }, about: () => "" }) }),
  checkAnswer: () => undefined,
  async reopen(reopening) {
    const { run, beginning } = reopening;
    const { request } = beginning;
    if (!existsSync(request.file)) {
      throw new Misuse("not_found", `The module of run ${run} is gone: ${request.file}.`);
    }
    if (!existsSync(request.cwd)) {
      throw new Misuse("not_found", `The working folder of run ${run} is gone: ${request.cwd}.`);
    }
    const code = readText(request.file);
    await requireTrustAgain(reopening, { powers: [`run the code of ${request.file}`], code });
    const graph = await loadGraph({ path: request.file });
    process.chdir(request.cwd);
    return graphProgram(graph, run);
  },
  resumeWrites: () => [],
  budgetWrites() {
    throw new Misuse("usage", "A StateGraph knows no tokens and no cost; --budget may give it a time.");
  },
};
