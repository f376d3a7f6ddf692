/**
 * The worst case of a region: the most visits of any walk through it, or a cycle that can be gone for ever.
 *
 * 1. A cycle of frames is bounded when it moves the cursor of a steady loop that nothing in the same component begins
 *    anew: the cursor moves at most once less often than there are items.
 * 2. Without these moves the component falls apart, and what is left of it is looked at in the same way.
 * 3. A component without such a loop holds a cycle that nothing bounds.
 */

import { components } from "./components.ts";
import type { FrameNode, Way } from "./explore.ts";
import type { Formula } from "./formula.ts";
import * as formula from "./formula.ts";
import type { Ring } from "./machine.ts";

export interface Terrain {
  /** What a visit counts for. */
  weigh(node: FrameNode): Formula;
  /** The number of items of a ring. */
  items(ring: Ring): Formula;
  /** Whether moves of the cursors of unsteady rings count as bounded, too. */
  readonly trusts: boolean;
}

export interface Worst {
  /** The most visits from each node on, as long as the walk stays among the nodes. */
  readonly from: ReadonlyMap<FrameNode, Formula>;
  /** Components in which a walk can go on for ever. */
  readonly endless: readonly (readonly FrameNode[])[];
  /** The rings whose cursors bound a cycle. */
  readonly cursors: ReadonlySet<Ring>;
}

type Alive = (way: Way) => boolean;

/** The worst case among these nodes; `tail` is what a walk can add after it has left them. */
export function worstOf(
  nodes: readonly FrameNode[],
  terrain: Terrain,
  tail: (node: FrameNode) => Formula = () => formula.ZERO,
): Worst {
  const found: Found = { endless: [], cursors: new Set() };
  const from = measure(nodes, { terrain, found, tail, alive: () => true });
  return { from, ...found };
}

interface Found {
  readonly endless: (readonly FrameNode[])[];
  readonly cursors: Set<Ring>;
}

interface Measuring {
  readonly terrain: Terrain;
  readonly found: Found;
  readonly tail: (node: FrameNode) => Formula;
  readonly alive: Alive;
}

function measure(nodes: readonly FrameNode[], measuring: Measuring): Map<FrameNode, Formula> {
  const { alive, tail } = measuring;
  const next = targetsAmong(nodes, alive);
  const from = new Map<FrameNode, Formula>();
  for (const component of components(nodes, (node) => next.get(node) ?? NOWHERE)) {
    let after = formula.ZERO;
    for (const node of component) {
      after = formula.either(after, tail(node));
      // Those of the component itself are not measured yet, all others are.
      for (const to of next.get(node) ?? NOWHERE) after = formula.either(after, from.get(to) ?? after);
    }
    const total = formula.plus(costOf(component, next, measuring), after);
    for (const node of component) from.set(node, total);
  }
  return from;
}

const NOWHERE: readonly FrameNode[] = [];
type Targets = ReadonlyMap<FrameNode, readonly FrameNode[]>;

function targetsAmong(nodes: readonly FrameNode[], alive: Alive): Targets {
  const targets = new Map<FrameNode, FrameNode[]>(nodes.map((node) => [node, []]));
  for (const [node, out] of targets) {
    for (const way of node.ways)
      if (way.to !== undefined && targets.has(way.to) && alive(way)) out.push(way.to);
  }
  return targets;
}

/** The most visits of a walk that stays in a component. */
function costOf(component: readonly FrameNode[], next: Targets, measuring: Measuring): Formula {
  const { terrain, found, alive } = measuring;
  const [first] = component;
  if (first === undefined) return formula.ZERO;
  if (component.length === 1 && !next.get(first)?.includes(first)) return terrain.weigh(first);
  const rings = boundingRings(component, measuring);
  if (rings.size === 0) {
    found.endless.push(component);
    return formula.ZERO;
  }
  for (const ring of rings) found.cursors.add(ring);
  const calm: Alive = (way) => alive(way) && !(way.step.moves !== undefined && rings.has(way.step.moves));
  const inner = measure(component, { terrain, found, tail: () => formula.ZERO, alive: calm });
  const longest = [...inner.values()].reduce(formula.either, formula.ZERO);
  return formula.times(rounds(component, rings, terrain), longest);
}

/** The rings whose cursor only moves on within a component (1). */
function boundingRings(component: readonly FrameNode[], { terrain, alive }: Measuring): Set<Ring> {
  const members = new Set(component);
  const rings = new Set<Ring>();
  const restarted = new Set<Ring>();
  for (const { ways } of component) {
    for (const way of ways) {
      if (way.to === undefined || !members.has(way.to) || !alive(way)) continue;
      const { moves, restarts } = way.step;
      if (moves !== undefined && (moves.isSteady || terrain.trusts)) rings.add(moves);
      for (const ring of restarts) restarted.add(ring);
    }
  }
  return new Set([...rings].filter((ring) => !restarted.has(ring)));
}

/** In how many pieces the moves of these rings cut a walk: one more than there are moves. */
function rounds(component: readonly FrameNode[], rings: ReadonlySet<Ring>, terrain: Terrain): Formula {
  const visits = component.filter(({ frame }) => frame.isVisit);
  const isFilled = ({ scope }: Ring) => visits.every(({ frame }) => frame.scopes[scope]?.filled === "yes");
  const all = [...rings].map((ring) => terrain.items(ring)).reduce(formula.plus, formula.ZERO);
  return [...rings].some(isFilled) ? all : formula.plus(formula.constant(1), all);
}
