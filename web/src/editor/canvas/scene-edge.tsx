/** An edge on the canvas of an editor: what it asks for by colour, line and word; its label is the button that chooses it. */

import { type Edge, EdgeLabelRenderer, type EdgeProps, getBezierPath } from "@xyflow/react";
import { memo } from "react";
import { renders } from "../../model/renders.ts";
import { type Point, pathOf } from "../../parts/canvas/path.ts";
import { cx } from "../../parts/cx.ts";
import type { SceneEdge } from "./scene.ts";
import styles from "./scene-edge.module.css";

export type SceneEdgeData = Edge<
  {
    readonly edge: SceneEdge;
    /** The way that the layout found; none when an end was put elsewhere. */
    readonly points: readonly Point[] | undefined;
    readonly label: Point | undefined;
    /** How far along its way the label stands where the layout has found none: from 0 to 1. */
    readonly along: number;
    readonly isChosen: boolean;
    readonly isOnCycle: boolean;
    readonly onChoose: (id: string) => void;
  },
  "scene"
>;

export const SceneEdgeView = memo(function SceneEdgeView(props: EdgeProps<SceneEdgeData>) {
  const { id, data } = props;
  if (data === undefined) return null;
  renders.edges++;
  const { edge, points, label, along, isChosen, isOnCycle, onChoose } = data;
  const [curve] = getBezierPath(props);
  const way = points ? pathOf(points) : curve;
  const at = points && label ? label : pointOn(curve, along);
  const tone = isOnCycle ? "cycle" : edge.tone;
  return (
    <>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the label is the button; this is a wider target for a mouse */}
      <path d={way} className={styles["reach"]} onClick={() => onChoose(id)} />
      <path
        d={way}
        className={cx(styles["edge"], styles[tone], styles[edge.form], isChosen && styles["chosen"])}
        markerEnd={`url(#scene-${tone})`}
        {...(edge.isBoth && { markerStart: `url(#scene-${tone})` })}
      />
      <EdgeLabelRenderer>
        <button
          type="button"
          className={cx("nodrag nopan", styles["label"], styles[tone], isChosen && styles["picked"])}
          style={{ transform: `translate(-50%, -50%) translate(${at.x}px, ${at.y}px)` }}
          aria-pressed={isChosen}
          aria-label={edge.spoken}
          onClick={() => onChoose(id)}
        >
          {edge.label}
        </button>
      </EdgeLabelRenderer>
    </>
  );
});

/** A point of a curve that is written with its two ends and the two points that bend it. */
function pointOn(curve: string, along: number): Point {
  const [x0, y0, x1, y1, x2, y2, x3, y3] = (curve.match(/-?[\d.]+(?:e-?\d+)?/g) ?? []).map(Number);
  const at = (a = 0, b = 0, c = 0, d = 0): number => {
    const left = 1 - along;
    return left ** 3 * a + 3 * left ** 2 * along * b + 3 * left * along ** 2 * c + along ** 3 * d;
  };
  return { x: at(x0, x1, x2, x3), y: at(y0, y1, y2, y3) };
}

const TONES = ["always", "satisfied", "not_satisfied", "report", "cycle"] as const;

/** What `ArrowHeads` draws for the edges of a scene. */
export const SCENE_HEADS: ReadonlyMap<string, string | undefined> = new Map(
  TONES.map((tone) => [`scene-${tone}`, styles[tone]]),
);
