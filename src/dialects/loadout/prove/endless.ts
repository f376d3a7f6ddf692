/**
 * An endless cycle is a way through a component that comes back to where it was and can be gone again: every cursor
 * that it moves is begun anew on it, too.
 */

import type { FrameNode } from "./explore.ts";
import type { Station } from "./machine.ts";

/** The most nodes that a search looks at; when they do not do, it answers with less. */
const MOST_LOOKS = 60_000;

/** The shortest endless cycle through each socket of a component; those over the same sockets are told once. */
export function endlessCycles(component: readonly FrameNode[], stations: readonly Station[]): string[][] {
  const order = new Map(stations.map(({ id }, index) => [id, index]));
  const found = new Map<string, string[]>();
  const room = { left: MOST_LOOKS };
  const members = new Set(component);
  for (const start of component) {
    if (!start.frame.isVisit || room.left <= 0) continue;
    const cycle = shortest(start, members, room);
    if (cycle === undefined) continue;
    const key = JSON.stringify([...new Set(cycle)].sort());
    const known = found.get(key);
    if (known === undefined || cycle.length < known.length - 1) found.set(key, turned(cycle, order));
  }
  return [...found.values()].sort((a, b) => a.length - b.length);
}

interface Reached {
  readonly node: FrameNode;
  /** The scopes of the rings that were moved and of those that were begun anew, as bits. */
  readonly moved: number;
  readonly renewed: number;
  readonly before: Reached | undefined;
}

function shortest(
  start: FrameNode,
  members: ReadonlySet<FrameNode>,
  room: { left: number },
): string[] | undefined {
  const open: Reached[] = [{ node: start, moved: 0, renewed: 0, before: undefined }];
  const seen = new Map<FrameNode, Set<string>>();
  for (const here of open) {
    if (room.left-- <= 0) return undefined;
    for (const { to, step } of here.node.ways) {
      if (to === undefined || !members.has(to)) continue;
      const moved = here.moved | bitOf(step.moves);
      const renewed = step.restarts.reduce((bits, ring) => bits | bitOf(ring), here.renewed);
      if (to === start && (moved & ~renewed) === 0) return traced(here);
      const marks = seen.get(to) ?? new Set();
      seen.set(to, marks);
      const mark = `${moved} ${renewed}`;
      if (marks.has(mark)) continue;
      marks.add(mark);
      open.push({ node: to, moved, renewed, before: here });
    }
  }
  return undefined;
}

/** Rings that share a bit make the search look longer, never wrong: a cycle found is looked at as a whole. */
function bitOf(ring: { readonly scope: number } | undefined): number {
  return ring === undefined ? 0 : 1 << (ring.scope % 30);
}

/** The sockets that were visited on the way. */
function traced(last: Reached): string[] {
  const sockets: string[] = [];
  for (let here: Reached | undefined = last; here !== undefined; here = here.before) {
    if (here.node.frame.isVisit) sockets.unshift(here.node.frame.at.id);
  }
  return sockets;
}

/** The cycle from its first socket in the file on, with that socket at both ends. */
function turned(cycle: readonly string[], order: ReadonlyMap<string, number>): string[] {
  const places = cycle.map((id) => order.get(id) ?? 0);
  const first = places.indexOf(Math.min(...places));
  return [...cycle.slice(first), ...cycle.slice(0, first), cycle[first] ?? ""];
}
