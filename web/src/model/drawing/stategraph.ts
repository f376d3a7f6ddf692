/** The drawing of a StateGraph as a graph model; sub-graphs come along for the nodes that unfold. */

import type { GraphDrawing } from "../baton.ts";
import type { GraphModel, ModelEdge, ModelNode } from "./graph-model.ts";

const ENDS: Readonly<Record<string, string>> = { __start__: "Start", __end__: "End" };

export function stateGraphModel({ nodes, edges }: GraphDrawing): GraphModel {
  const seen = new Set<string>();
  return {
    direction: "DOWN",
    nodes: nodes.map(({ id, graph, deferred }): ModelNode => {
      const end = Object.hasOwn(ENDS, id) ? ENDS[id] : undefined;
      const kind = end !== undefined ? "end" : graph ? "graph" : "node";
      const detail = graph ? "sub-graph" : deferred ? "deferred" : "";
      const inner = graph && { graph: stateGraphModel(graph) };
      return { id, label: end ?? id, detail, kind, badges: [], ...inner };
    }),
    edges: edges.flatMap(({ source, target, conditional, waits, label = "" }): ModelEdge[] => {
      const id = `${source}→${target}`;
      if (seen.has(id)) return [];
      seen.add(id);
      const text = waits ? "waits for all" : label;
      const form = conditional ? "conditional" : "plain";
      return [{ id, from: source, to: target, label: text, form, isBoth: false }];
    }),
    regions: [],
  };
}
