/** The scene of an inbox graph that is being written. */

import type { NodeKind as ModelKind } from "../../model/drawing/graph-model.ts";
import type { Places } from "../canvas/places.ts";
import type { Scene, SceneEdge } from "../canvas/scene.ts";
import { objectAt, textAt } from "../text/held.ts";
import { edgeIds, edgesOf, type InboxDraft, nodesOf } from "./edits.ts";

/** The id of an edge on the canvas, set apart from what a node could be called. */
export function edgeId(index: number): string {
  return `edge ${index}`;
}

export function edgeIndex(id: string): number {
  return Number(id.replace("edge ", ""));
}

const LOOKS: Readonly<Record<string, ModelKind>> = { orchestrator: "lead", verifier: "verifier" };

export function inboxScene(draft: InboxDraft, places: Places): Scene {
  const ids = edgeIds(draft);
  const nodes = nodesOf(draft);
  const known = objectAt(draft.json, "nodes");
  return {
    nodes: nodes.map(([id, node]) => {
      const kind = textAt(node, "kind") ?? "task";
      const label = textAt(node, "label") ?? id;
      const detail = label === id ? kind : `${id} · ${kind}`;
      return { id, label, detail, kind: LOOKS[kind] ?? "agent", badges: [], spoken: "" };
    }),
    edges: edgesOf(draft).flatMap((edge, index): SceneEdge[] => {
      const [from, to] = [textAt(edge, "from") ?? "", textAt(edge, "to") ?? ""];
      if (!Object.hasOwn(known, from) || !Object.hasOwn(known, to)) return [];
      const type = textAt(edge, "type") ?? "handoff";
      const isReport = type === "report";
      const isBoth = from !== to && textAt(edge, "direction") !== "directional";
      const auto = edge["auto"] === true ? ", auto" : "";
      return [
        {
          ...{ id: edgeId(index), from, to, isBoth, label: `${type}${auto}` },
          ...({ form: isReport ? "report" : "plain", tone: isReport ? "report" : "always" } as const),
          spoken: `Edge ${ids[index]} ${isBoth ? "between" : "from"} ${from} ${isBoth ? "and" : "to"} ${to}: ${type}${auto}`,
        },
      ];
    }),
    regions: [],
    places,
  };
}
