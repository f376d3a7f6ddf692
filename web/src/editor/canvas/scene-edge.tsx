/** An edge on the canvas of an editor: what it asks for by colour, line and word; its label is the button that chooses it. */

import { type Edge, EdgeLabelRenderer, type EdgeProps, getBezierPath } from "@xyflow/react";
import { memo } from "react";
import type { Point } from "../../pages/run/graph/layout.ts";
import { pathOf } from "../../pages/run/graph/route-edge.tsx";
import { cx } from "../../parts/cx.ts";
import type { SceneEdge } from "./scene.ts";
import styles from "./scene-edge.module.css";

export type SceneEdgeData = Edge<
  {
    readonly edge: SceneEdge;
    /** The way that the layout found; none when an end was put elsewhere. */
    readonly points: readonly Point[] | undefined;
    readonly label: Point | undefined;
    readonly isChosen: boolean;
    readonly isOnCycle: boolean;
    readonly onChoose: (id: string) => void;
  },
  "scene"
>;

export const SceneEdgeView = memo(function SceneEdgeView(props: EdgeProps<SceneEdgeData>) {
  const { id, data } = props;
  if (data === undefined) return null;
  const { edge, points, label, isChosen, isOnCycle, onChoose } = data;
  const [straight, x, y] = getBezierPath(props);
  const way = points ? pathOf(points) : straight;
  const at = points && label ? label : { x, y };
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

/** The arrow heads, once for all edges. */
export function SceneArrows() {
  return (
    <svg className={styles["defs"]} aria-hidden>
      <defs>
        {["always", "satisfied", "not_satisfied", "report", "cycle"].map((tone) => (
          <marker
            key={tone}
            id={`scene-${tone}`}
            className={cx(styles["arrow"], styles[tone])}
            viewBox="0 0 10 10"
            refX="9"
            refY="5"
            markerWidth="9"
            markerHeight="9"
            markerUnits="userSpaceOnUse"
            orient="auto-start-reverse"
          >
            <path d="M0,0.8 9.5,5 0,9.2z" />
          </marker>
        ))}
      </defs>
    </svg>
  );
}
