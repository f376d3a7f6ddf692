/**
 * What of a canvas is in sight, until a person moves it: all of it, or its beginning where all of it could not be read.
 */

import { getViewportForBounds, type ReactFlowInstance, type Rect, type Viewport } from "@xyflow/react";
import { type RefObject, useCallback, useEffect, useRef } from "react";
import type { Scene } from "./scene.ts";
import type { SceneEdgeData } from "./scene-edge.tsx";
import type { SceneNodeData, SceneRegionData } from "./scene-node.tsx";

export type Flow = ReactFlowInstance<SceneNodeData | SceneRegionData, SceneEdgeData>;

interface Sight {
  readonly flow: RefObject<Flow | undefined>;
  readonly frame: RefObject<HTMLDivElement | null>;
  readonly nodes: readonly (SceneNodeData | SceneRegionData)[];
  readonly scene: Scene;
  readonly layout: object | undefined;
}

const CLOSEST = 1.1;
/** Nothing can be read from farther away. */
const LEGIBLE = 0.3;
/** In pixels: what stays free above where not all of it fits. */
const TOP = 24;
const PADDING = 0.1;

/** The farthest that a canvas is seen from. */
export const FARTHEST = 0.02;

/** Brings everything into sight when there is more or less of it, or it is laid out again. */
export function useWholeInSight({ flow, frame, nodes, scene, layout }: Sight) {
  const isMoved = useRef(false);
  const last = useRef("");
  const shown = useRef(nodes);
  shown.current = nodes;
  const count = nodes.length;
  const isTidy = scene.places.size === 0;
  const show = useCallback(
    (least: number) => {
      if (flow.current === undefined || frame.current === null || shown.current.length === 0) return;
      isMoved.current = false;
      void flow.current.setViewport(viewportFor(boundsOf(shown.current), frame.current, least));
    },
    [flow, frame],
  );
  const showAll = useCallback(() => show(FARTHEST), [show]);
  const showBest = useCallback(() => show(LEGIBLE), [show]);
  useEffect(() => {
    const now = `${count} ${isTidy}`;
    if (now !== last.current) isMoved.current = false;
    last.current = now;
    if (layout !== undefined && !isMoved.current) showBest();
  }, [layout, count, isTidy, showBest]);
  useEffect(() => {
    const observer = new ResizeObserver(() => {
      if (!isMoved.current) showBest();
    });
    if (frame.current) observer.observe(frame.current);
    return () => observer.disconnect();
  }, [frame, showBest]);
  return { isMoved, showAll, showBest };
}

/** All of it, or from its upper edge on as much as fits when it is seen from as far away as is allowed. */
function viewportFor(bounds: Rect, { clientWidth, clientHeight }: HTMLElement, least: number): Viewport {
  const whole = getViewportForBounds(bounds, clientWidth, clientHeight, FARTHEST, CLOSEST, PADDING);
  if (whole.zoom >= least) return whole;
  const x = (clientWidth - bounds.width * least) / 2 - bounds.x * least;
  return { zoom: least, x, y: TOP - bounds.y * least };
}

function boundsOf(nodes: Sight["nodes"]) {
  const x = Math.min(...nodes.map(({ position }) => position.x));
  const y = Math.min(...nodes.map(({ position }) => position.y));
  const right = Math.max(...nodes.map(({ position, width = 0 }) => position.x + width));
  const bottom = Math.max(...nodes.map(({ position, height = 0 }) => position.y + height));
  return { x, y, width: right - x, height: bottom - y };
}
