/** A scene as React Flow takes it: nodes where their author put them or where the layout has them, loops around them. */

import { Position } from "@xyflow/react";
import { useEffect, useMemo, useState } from "react";
import { type Box, type Layout, layOut } from "../../pages/run/graph/layout.ts";
import type { Point } from "../loadout/sockets.ts";
import type { Scene, SceneEdge } from "./scene.ts";
import type { SceneEdgeData } from "./scene-edge.tsx";
import type { SceneNodeData, SceneRegionData } from "./scene-node.tsx";

export const REGION = "region:";

const SIZE = { width: 196, height: 54 };
const END_SIZE = { width: 64, height: 30 };

export interface SceneInput {
  readonly scene: Scene;
  /** Where nodes are while they are dragged. */
  readonly dragged: ReadonlyMap<string, Point>;
  readonly chosen: ReadonlySet<string>;
  readonly cycle: readonly string[];
  readonly onChoose: (id: string, adds: boolean) => void;
  readonly onChooseEdge: (id: string) => void;
  readonly onChooseRegion: (id: string) => void;
}

export interface Shown {
  readonly nodes: (SceneNodeData | SceneRegionData)[];
  readonly edges: SceneEdgeData[];
}

/** The layout of the newest scene that was laid out; what else is wrong with it is thrown. */
export function useSceneLayout(scene: Scene): Layout | undefined {
  const [layout, setLayout] = useState<Layout | undefined>(undefined);
  const shape = useMemo(() => {
    const { nodes, edges, regions } = scene;
    const ends = edges.map(({ id, from, to, label }) => [id, from, to, label]);
    return JSON.stringify([nodes.map(({ id }) => id), ends, regions]);
  }, [scene]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the shape is all of the scene that a layout depends on
  useEffect(() => {
    let isWanted = true;
    const { nodes, edges, regions } = scene;
    const led = new Set(edges.map(({ to }) => to));
    const laid = nodes.filter(({ id, kind }) => kind !== "end" || led.has(id));
    void layOut({
      direction: "DOWN",
      nodes: laid,
      edges,
      regions: regions.filter(({ members }) => members.length > 0),
    }).then((found) => {
      if (isWanted) setLayout(found);
    });
    return () => {
      isWanted = false;
    };
  }, [shape]);
  return layout;
}

export function useShown(layout: Layout | undefined, input: SceneInput): Shown {
  const { scene, dragged, chosen, cycle, onChoose, onChooseEdge, onChooseRegion } = input;
  return useMemo(() => {
    const found = new Map((layout?.nodes ?? []).map(({ node, box }) => [node.id, box]));
    const boxes = new Map<string, Box>();
    for (const { id, kind } of scene.nodes) {
      const box = boxOf(id, kind === "end", { found, scene, dragged });
      if (box !== undefined) boxes.set(id, box);
    }
    for (const { id, kind } of scene.nodes) {
      if (kind === "end" && !boxes.has(id) && boxes.size > 0) boxes.set(id, below([...boxes.values()]));
    }
    const steps = new Set(cycle.slice(1).map((to, index) => JSON.stringify([cycle[index], to])));
    const nodes = scene.nodes.flatMap((node): SceneNodeData[] => {
      const box = boxes.get(node.id);
      if (box === undefined) return [];
      const { id } = node;
      const data = { node, isChosen: chosen.has(id), isOnCycle: cycle.includes(id), onChoose };
      return [{ ...put(id, box), type: "scene", data, draggable: true }];
    });
    const regions = scene.regions.flatMap((region): SceneRegionData[] => {
      const box = around(region.members.flatMap((member) => boxes.get(member) ?? []));
      const id = REGION + region.id;
      const data = { region, isChosen: chosen.has(id), onChoose: onChooseRegion };
      return box
        ? [{ ...put(id, box), type: "region", zIndex: -1, data, draggable: false, style: SEE_THROUGH }]
        : [];
    });
    const still = (id: string): boolean => sameSpot(found.get(id), boxes.get(id));
    const ways = new Map((layout?.edges ?? []).map((way) => [way.edge.id, way]));
    const edges = scene.edges.map((edge: SceneEdge): SceneEdgeData => {
      const way = ways.get(edge.id);
      const isLaid =
        way !== undefined && way.points.length > 0 && way.edge.to === edge.to && way.edge.from === edge.from;
      const fits = isLaid && still(edge.from) && still(edge.to);
      const isOnCycle = edge.form !== "derived" && steps.has(JSON.stringify([edge.from, edge.to]));
      return {
        ...{ id: edge.id, source: edge.from, target: edge.to, type: "scene" },
        data: {
          ...{ edge, isOnCycle, isChosen: chosen.has(edge.id), onChoose: onChooseEdge },
          ...{ points: fits ? way.points : undefined, label: fits ? way.label : undefined },
        },
      };
    });
    return { nodes: [...regions, ...nodes], edges };
  }, [layout, scene, dragged, chosen, cycle, onChoose, onChooseEdge, onChooseRegion]);
}

const SEE_THROUGH = { pointerEvents: "none" } as const;

interface Places {
  readonly found: ReadonlyMap<string, Box>;
  readonly scene: Scene;
  readonly dragged: ReadonlyMap<string, Point>;
}

function boxOf(id: string, isEnd: boolean, { found, scene, dragged }: Places): Box | undefined {
  const laid = found.get(id);
  const place = dragged.get(id) ?? scene.places.get(id) ?? laid;
  return place && { ...(isEnd ? END_SIZE : SIZE), x: place.x, y: place.y };
}

function sameSpot(a: Box | undefined, b: Box | undefined): boolean {
  return a !== undefined && b !== undefined && a.x === b.x && a.y === b.y;
}

function put(id: string, { x, y, width, height }: Box) {
  const handle = { x: width / 2 - 5, width: 11, height: 11, id: null };
  return {
    ...{ id, position: { x, y }, width, height, selectable: false, focusable: false },
    handles: [
      { ...handle, type: "target" as const, position: Position.Top, y: -5 },
      { ...handle, type: "source" as const, position: Position.Bottom, y: height - 6 },
    ],
  };
}

/** Under everything else: where the end is as long as nothing leads there. */
function below(boxes: readonly Box[]): Box {
  const bottom = Math.max(...boxes.map((box) => box.y + box.height));
  const last = boxes.find((box) => box.y + box.height === bottom);
  const x = (last?.x ?? 0) + SIZE.width / 2 - END_SIZE.width / 2;
  return { ...END_SIZE, x, y: bottom + 64 };
}

const PADDING = { side: 18, top: 36, bottom: 20 };

function around(boxes: readonly Box[]): Box | undefined {
  if (boxes.length === 0) return undefined;
  const x = Math.min(...boxes.map((box) => box.x)) - PADDING.side;
  const y = Math.min(...boxes.map((box) => box.y)) - PADDING.top;
  const right = Math.max(...boxes.map((box) => box.x + box.width)) + PADDING.side;
  const bottom = Math.max(...boxes.map((box) => box.y + box.height)) + PADDING.bottom;
  return { x, y, width: right - x, height: bottom - y };
}
