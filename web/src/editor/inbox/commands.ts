/** The commands that turn the graph of a run into another one: what differs, and nothing else. */

import { type Edge, type InboxDefinition, type InboxEdit, type Json, sameJson } from "../../model/baton.ts";

export function commandsBetween(before: InboxDefinition, after: InboxDefinition): readonly InboxEdit[] {
  const edits: InboxEdit[] = [];
  const gone = Object.keys(before.nodes).filter((id) => !Object.hasOwn(after.nodes, id));
  const left = new Map(after.edges.map((edge) => [edge.id, edge]));
  for (const { id, from, to } of before.edges) {
    const goesWithNode = gone.includes(from) || gone.includes(to);
    if (!left.has(id) && !goesWithNode) edits.push({ type: "remove_edge", id });
  }
  for (const [id, node] of Object.entries(after.nodes)) {
    const was = Object.hasOwn(before.nodes, id) ? before.nodes[id] : undefined;
    if (!same(was, node)) edits.push({ type: "set_node", id, node });
  }
  const known = new Map(before.edges.map((edge) => [edge.id, edge]));
  const moved = after.edges.filter((edge) => !same(known.get(edge.id), edge));
  edits.push(...moved.map((edge: Edge): InboxEdit => ({ type: "set_edge", edge })));
  edits.push(...gone.map((id): InboxEdit => ({ type: "remove_node", id })));
  return [...edits, ...settings(before, after)];
}

function settings(before: InboxDefinition, after: InboxDefinition): readonly InboxEdit[] {
  const { mode, phase, limits } = after;
  const set = {
    ...(mode !== before.mode && { mode }),
    ...(phase !== before.phase && { phase }),
    ...(!same(limits, before.limits) && { limits }),
  };
  return Object.keys(set).length === 0 ? [] : [{ type: "set", ...set }];
}

/** Both are plain data that was read from JSON. */
function same(a: object | undefined, b: object | undefined): boolean {
  return sameJson(a as Json | undefined, b as Json | undefined);
}
