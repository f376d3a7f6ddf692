/** The graph model of a drawing, by the dialect that drew it. */

import {
  type GraphDrawing,
  type InboxDrawing,
  isJsonObject,
  type Json,
  type LoadoutDefinition,
  type LoadoutDrawing,
} from "../baton.ts";
import { EMPTY, type GraphModel, type ModelEdge, type ModelNode } from "./graph-model.ts";
import { inboxModel } from "./inbox.ts";
import { loadoutModel } from "./loadout.ts";
import { stateGraphModel } from "./stategraph.ts";

/**
 * A drawing that nobody knows here is drawn as nothing. Each dialect's compiler wrote what is cast here. `definition` is
 * what the drawing was made of: the loadouts inside of one are only told there.
 */
export function modelOf(dialect: string, drawing: Json | undefined, definition?: Json): GraphModel {
  if (!isJsonObject(drawing) || !Array.isArray(drawing["nodes"])) return EMPTY;
  const loose: unknown = drawing;
  switch (dialect) {
    case "loadout":
      return loadoutModel(loose as LoadoutDrawing, completeIn(definition));
    case "inbox":
      return inboxModel(loose as InboxDrawing);
    default:
      return stateGraphModel(loose as GraphDrawing);
  }
}

/** The definition of a loadout as a run records it. */
function completeIn(definition: Json | undefined): LoadoutDefinition | undefined {
  if (!isJsonObject(definition) || !isJsonObject(definition["materia"])) return undefined;
  const loose: unknown = definition;
  return loose as LoadoutDefinition; // what was compiled was complete
}

/** The ways that a run took and its author did not draw: where a node went by itself, as `from→to`. */
export function undrawn(model: GraphModel, traffic: ReadonlyMap<string, number>): readonly string[] {
  const nodes = new Set(model.nodes.map(({ id }) => id));
  const drawn = new Set(model.edges.map(({ id }) => id));
  return [...traffic.keys()].filter((id) => {
    const [from = "", to = ""] = id.split("→");
    return !drawn.has(id) && nodes.has(from) && nodes.has(to) && to !== "__end__";
  });
}

/** The model with those ways as derived edges. */
export function withTaken(model: GraphModel, taken: readonly string[]): GraphModel {
  if (taken.length === 0) return model;
  const edges = taken.map((id): ModelEdge => {
    const [from = "", to = ""] = id.split("→");
    return { id, from, to, label: "", form: "derived", isBoth: false };
  });
  return { ...model, edges: [...model.edges, ...edges] };
}

const SEPARATOR = "/";

/** The model with the graphs inside of the unfolded nodes in their place: their nodes become members of a region. */
export function unfold(model: GraphModel, unfolded: ReadonlySet<string>, path = ""): GraphModel {
  const open = model.nodes.filter(({ id, graph }) => graph !== undefined && unfolded.has(path + id));
  if (open.length === 0 && path === "") return model;
  const name = (id: string): string => path + id;
  const inner = open.map((node) => insideOf(node, path, unfolded));
  const own = model.nodes.map((node) => ({ ...node, id: name(node.id) }));
  return {
    direction: model.direction,
    nodes: [...own, ...inner.flatMap(({ nodes }) => nodes)],
    edges: [
      ...model.edges.map((edge) => ({
        ...edge,
        id: name(edge.id),
        from: name(edge.from),
        to: name(edge.to),
      })),
      ...inner.flatMap(({ edges }) => edges),
    ],
    regions: [...model.regions, ...inner.flatMap(({ regions }) => regions)],
  };
}

function insideOf(node: ModelNode, path: string, unfolded: ReadonlySet<string>): GraphModel {
  const id = path + node.id;
  const inside = unfold(node.graph ?? EMPTY, unfolded, id + SEPARATOR);
  const first = inside.nodes.find((inner) => inner.label === "Start") ?? inside.nodes[0];
  const members = inside.nodes.map((inner) => inner.id);
  const link = first && {
    ...{ id: `${id}⇢`, from: id, to: first.id, label: "inside" },
    ...({ form: "derived", isBoth: false } as const),
  };
  return {
    ...inside,
    edges: link ? [link, ...inside.edges] : inside.edges,
    regions: [{ id, label: node.label, members }, ...inside.regions],
  };
}
