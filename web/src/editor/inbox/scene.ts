/** The scene of an inbox graph that is being written. */

import type { NodeKind as ModelKind } from "../../model/drawing/graph-model.ts";
import type { Scene, SceneEdge } from "../canvas/scene.ts";
import { objectAt, textAt } from "../loadout/draft.ts";
import { edgeIds, edgesOf, type InboxDraft, nodesOf } from "./edits.ts";

const KINDS: Readonly<Record<string, ModelKind>> = { orchestrator: "lead", verifier: "verifier" };

export function inboxScene(draft: InboxDraft): Scene {
  const ids = edgeIds(draft);
  const nodes = nodesOf(draft);
  const known = objectAt(draft.json, "nodes");
  return {
    nodes: nodes.map(([id, node]) => {
      const kind = textAt(node, "kind") ?? "task";
      const label = textAt(node, "label") ?? id;
      const detail = label === id ? kind : `${id} · ${kind}`;
      return { id, label, detail, kind: KINDS[kind] ?? "agent", badges: [], spoken: "" };
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
          ...{ id: String(index), from, to, isBoth, label: `${type}${auto}` },
          ...({ form: isReport ? "report" : "plain", tone: isReport ? "report" : "always" } as const),
          spoken: `Edge ${ids[index]} ${isBoth ? "between" : "from"} ${from} ${isBoth ? "and" : "to"} ${to}: ${type}${auto}`,
        },
      ];
    }),
    regions: [],
    places: new Map(),
  };
}
