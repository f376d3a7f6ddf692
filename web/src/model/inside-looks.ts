/**
 * How a drawing looks with what happened inside of its nodes.
 *
 * 1. What is inside of a node is drawn in it, by its path.
 * 2. A lane has no drawing of its own: its nodes are those of the loop around it. Where several lanes came to a node,
 *    it stands as the one that wants to be looked at most, and their visits are counted together.
 */

import type { Inside } from "./inside-tree.ts";
import type { Moment, NodeLook, NodeStatus } from "./moment.ts";

/** How the nodes look, those inside of others by their path. */
export function looksWithin(moment: Moment, insides: readonly Inside[]): ReadonlyMap<string, NodeLook> {
  if (insides.length === 0) return moment.nodes;
  const all = new Map(moment.nodes);
  const lanes = new Map<string, NodeLook>();
  for (const { path, drawnIn, moment } of insides) {
    for (const [id, look] of moment.nodes) {
      if (drawnIn === undefined)
        all.set(`${path}/${id}`, look); // (1)
      else lanes.set(drawnIn + id, together(lanes.get(drawnIn + id), look)); // (2)
    }
  }
  for (const [id, look] of lanes) {
    const around = all.get(id);
    all.set(id, around === undefined ? look : { ...look, status: sooner(around.status, look.status) });
  }
  return all;
}

/** How often edges were passed, those inside of nodes by their path. */
export function trafficWithin(moment: Moment, insides: readonly Inside[]): ReadonlyMap<string, number> {
  if (insides.length === 0) return moment.traffic;
  const all = new Map(moment.traffic);
  for (const { path, drawnIn, moment } of insides) {
    for (const [id, count] of moment.traffic) {
      if (drawnIn === undefined)
        all.set(`${path}/${id}`, count); // (1)
      else all.set(drawnIn + id, (all.get(drawnIn + id) ?? 0) + count); // (2)
    }
  }
  return all;
}

function together(before: NodeLook | undefined, look: NodeLook): NodeLook {
  if (before === undefined) return look;
  return { ...look, status: sooner(before.status, look.status), visits: before.visits + look.visits };
}

/** What wants to be looked at most, first. */
const ORDER: readonly NodeStatus[] = ["asking", "failed", "running", "blocked", "cancelled", "done", "idle"];

function sooner(a: NodeStatus, b: NodeStatus): NodeStatus {
  return ORDER.indexOf(a) <= ORDER.indexOf(b) ? a : b;
}
