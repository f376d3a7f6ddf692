/** The elements of the canvas, made of a layout and of how the nodes stand; what looks the same is the same object. */

import { Position } from "@xyflow/react";
import { type CSSProperties, useMemo, useRef } from "react";
import type { NodeLook } from "../../../model/moment.ts";
import type { Box, Layout } from "./layout.ts";
import type { RouteEdge } from "./route-edge.tsx";
import type { RegionNode, SocketNode } from "./socket-node.tsx";

export type CanvasNode = SocketNode | RegionNode;

interface NodesInput {
  readonly layout: Layout | undefined;
  readonly looks: ReadonlyMap<string, NodeLook>;
  readonly chosen: string | undefined;
  readonly unfolded: ReadonlySet<string>;
  readonly onChoose: (id: string) => void;
  readonly onUnfold: (id: string) => void;
}

/** React Flow lets clicks through a node that can be neither moved nor selected; ours has buttons. */
const TOUCHABLE: CSSProperties = { pointerEvents: "all" };

/** A node that looks the same is the same object, so that only the others are drawn again. */
export function useNodes({ layout, looks, chosen, unfolded, onChoose, onUnfold }: NodesInput): CanvasNode[] {
  const before = useRef<Map<string, CanvasNode>>(new Map());
  return useMemo(() => {
    const after = new Map<string, CanvasNode>();
    for (const { region, box } of layout?.regions ?? []) {
      const id = `region:${region.id}`;
      after.set(id, { ...placed(id, box), type: "region", zIndex: -1, data: { label: region.label } });
    }
    for (const { node, box } of layout?.nodes ?? []) {
      const last = before.current.get(node.id);
      const look = looks.get(node.id);
      const isChosen = node.id === chosen;
      const isUnfolded = unfolded.has(node.id);
      const data = { node, look, isChosen, isUnfolded, onChoose, onUnfold };
      const isSame = last?.type === "socket" && last.position.x === box.x && last.position.y === box.y;
      if (isSame && sameData(last.data, data)) after.set(node.id, last);
      else after.set(node.id, { ...placed(node.id, box), type: "socket", data, style: TOUCHABLE });
    }
    before.current = after;
    return [...after.values()];
  }, [layout, looks, chosen, unfolded, onChoose, onUnfold]);
}

function sameData(a: SocketNode["data"], b: SocketNode["data"]): boolean {
  return (
    a.node === b.node &&
    a.isChosen === b.isChosen &&
    a.isUnfolded === b.isUnfolded &&
    a.onChoose === b.onChoose &&
    a.look?.status === b.look?.status &&
    a.look?.visits === b.look?.visits &&
    a.look?.inbox === b.look?.inbox
  );
}

/** Handles are told, so that an edge is drawn also when its nodes are out of sight. */
function placed(id: string, { x, y, width, height }: Box) {
  const handle = { x: width / 2, width: 1, height: 1, id: null };
  return {
    ...{ id, position: { x, y }, width, height, draggable: false, selectable: false, focusable: false },
    handles: [
      { ...handle, type: "target" as const, position: Position.Top, y: 0 },
      { ...handle, type: "source" as const, position: Position.Bottom, y: height },
    ],
  };
}

export function useEdges(layout: Layout | undefined, traffic: ReadonlyMap<string, number>): RouteEdge[] {
  const before = useRef<Map<string, RouteEdge>>(new Map());
  return useMemo(() => {
    const after = new Map<string, RouteEdge>();
    for (const { edge, points, label } of layout?.edges ?? []) {
      const passed = traffic.get(edge.id) ?? 0;
      const last = before.current.get(edge.id);
      if (last?.data?.points === points && last.data.passed === passed) after.set(edge.id, last);
      else {
        const data = { edge, points, label, passed };
        after.set(edge.id, { id: edge.id, source: edge.from, target: edge.to, type: "route", data });
      }
    }
    before.current = after;
    return [...after.values()];
  }, [layout, traffic]);
}
