/** Where the nodes, regions and edges of a graph model lie: worked out by ELK in a worker, once per drawing. */

import type { ELK as Elk, ElkExtendedEdge, ElkNode } from "elkjs/lib/elk-api.js";
import type { GraphModel, ModelEdge, ModelNode, Region } from "../../../model/drawing/graph-model.ts";
import type { Point } from "../../../parts/canvas/path.ts";

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface Layout {
  readonly nodes: readonly { readonly node: ModelNode; readonly box: Box }[];
  readonly regions: readonly { readonly region: Region; readonly box: Box }[];
  readonly edges: readonly {
    readonly edge: ModelEdge;
    readonly points: readonly Point[];
    readonly label: Point | undefined;
  }[];
}

const NODE = { width: 196, height: 54 };
const END = { width: 64, height: 30 };

const OPTIONS = {
  "elk.algorithm": "layered",
  "elk.hierarchyHandling": "INCLUDE_CHILDREN",
  "elk.edgeRouting": "ORTHOGONAL",
  "elk.json.edgeCoords": "ROOT",
  "elk.json.shapeCoords": "ROOT",
  "elk.layered.cycleBreaking.strategy": "DEPTH_FIRST",
  "elk.spacing.nodeNode": "28",
  "elk.spacing.edgeNode": "16",
  "elk.spacing.edgeEdge": "12",
  "elk.layered.spacing.nodeNodeBetweenLayers": "26",
  "elk.layered.spacing.edgeNodeBetweenLayers": "12",
  "elk.layered.nodePlacement.strategy": "NETWORK_SIMPLEX",
  "elk.edgeLabels.inline": "false",
};

const INSIDE = { "elk.padding": "[top=32,left=16,bottom=16,right=16]" };

let elk: Promise<Elk> | undefined;

async function start(): Promise<Elk> {
  const [api, worker] = await Promise.all([
    import("elkjs/lib/elk-api.js"),
    import("elkjs/lib/elk-worker.min.js?url"),
  ]);
  return new api.default({ workerFactory: () => new Worker(worker.default) });
}

/** Starts the worker before there is something to lay out. */
export function warmUp(): void {
  elk ??= start();
  void elk.then((ready) => ready.layout({ id: "root", children: [] })).catch(() => {}); // `layOut` tells of it
}

/** Lays a model out. The worker is started for the first one and kept. */
export async function layOut(model: GraphModel): Promise<Layout> {
  elk ??= start();
  return read(model, await (await elk).layout(elkGraph(model)));
}

function elkGraph(model: GraphModel): ElkNode {
  const home = homes(model.regions);
  const elements = new Map<string, ElkNode & { children: ElkNode[] }>();
  const root = { id: "root", children: [] as ElkNode[] };
  const layoutOptions = { ...OPTIONS, "elk.direction": model.direction };
  /** A region is put where its first member stands, so that edges keep the direction that the author gave them. */
  const insideOf = (id: string): ElkNode[] => {
    const region = home.get(id);
    if (region === undefined) return root.children;
    const known = elements.get(region);
    if (known !== undefined) return known.children;
    const made = { id: region, children: [], layoutOptions: { ...layoutOptions, ...INSIDE } };
    elements.set(region, made);
    insideOf(region).push(made);
    return made.children;
  };
  for (const { id, kind } of model.nodes) insideOf(id).push({ id, ...(kind === "end" ? END : NODE) });
  return {
    ...root,
    layoutOptions,
    edges: model.edges.map(({ id, from, to, label }) => ({
      ...{ id, sources: [from], targets: [to] },
      ...(label !== "" && { labels: [{ text: label, width: label.length * 6.2 + 10, height: 18 }] }),
    })),
  };
}

/** The innermost region of every node, and the region around each region. */
function homes(regions: readonly Region[]): ReadonlyMap<string, string> {
  const home = new Map<string, string>();
  const taken = new Map<string, string>();
  for (const { id, members } of regions) {
    const around = members.map((member) => taken.get(member)).find((outer) => outer !== undefined);
    if (around !== undefined) home.set(regionId(id), around);
    for (const member of members) taken.set(member, regionId(id));
  }
  return new Map([...home, ...taken]);
}

function regionId(id: string): string {
  return `region:${id}`;
}

function read(model: GraphModel, root: ElkNode): Layout {
  const boxes = new Map<string, Box>();
  const collect = ({ id, x = 0, y = 0, width = 0, height = 0, children = [] }: ElkNode): void => {
    boxes.set(id, { x, y, width, height });
    for (const child of children) collect(child);
  };
  collect(root);
  const routes = new Map((root.edges ?? []).map((edge) => [edge.id, edge]));
  const boxOf = (id: string): Box => boxes.get(id) ?? { x: 0, y: 0, width: 0, height: 0 };
  return {
    nodes: model.nodes.map((node) => ({ node, box: boxOf(node.id) })),
    regions: model.regions
      .filter(({ id }) => boxes.has(regionId(id)))
      .map((region) => ({ region, box: boxOf(regionId(region.id)) })),
    edges: model.edges.map((edge) => ({ edge, ...wayOf(routes.get(edge.id)) })),
  };
}

function wayOf(edge: ElkExtendedEdge | undefined): Pick<Layout["edges"][number], "points" | "label"> {
  const points = (edge?.sections ?? []).flatMap(({ startPoint, bendPoints = [], endPoint }) => [
    startPoint,
    ...bendPoints,
    endPoint,
  ]);
  const [label] = edge?.labels ?? [];
  const { x, y, width = 0, height = 0 } = label ?? {};
  return {
    points,
    label: x === undefined || y === undefined ? undefined : { x: x + width / 2, y: y + height / 2 },
  };
}
