/** What of a canvas is in sight: all of it, until a person moves it. */

import { getViewportForBounds, type ReactFlowInstance } from "@xyflow/react";
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
const WIDEST = 0.1;
const PADDING = 0.1;

/** Brings everything into sight when there is more or less of it, or it is laid out again. */
export function useWholeInSight({ flow, frame, nodes, scene, layout }: Sight) {
  const isMoved = useRef(false);
  const last = useRef("");
  const shown = useRef(nodes);
  shown.current = nodes;
  const count = nodes.length;
  const isTidy = scene.places.size === 0;
  const showAll = useCallback(() => {
    if (flow.current === undefined || frame.current === null || shown.current.length === 0) return;
    isMoved.current = false;
    const { clientWidth, clientHeight } = frame.current;
    const bounds = boundsOf(shown.current);
    void flow.current.setViewport(
      getViewportForBounds(bounds, clientWidth, clientHeight, WIDEST, CLOSEST, PADDING),
    );
  }, [flow, frame]);
  useEffect(() => {
    const now = `${count} ${isTidy}`;
    if (now !== last.current) isMoved.current = false;
    last.current = now;
    if (layout !== undefined && !isMoved.current) showAll();
  }, [layout, count, isTidy, showAll]);
  useEffect(() => {
    const observer = new ResizeObserver(() => {
      if (!isMoved.current) showAll();
    });
    if (frame.current) observer.observe(frame.current);
    return () => observer.disconnect();
  }, [frame, showAll]);
  return { isMoved, showAll };
}

function boundsOf(nodes: Sight["nodes"]) {
  const x = Math.min(...nodes.map(({ position }) => position.x));
  const y = Math.min(...nodes.map(({ position }) => position.y));
  const right = Math.max(...nodes.map(({ position, width = 0 }) => position.x + width));
  const bottom = Math.max(...nodes.map(({ position, height = 0 }) => position.y + height));
  return { x, y, width: right - x, height: bottom - y };
}
