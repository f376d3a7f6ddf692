/** A draft is a graph as its author has said it so far: nothing in it is checked yet. */

import type { NodeName } from "../../base/names.ts";
import type { PathConfig } from "./config.ts";
import { InvalidGraphError } from "./errors.ts";
import { END, START } from "./names.ts";
import type { NodeDefaults, NodeOptions } from "./node-options.ts";

export interface DraftNode {
  readonly name: NodeName;
  readonly action: unknown;
  readonly options: NodeOptions;
}

/** Says where to go: a name, a list, sends or END. */
export type PathFunction = (state: never, config: PathConfig<never>) => unknown;
/** Results and where they lead, with `default` for all others; or the targets, for checking and drawing. */
export type PathMap = Readonly<Record<string, NodeName>> | readonly NodeName[];

export interface Branch {
  readonly source: NodeName;
  readonly path: PathFunction;
  readonly pathMap: PathMap | undefined;
}

export class Draft {
  readonly nodes: DraftNode[] = [];
  readonly edges: (readonly [source: NodeName, target: NodeName])[] = [];
  readonly joins: { readonly sources: readonly NodeName[]; readonly target: NodeName }[] = [];
  readonly branches: Branch[] = [];

  addNode(name: NodeName, action: unknown, options: NodeOptions = {}): void {
    requireName(name, "addNode(name, action)");
    this.nodes.push({ name, action, options });
  }

  addEdge(from: NodeName | readonly NodeName[], to: NodeName): void {
    for (const name of Array.isArray(from) ? from : [from]) requireName(name, "addEdge(from, to)");
    requireName(to, "addEdge(from, to)");
    if (typeof from === "string") this.edges.push([from, to]);
    else this.joins.push({ sources: [...new Set(from)], target: to });
  }

  addConditionalEdges(source: NodeName, path: PathFunction, pathMap?: PathMap): void {
    requireName(source, "addConditionalEdges(from, path)");
    this.branches.push({ source, path, pathMap });
  }

  /** Adds nodes, or takes those that are there by name, and an edge from each to the next. */
  addSequence(steps: readonly (NodeName | readonly [name: NodeName, action: unknown])[]): void {
    if (!Array.isArray(steps)) throw misnamed("addSequence([[name, action], …])", steps);
    let before: NodeName | undefined;
    for (const step of steps) {
      const name = typeof step === "string" ? step : step[0];
      if (typeof step !== "string") this.addNode(name, step[1]);
      if (before !== undefined) this.addEdge(before, name);
      before = name;
    }
  }

  setEntryPoint(node: NodeName): void {
    this.addEdge(START, node);
  }

  setFinishPoint(node: NodeName): void {
    this.addEdge(node, END);
  }
}

/** What is no name cannot be looked up later, so it is refused at once. */
function requireName(name: unknown, call: string): void {
  if (typeof name !== "string") throw misnamed(call, name);
}

function misnamed(call: string, given: unknown): InvalidGraphError {
  const what = given === null ? "null" : Array.isArray(given) ? "a list" : `a value of type ${typeof given}`;
  const message = `${call} got ${what} where it takes ${call.startsWith("addSequence") ? "a list" : "the name of a node"}.`;
  const hint = "Give nodes one by one, each by its name.";
  return new InvalidGraphError([{ severity: "error", code: "invalid_name", pointer: "", message, hint }]);
}

/** Options that hold for every node which does not say otherwise; a sub-graph leaves time and cache to its own nodes. */
export function withDefaults(draft: Draft, defaults: NodeDefaults): Draft {
  const filled = new Draft();
  const { timeout: _, cache: __, ...forGraphs } = defaults;
  for (const { name, action, options } of draft.nodes) {
    const base = typeof action === "function" ? defaults : forGraphs;
    filled.addNode(name, action, { ...base, ...options });
  }
  filled.edges.push(...draft.edges);
  filled.joins.push(...draft.joins);
  filled.branches.push(...draft.branches);
  return filled;
}
