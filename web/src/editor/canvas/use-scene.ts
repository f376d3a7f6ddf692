/** A scene as React Flow takes it: nodes where their author put them or where the layout has them, loops around them. */

import { Position } from "@xyflow/react";
import { useEffect, useMemo, useState } from "react";
import { type Box, type Layout, layOut, warmUp } from "../../pages/run/graph/layout.ts";
import type { Point } from "../../parts/canvas/path.ts";
import { around, boxesOf } from "./boxes.ts";
import type { Scene, SceneEdge } from "./scene.ts";
import type { SceneEdgeData } from "./scene-edge.tsx";
import type { SceneNodeData, SceneRegionData } from "./scene-node.tsx";
import { useStable } from "./use-stable.ts";

warmUp();

export const REGION = "region:";

export interface SceneInput {
  readonly scene: Scene;
  /** Where nodes are while they are dragged. */
  readonly dragged: ReadonlyMap<string, Point>;
  readonly chosen: ReadonlySet<string>;
  readonly cycle: readonly string[];
  readonly onChoose: (id: string, adds: boolean) => void;
  readonly onChooseEdge: (id: string) => void;
  readonly onChooseRegion: (id: string) => void;
  /** Shows the graph inside of a node. */
  readonly onOpen?: ((inside: string) => void) | undefined;
}

export interface Shown {
  readonly nodes: (SceneNodeData | SceneRegionData)[];
  readonly edges: SceneEdgeData[];
}

/** The layout of the newest scene that was laid out. A layout that fails is thrown. */
export function useSceneLayout(scene: Scene): Layout | undefined {
  const [layout, setLayout] = useState<Layout | undefined>(undefined);
  const [failure, setFailure] = useState<unknown>(undefined);
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
    const held = regions.filter(({ members }) => members.length > 0);
    layOut({ direction: "DOWN", nodes: laid, edges, regions: held }).then(
      (found) => {
        if (isWanted) setLayout(found);
      },
      (thrown: unknown) => {
        if (isWanted) setFailure(thrown);
      },
    );
    return () => {
      isWanted = false;
    };
  }, [shape]);
  if (failure !== undefined) throw failure;
  return layout;
}

export function useShown(layout: Layout | undefined, input: SceneInput): Shown {
  const { nodes, edges } = useMade(layout, input);
  return { nodes: useStable(nodes), edges: useStable(edges) };
}

function useMade(layout: Layout | undefined, input: SceneInput): Shown {
  const { scene, dragged, chosen, cycle, onChoose, onChooseEdge, onChooseRegion, onOpen } = input;
  return useMemo(() => {
    const found = new Map((layout?.nodes ?? []).map(({ node, box }) => [node.id, box]));
    const boxes = boxesOf(scene, found, dragged);
    const steps = new Set(cycle.slice(1).map((to, index) => JSON.stringify([cycle[index], to])));
    const nodes = scene.nodes.flatMap((node): SceneNodeData[] => {
      const box = boxes.get(node.id);
      if (box === undefined) return [];
      const { id } = node;
      const data = { node, isChosen: chosen.has(id), isOnCycle: cycle.includes(id), onChoose, onOpen };
      return [{ ...placed(id, box), type: "scene", data, draggable: true }];
    });
    const regions = scene.regions.flatMap((region): SceneRegionData[] => {
      const box = around(region.members.flatMap((member) => boxes.get(member) ?? []));
      const id = REGION + region.id;
      const data = { region, isChosen: chosen.has(id), onChoose: onChooseRegion };
      return box
        ? [{ ...placed(id, box), type: "region", zIndex: -1, data, draggable: false, style: SEE_THROUGH }]
        : [];
    });
    const still = (id: string): boolean => sameSpot(found.get(id), boxes.get(id));
    const ways = new Map((layout?.edges ?? []).map((way) => [way.edge.id, way]));
    const along = spread(scene.edges);
    const edges = scene.edges.map((edge: SceneEdge): SceneEdgeData => {
      const way = ways.get(edge.id);
      const isLaid =
        way !== undefined && way.points.length > 0 && way.edge.to === edge.to && way.edge.from === edge.from;
      const fits = isLaid && still(edge.from) && still(edge.to);
      const goes = (from: string, to: string): boolean => steps.has(JSON.stringify([from, to]));
      const isOnCycle =
        edge.form !== "derived" && (goes(edge.from, edge.to) || (edge.isBoth && goes(edge.to, edge.from)));
      return {
        ...{ id: edge.id, source: edge.from, target: edge.to, type: "scene" },
        data: {
          ...{ edge, isOnCycle, isChosen: chosen.has(edge.id), onChoose: onChooseEdge },
          along: along.get(edge.id) ?? 0.5,
          ...{ points: fits ? way.points : undefined, label: fits ? way.label : undefined },
        },
      };
    });
    return { nodes: [...regions, ...nodes], edges };
  }, [layout, scene, dragged, chosen, cycle, onChoose, onChooseEdge, onChooseRegion, onOpen]);
}

/** Labels of edges between the same two nodes stand at different places of their ways. */
function spread(edges: readonly SceneEdge[]): ReadonlyMap<string, number> {
  const between = Map.groupBy(edges, ({ from, to }) => JSON.stringify([from, to].toSorted()));
  return new Map(
    [...between.values()].flatMap((group) =>
      group.map(({ id, from, to }, index): [string, number] => {
        const place = 0.5 + (index - (group.length - 1) / 2) * (0.5 / group.length);
        return [id, from <= to ? place : 1 - place];
      }),
    ),
  );
}

const SEE_THROUGH = { pointerEvents: "none" } as const;

function sameSpot(a: Box | undefined, b: Box | undefined): boolean {
  return a !== undefined && b !== undefined && a.x === b.x && a.y === b.y;
}

function placed(id: string, { x, y, width, height }: Box) {
  const handle = { x: width / 2 - 5, width: 11, height: 11, id: null };
  return {
    ...{ id, position: { x, y }, width, height, selectable: false, focusable: false },
    handles: [
      { ...handle, type: "target" as const, position: Position.Top, y: -5 },
      { ...handle, type: "source" as const, position: Position.Bottom, y: height - 6 },
    ],
  };
}
