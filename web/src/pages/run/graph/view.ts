/** What of a graph is in sight: all of it where names can be read, else the node that matters. */

import { getViewportForBounds, type ReactFlowInstance, type Viewport } from "@xyflow/react";
import type { RefObject } from "react";
import type { Box, Layout } from "./layout.ts";

export const WIDEST = 0.02;
const CLOSEST = 1.1;
const PADDING = 0.06;

/** Below this, names cannot be read: then the view begins at the node that matters, and the rest is a drag away. */
const READABLE = 0.4;

interface Looking {
  readonly flow: Pick<ReactFlowInstance, "setViewport">;
  readonly layout: Layout;
  readonly frame: RefObject<HTMLDivElement | null>;
  readonly focus: RefObject<string | undefined>;
}

export function look({ flow, ...looking }: Looking): void {
  if (looking.frame.current?.clientHeight) void flow.setViewport(viewOf(looking));
}

/** What to show where nobody has moved the view. */
export function viewOf({ layout, frame, focus }: Omit<Looking, "flow">): Viewport {
  const all = whole(layout, frame.current);
  const node = layout.nodes.find(({ node }) => node.id === focus.current) ?? layout.nodes[0];
  if (all.zoom >= READABLE || node === undefined) return all;
  const zoom = READABLE * 1.5;
  const { clientWidth = 1, clientHeight = 1 } = frame.current ?? {};
  const { box } = node;
  return {
    x: clientWidth / 2 - (box.x + box.width / 2) * zoom,
    y: clientHeight / 2 - (box.y + box.height / 2) * zoom,
    zoom,
  };
}

export function whole(layout: Layout, frame: HTMLDivElement | null): Viewport {
  const { clientWidth = 1, clientHeight = 1 } = frame ?? {};
  return getViewportForBounds(boundsOf(layout), clientWidth, clientHeight, WIDEST, CLOSEST, PADDING);
}

function boundsOf({ nodes, regions, edges }: Layout): Box {
  const boxes = [...nodes, ...regions].map(({ box }) => box);
  const labels = edges.flatMap(({ label, edge }) => {
    const half = edge.label.length * LETTER;
    return label ? [{ x: label.x - half, y: label.y, width: half * 2, height: 0 }] : [];
  });
  const all = [...boxes, ...labels];
  const x = Math.min(...all.map((box) => box.x));
  const y = Math.min(...all.map((box) => box.y));
  const right = Math.max(...all.map((box) => box.x + box.width));
  const bottom = Math.max(...all.map((box) => box.y + box.height));
  return { x, y, width: right - x, height: bottom - y };
}

/** About half the width of a letter of a label. */
const LETTER = 3.2;
