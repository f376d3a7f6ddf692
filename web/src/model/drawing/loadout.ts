/** The drawing of a loadout as a graph model: sockets, their edges, loops as regions, and loop exits as derived edges. */

import type { LoadoutDrawing } from "../baton.ts";
import type { GraphModel, ModelEdge, ModelNode } from "./graph-model.ts";

const END = "end";

export function loadoutModel(drawing: LoadoutDrawing): GraphModel {
  const members = new Set(drawing.loops.flatMap(({ sockets }) => sockets));
  const nodes = drawing.nodes.map((socket): ModelNode => {
    const { id, label, materia, type, generator, color } = socket;
    const badges = [...(generator ? ["Generator"] : []), ...(members.has(id) ? ["Loop consumer"] : [])];
    const detail = label === materia ? id : `${id} · ${materia}`;
    return { id, label, detail, kind: type, badges, ...(color !== undefined && { color }) };
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
