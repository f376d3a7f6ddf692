/** A graph model is what the canvas draws, whichever dialect the drawing is from. */

export type NodeKind = "agent" | "utility" | "human" | "graph" | "lead" | "verifier" | "node" | "end";

export interface ModelNode {
  readonly id: string;
  readonly label: string;
  /** The second line: a materia, a kind. */
  readonly detail: string;
  readonly kind: NodeKind;
  /** The author's own colour, a CSS colour or nothing. */
  readonly color?: string;
  /** Words on the node, such as `Generator`. */
  readonly badges: readonly string[];
  /** The graph inside, when the node is one that unfolds. */
  readonly graph?: GraphModel;
}

export interface ModelEdge {
  readonly id: string;
  readonly from: string;
  readonly to: string;
  readonly label: string;
  /** `derived` is the exit of a loop, which no socket has as an edge. */
  readonly form: "plain" | "conditional" | "derived" | "report";
  readonly isBoth: boolean;
}

export interface Region {
  readonly id: string;
  readonly label: string;
  readonly members: readonly string[];
}

export interface GraphModel {
  readonly direction: "DOWN" | "RIGHT";
  readonly nodes: readonly ModelNode[];
  readonly edges: readonly ModelEdge[];
  readonly regions: readonly Region[];
}

export const EMPTY: GraphModel = { direction: "DOWN", nodes: [], edges: [], regions: [] };
