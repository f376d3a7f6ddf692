/**
 * The drawing of a loadout as a graph model: sockets, their edges, loops as regions, and loop exits as derived edges.
 *
 * 1. A `graph` socket unfolds to the loadout in it, whether that has run or not: its definition is part of the outer one.
 */

import {
  drawLoadout,
  isJsonObject,
  type Json,
  type LoadoutDefinition,
  type LoadoutDrawing,
} from "../baton.ts";
import type { GraphModel, ModelEdge, ModelNode } from "./graph-model.ts";

const END = "end";

/** `definition` is the complete one that the drawing was made of; without it, nothing unfolds. */
export function loadoutModel(drawing: LoadoutDrawing, definition?: LoadoutDefinition): GraphModel {
  const members = new Set(drawing.loops.flatMap(({ sockets }) => sockets));
  const nodes = drawing.nodes.map((socket): ModelNode => {
    const { id, label, materia, type, generator, color } = socket;
    const badges = [...(generator ? ["Generator"] : []), ...(members.has(id) ? ["Loop consumer"] : [])];
    const detail = label === materia ? id : `${id} · ${materia}`;
    const graph = type === "graph" && definition ? insideOf(definition, materia) : undefined;
    const more = { ...(color !== undefined && { color }), ...(graph && { graph }) };
    return { id, label, detail, kind: type, badges, ...more };
  });
  const edges = drawing.edges.map((edge): ModelEdge => {
    const { id, from, to, when, conditional, derived, maxTraversals } = edge;
    const form = derived ? "derived" : conditional ? "conditional" : "plain";
    const label = [
      derived ? "when done" : "",
      when === "always" ? "" : when.replace("_", " "),
      maxTraversals === undefined ? "" : `≤ ${maxTraversals}`,
    ];
    return { id, from, to, form, isBoth: false, label: label.filter((part) => part !== "").join(", ") };
  });
  const hasEnd = edges.some(({ to }) => to === END);
  const end: ModelNode = { id: END, label: "End", detail: "", kind: "end", badges: [] };
  return {
    direction: "DOWN",
    nodes: hasEnd ? [...nodes, end] : nodes,
    edges,
    regions: drawing.loops.map(({ id, sockets }) => ({ id, label: id, members: sockets })),
  };
}

/** The model of the loadout that a materia holds (1); none where the definition lacks it. */
function insideOf({ loadouts = {}, materia }: LoadoutDefinition, held: string): GraphModel | undefined {
  const name = materia[held]?.loadout;
  const inner: unknown = name !== undefined && Object.hasOwn(loadouts, name) ? loadouts[name] : undefined;
  const json = inner as Json | undefined; // a definition is JSON
  if (!isJsonObject(json) || !isJsonObject(json["sockets"]) || !isJsonObject(json["materia"]))
    return undefined;
  const definition = inner as LoadoutDefinition; // reading a loadout makes those in it complete
  return loadoutModel(drawLoadout(definition).graph, definition);
}
