/** The canvas of an editor: things are chosen, moved, connected and dropped on it, and what that means others decide. */

import {
  Background,
  type Connection,
  type EdgeTypes,
  type FinalConnectionState,
  type NodeChange,
  type NodeTypes,
  Panel,
  ReactFlow,
} from "@xyflow/react";
import { Maximize, Minus, Plus } from "lucide-react";
import { type DragEvent, type ReactNode, useRef, useState } from "react";
import { Drawing } from "../../pages/run/graph/drawing.tsx";
import { Button } from "../../parts/button.tsx";
import { ArrowHeads } from "../../parts/canvas/arrow-heads.tsx";
import { FLOW, GROUND } from "../../parts/canvas/flow.ts";
import type { Point } from "../../parts/canvas/path.ts";
import styles from "./editor-canvas.module.css";
import { press } from "./press.ts";
import type { Scene } from "./scene.ts";
import { SCENE_HEADS, SceneEdgeView } from "./scene-edge.tsx";
import { SceneNodeView, SceneRegionView } from "./scene-node.tsx";
import { REGION, useSceneLayout, useShown } from "./use-scene.ts";
import { FARTHEST, type Flow, useWholeInSight } from "./use-sight.ts";
import "@xyflow/react/dist/base.css";

const NODES: NodeTypes = { scene: SceneNodeView, region: SceneRegionView };
const EDGES: EdgeTypes = { scene: SceneEdgeView };

/** What is dragged from a palette carries its name under this type. */
export const DRAGGED = "application/x-baton";

interface EditorCanvasProps {
  readonly label: string;
  readonly scene: Scene;
  readonly chosen: ReadonlySet<string>;
  /** A way that may be gone for ever, its first node at both ends. */
  readonly cycle: readonly string[];
  readonly empty: ReactNode;
  readonly onChoose: (id: string | undefined, adds: boolean) => void;
  readonly onChooseEdge: (id: string) => void;
  readonly onChooseRegion: (id: string) => void;
  /** Shows the graph inside of a node. */
  readonly onOpen?: (inside: string) => void;
  readonly onConnect: (from: string, to: string) => void;
  readonly onConnectRegion: (region: string, to: string) => void;
  /** Where nodes were put, with a mouse, or with keys: each press is a step of one way then. */
  readonly onMove: (places: ReadonlyMap<string, Point>, how: "mouse" | "keys") => void;
  /** What was dropped, on which node or where. */
  readonly onDrop: (name: string, node: string | undefined, place: Point) => void;
  readonly onDelete: () => void;
}

const NOTHING: ReadonlyMap<string, Point> = new Map();

export function EditorCanvas(props: EditorCanvasProps) {
  const { label, scene, chosen, cycle, empty, onChoose, onChooseEdge, onChooseRegion, onMove, onDelete } =
    props;
  const [dragged, setDragged] = useState<ReadonlyMap<string, Point>>(NOTHING);
  const layout = useSceneLayout(scene);
  const { nodes, edges } = useShown(layout, {
    scene,
    dragged,
    chosen,
    cycle,
    onChoose,
    onChooseEdge,
    onChooseRegion,
    onOpen: props.onOpen,
  });
  const flow = useRef<Flow | undefined>(undefined);
  const frame = useRef<HTMLDivElement>(null);
  const { isMoved, showAll, showBest } = useWholeInSight({ flow, frame, nodes, scene, layout });
  const connect = (source: string, to: string) => {
    if (to.startsWith(REGION)) return;
    if (source.startsWith(REGION)) props.onConnectRegion(source.slice(REGION.length), to);
    else props.onConnect(source, to);
  };
  const moved = (changes: readonly NodeChange[]) => {
    const places = changes.flatMap((change): [string, Point][] =>
      change.type === "position" && change.dragging && change.position ? [[change.id, change.position]] : [],
    );
    if (places.length > 0) setDragged((before) => new Map([...before, ...places]));
  };
  const drop = (event: DragEvent) => {
    const name = event.dataTransfer.getData(DRAGGED);
    if (name === "") return;
    event.preventDefault();
    const { clientX: x, clientY: y } = event;
    const place = flow.current?.screenToFlowPosition({ x, y }) ?? { x, y };
    props.onDrop(name, nodeUnder(x, y), { x: place.x - 98, y: place.y - 27 });
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys are for what is chosen inside, which has the focus
    <div
      ref={frame}
      className={styles["canvas"]}
      onDrop={drop}
      onDragOver={(event) => event.preventDefault()}
      onKeyDown={(event) => press(event, { nodes, onDelete, onChoose, onMove })}
    >
      <ArrowHeads heads={SCENE_HEADS} />
      <ReactFlow
        nodes={nodes}
        edges={edges}
        nodeTypes={NODES}
        edgeTypes={EDGES}
        onInit={(instance) => {
          flow.current = instance;
          showBest();
        }}
        minZoom={FARTHEST}
        {...FLOW}
        connectionRadius={36}
        nodesDraggable
        onNodesChange={moved}
        onMoveStart={(event) => {
          if (event) isMoved.current = true; // nothing when the page moved it
        }}
        onNodeDragStop={(_, __, all) => {
          setDragged(NOTHING);
          onMove(new Map(all.map(({ id, position }) => [id, position])), "mouse");
        }}
        onConnect={({ source, target }: Connection) => connect(source, target)}
        onConnectEnd={(event, state) => connectUnder(event, state, connect)}
        onPaneClick={() => onChoose(undefined, false)}
        aria-label={label}
      >
        <Background {...GROUND} />
        <Panel position="bottom-right" className={styles["controls"]}>
          <Button
            size="s"
            label="Closer"
            icon={<Plus aria-hidden />}
            onClick={() => void flow.current?.zoomIn()}
          />
          <Button
            size="s"
            label="Farther"
            icon={<Minus aria-hidden />}
            onClick={() => void flow.current?.zoomOut()}
          />
          <Button size="s" label="Show all" icon={<Maximize aria-hidden />} onClick={showAll} />
        </Panel>
      </ReactFlow>
      {scene.nodes.length > 0 && nodes.length === 0 && (
        <div className={styles["empty"]}>
          <Drawing />
        </div>
      )}
      {scene.nodes.length === 0 && <div className={styles["empty"]}>{empty}</div>}
    </div>
  );
}

function nodeUnder(x: number, y: number): string | undefined {
  for (const element of document.elementsFromPoint(x, y)) {
    const node = element.closest<HTMLElement>(".react-flow__node");
    const id = node?.dataset["id"];
    if (id !== undefined && !id.startsWith(REGION)) return id;
  }
  return undefined;
}

/** An edge that is let go anywhere over a node leads there, not only on its handle. */
function connectUnder(
  event: MouseEvent | TouchEvent,
  { fromNode, isValid, fromHandle }: FinalConnectionState,
  connect: (from: string, to: string) => void,
): void {
  if (isValid || fromNode === null || fromHandle?.type === "target") return;
  const { clientX, clientY } =
    "changedTouches" in event ? (event.changedTouches[0] ?? { clientX: -1, clientY: -1 }) : event;
  const to = nodeUnder(clientX, clientY);
  if (to !== undefined) connect(fromNode.id, to);
}
