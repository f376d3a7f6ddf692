/** The canvas of a run: its graph as it was drawn, lit by how the nodes stand at the moment that is shown. */

import {
  Background,
  ControlButton,
  Controls,
  type EdgeTypes,
  type NodeTypes,
  ReactFlow,
  type ReactFlowInstance,
} from "@xyflow/react";
import { Maximize } from "lucide-react";
import { useEffect, useMemo, useRef, useState } from "react";
import type { GraphModel } from "../../../model/drawing/graph-model.ts";
import { unfold } from "../../../model/drawing/model-of.ts";
import type { NodeLook } from "../../../model/moment.ts";
import { ArrowHeads } from "../../../parts/canvas/arrow-heads.tsx";
import { FLOW, GROUND } from "../../../parts/canvas/flow.ts";
import { Problem } from "../../../parts/notice.tsx";
import styles from "./canvas.module.css";
import { Drawing } from "./drawing.tsx";
import { type CanvasNode, useEdges, useNodes } from "./elements.ts";
import { type Layout, layOut, warmUp } from "./layout.ts";
import { ROUTE_HEADS, type RouteEdge, RouteEdgeView } from "./route-edge.tsx";
import { RegionNodeView, SocketNodeView } from "./socket-node.tsx";
import { look, viewOf, WIDEST, whole } from "./view.ts";
import "@xyflow/react/dist/base.css";

warmUp();

const NODES: NodeTypes = { socket: SocketNodeView, region: RegionNodeView };
const EDGES: EdgeTypes = { route: RouteEdgeView };

interface CanvasProps {
  readonly model: GraphModel;
  readonly looks: ReadonlyMap<string, NodeLook>;
  readonly traffic: ReadonlyMap<string, number>;
  readonly chosen: string | undefined;
  readonly unfolded: ReadonlySet<string>;
  readonly onChoose: (node: string | undefined) => void;
  readonly onUnfold: (node: string) => void;
}

export function Canvas({ model, looks, traffic, chosen, unfolded, onChoose, onUnfold }: CanvasProps) {
  const shown = useMemo(() => unfold(model, unfolded), [model, unfolded]);
  const [layout, error] = useLayout(shown);
  const nodes = useNodes({ layout, looks, chosen, unfolded, onChoose, onUnfold });
  const edges = useEdges(layout, traffic);
  const flow = useRef<ReactFlowInstance<CanvasNode, RouteEdge> | undefined>(undefined);
  const frame = useRef<HTMLDivElement>(null);
  const isMoved = useRef(false);
  const focus = useRef<string | undefined>(undefined);
  focus.current = chosen ?? activeIn(looks);
  useEffect(() => {
    isMoved.current = false;
    const settle = () => {
      if (!isMoved.current && flow.current && layout) look({ flow: flow.current, layout, frame, focus });
    };
    settle();
    const observer = new ResizeObserver(() => setTimeout(settle, SETTLED));
    if (frame.current) observer.observe(frame.current);
    return () => observer.disconnect();
  }, [layout]);
  const showAll = () => {
    isMoved.current = false;
    if (flow.current && layout) void flow.current.setViewport(whole(layout, frame.current));
  };
  if (error !== undefined) return <Problem error={error} />;
  return (
    <div ref={frame} className={styles["canvas"]}>
      <ArrowHeads heads={ROUTE_HEADS} />
      {layout === undefined && <Drawing />}
      {layout && (
        <ReactFlow
          nodes={nodes}
          edges={edges}
          nodeTypes={NODES}
          edgeTypes={EDGES}
          onInit={(instance) => {
            flow.current = instance;
            look({ flow: instance, layout, frame, focus });
          }}
          defaultViewport={viewOf({ layout, frame, focus })}
          minZoom={WIDEST}
          {...FLOW}
          onlyRenderVisibleElements
          nodesDraggable={false}
          nodesConnectable={false}
          onMoveStart={(event) => {
            if (event) isMoved.current = true; // nothing when the page moved it
          }}
          onPaneClick={() => onChoose(undefined)}
          aria-label="Graph of the run"
        >
          <Background {...GROUND} />
          <Controls showInteractive={false} showFitView={false} position="bottom-right">
            <ControlButton aria-label="Show all" title="Show all" onClick={showAll}>
              <Maximize aria-hidden />
            </ControlButton>
          </Controls>
        </ReactFlow>
      )}
    </div>
  );
}

/** In milliseconds: React Flow has taken note of a new size by then. */
const SETTLED = 60;

/** The node at work now. */
function activeIn(looks: ReadonlyMap<string, NodeLook>): string | undefined {
  return [...looks].findLast(([, { status }]) => status === "running" || status === "asking")?.[0];
}

function useLayout(model: GraphModel): readonly [Layout | undefined, unknown] {
  const [layout, setLayout] = useState<Layout | undefined>(undefined);
  const [error, setError] = useState<unknown>(undefined);
  useEffect(() => {
    let isWanted = true;
    layOut(model).then(
      (found) => {
        if (isWanted) setLayout(found);
      },
      (thrown: unknown) => {
        if (isWanted) setError(thrown);
      },
    );
    return () => {
      isWanted = false;
    };
  }, [model]);
  return [layout, error];
}
