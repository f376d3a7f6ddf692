/** A drawing of an inbox graph: its nodes and edges as data, and as Mermaid text. */

import { mermaidLabel } from "../mermaid-label.ts";
import type { EdgeType, InboxDefinition, NodeKind } from "./definition.ts";

export interface InboxDrawing {
  readonly nodes: readonly DrawnNode[];
  readonly edges: readonly DrawnInboxEdge[];
}

export interface DrawnNode {
  readonly id: string;
  readonly label: string;
  readonly kind: NodeKind;
}

export interface DrawnInboxEdge {
  readonly id: string;
  readonly from: string;
  readonly to: string;
  readonly type: EdgeType;
  readonly bidirectional: boolean;
  readonly auto: boolean;
}

/** The drawing as data, which the plan carries along for views. */
export function drawingOf({ nodes, edges }: InboxDefinition): InboxDrawing {
  return {
    nodes: Object.entries(nodes).map(([id, { label, kind }]) => ({ id, label: label ?? id, kind })),
    edges: edges.map(({ id, from, to, type, direction, auto }) => {
      return { id, from, to, type, bidirectional: direction === "bidirectional", auto };
    }),
  };
}

/** The drawing of a definition; reports are dashed. */
export function drawInbox(definition: InboxDefinition): { mermaid: string; graph: InboxDrawing } {
  const graph = drawingOf(definition);
  return { mermaid: mermaidOf(graph), graph };
}

const BOXES: Readonly<Record<NodeKind, readonly [string, string]>> = {
  orchestrator: ["([", "])"],
  task: ["[", "]"],
  verifier: ["{{", "}}"],
};

function mermaidOf({ nodes, edges }: InboxDrawing): string {
  const names = new Map(nodes.map(({ id }, index) => [id, `n${index}`]));
  const boxes = nodes.map(({ id, label, kind }) => {
    const [open, close] = BOXES[kind];
    return `  ${names.get(id)}${open}${mermaidLabel(label === id ? id : `${id}: ${label}`)}${close}`;
  });
  const arrows = edges.map(({ from, to, type, bidirectional, auto }) => {
    const line = type === "report" ? "-.-" : "--";
    const arrow = `${bidirectional ? "<" : ""}${line}>`;
    return `  ${names.get(from)} ${arrow}|"${auto ? `${type}, auto` : type}"| ${names.get(to)}`;
  });
  return ["flowchart LR", ...boxes, ...arrows, ""].join("\n");
}
