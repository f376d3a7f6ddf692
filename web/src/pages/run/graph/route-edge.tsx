/** An edge of the canvas, drawn along the way that the layout found; the more often it was passed, the heavier. */

import { type Edge, EdgeLabelRenderer, type EdgeProps } from "@xyflow/react";
import { memo } from "react";
import type { ModelEdge } from "../../../model/drawing/graph-model.ts";
import { type Point, pathOf } from "../../../parts/canvas/path.ts";
import { cx } from "../../../parts/cx.ts";
import styles from "./route-edge.module.css";

export type RouteEdge = Edge<
  {
    readonly edge: ModelEdge;
    readonly points: readonly Point[];
    readonly label: Point | undefined;
    readonly passed: number;
  },
  "route"
>;

export const RouteEdgeView = memo(function RouteEdgeView({ data }: EdgeProps<RouteEdge>) {
  if (data === undefined) return null;
  const { edge, points, label, passed } = data;
  const text = [edge.label, passed > 1 ? `×${passed}` : ""].filter((part) => part !== "").join(" · ");
  const isPassed = passed > 0;
  const name = cx(styles["edge"], styles[edge.form], isPassed && styles["passed"]);
  const ends = isPassed ? "url(#arrow-passed)" : "url(#arrow)";
  return (
    <>
      <path
        d={pathOf(points)}
        className={name}
        markerEnd={ends}
        {...(edge.isBoth && { markerStart: ends })}
        strokeWidth={isPassed ? Math.min(4.5, 1.6 + Math.log2(passed) * 0.7) : 1.25}
      />
      {text !== "" && label && (
        <EdgeLabelRenderer>
          <span
            className={cx(styles["label"], isPassed && styles["walked"])}
            style={{ transform: `translate(-50%, -50%) translate(${label.x}px, ${label.y}px)` }}
          >
            {text}
          </span>
        </EdgeLabelRenderer>
      )}
    </>
  );
});

/** What `ArrowHeads` draws for the edges of a run. */
export const ROUTE_HEADS: ReadonlyMap<string, string | undefined> = new Map([
  ["arrow", undefined],
  ["arrow-passed", styles["passed"]],
]);
