/** A scene is what the canvas of an editor shows: a graph model with what can be chosen and told apart in it. */

import type { ModelEdge, ModelNode, Region } from "../../model/drawing/graph-model.ts";
import type { Point } from "../../parts/canvas/path.ts";

/** What an edge asks for, shown by colour, line and word. */
export type Tone = "always" | "satisfied" | "not_satisfied" | "report";

export interface SceneNode extends ModelNode {
  /** What kind of thing it is, for a screen reader, where the detail does not say so. */
  readonly spoken: string;
  /** What stands on its upper edge, such as `Entry`. */
  readonly mark?: string;
  /** The graph that it runs, when that can be opened. */
  readonly inside?: string;
}

export interface SceneEdge extends ModelEdge {
  readonly tone: Tone;
  /** What a screen reader says of it; its label is part of that. */
  readonly spoken: string;
}

export interface Scene {
  readonly nodes: readonly SceneNode[];
  readonly edges: readonly SceneEdge[];
  readonly regions: readonly Region[];
  /** Where the author put nodes; the others are laid out. */
  readonly places: ReadonlyMap<string, Point>;
}
