/** The drawing of an inbox graph as a graph model. */

import type { InboxDrawing } from "../baton.ts";
import type { GraphModel, NodeKind } from "./graph-model.ts";

const KINDS: Readonly<Record<string, NodeKind>> = {
  orchestrator: "lead",
  verifier: "verifier",
  task: "agent",
};

export function inboxModel({ nodes, edges }: InboxDrawing): GraphModel {
  return {
    direction: "DOWN",
    nodes: nodes.map(({ id, label, kind }) => {
      const detail = label === id ? kind : `${id} · ${kind}`;
      return { id, label, detail, kind: KINDS[kind] ?? "agent", badges: [] };
    }),
    edges: edges.map(({ id, from, to, type, bidirectional, auto }) => {
      const label = auto ? `${type}, auto` : type;
      return { id, from, to, label, form: type === "report" ? "report" : "plain", isBoth: bidirectional };
    }),
    regions: [],
  };
}
