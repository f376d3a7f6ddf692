/** A drawing is a graph as its author sees it: nodes and edges, for people and for the studio. It is plain JSON. */

import { isObject } from "../../base/json.ts";
import type { NodeName } from "../../base/names.ts";
import { declaredTargets } from "./check.ts";
import type { Branch, Draft } from "./draft.ts";
import { END, START } from "./names.ts";

export interface Drawing {
  readonly nodes: readonly DrawnNode[];
  readonly edges: readonly DrawnEdge[];
}

export interface DrawnNode {
  readonly id: NodeName;
  /** The graph inside, when the node is one. */
  readonly graph?: Drawing;
  readonly deferred?: true;
}

export interface DrawnEdge {
  readonly source: NodeName;
  readonly target: NodeName;
  /** True when the edge is taken only sometimes. */
  readonly conditional?: true;
  /** True when the target waits for all sources of such edges. */
  readonly waits?: true;
  /** The result that leads along a conditional edge. */
  readonly label?: string;
}

/** Draws a graph. A conditional edge without a path map may lead to any node. */
export function drawingOf(draft: Draft): Drawing {
  const names = draft.nodes.map(({ name }) => name);
  return {
    nodes: [
      { id: START },
      ...draft.nodes.map(({ name, action, options }): DrawnNode => {
        const graph = drawnIn(action);
        return { id: name, ...(graph && { graph }), ...(options.defer && { deferred: true }) };
      }),
      { id: END },
    ],
    edges: [
      ...draft.edges.map(([source, target]) => ({ source, target })),
      ...draft.joins.flatMap(({ sources, target }) =>
        sources.map((source): DrawnEdge => ({ source, target, waits: true })),
      ),
      ...draft.branches.flatMap((branch) => branchEdges(branch, names)),
      ...draft.nodes.flatMap(({ name, options }) =>
        (options.ends ?? []).map((target): DrawnEdge => ({ source: name, target, conditional: true })),
      ),
    ],
  };
}

function branchEdges(branch: Branch, names: readonly NodeName[]): DrawnEdge[] {
  const { source, pathMap } = branch;
  if (isObject(pathMap)) {
    return Object.entries(pathMap as Readonly<Record<string, NodeName>>).map(([label, target]) => ({
      source,
      target,
      conditional: true,
      ...(label !== target && { label }),
    }));
  }
  const targets =
    pathMap === undefined ? [...names.filter((name) => name !== source), END] : declaredTargets(branch);
  return targets.map((target) => ({ source, target, conditional: true }));
}

function drawnIn(action: unknown): Drawing | undefined {
  if (typeof action !== "object" || action === null || !("graph" in action)) return undefined;
  return (action.graph as { readonly drawing?: Drawing }).drawing;
}
