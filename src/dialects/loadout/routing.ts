/** Routing picks the edge that leaves a socket, and says of every edge before it why it was not the one. */

import type { Condition, Edge, LoopExit } from "./definition.ts";

/** An edge that was asked and not taken. */
export interface Tried {
  readonly edge: number;
  readonly when: Condition;
  readonly to: string;
  readonly why: string;
}

export type Routed =
  | { readonly kind: "edge"; readonly index: number; readonly edge: Edge; readonly tried: readonly Tried[] }
  /** The edge matches, but the item has passed it as often as it may. */
  | {
      readonly kind: "exhausted";
      readonly index: number;
      readonly edge: Edge;
      readonly tried: readonly Tried[];
    }
  /** There are no edges. */
  | { readonly kind: "end"; readonly tried: readonly Tried[] }
  | { readonly kind: "no_match"; readonly tried: readonly Tried[] };

/** The first edge that matches; `passes` says how often the item has passed an edge. */
export function route(
  edges: readonly Edge[],
  satisfied: boolean | undefined,
  passes: (index: number) => number,
): Routed {
  const tried: Tried[] = [];
  for (const [index, edge] of edges.entries()) {
    if (matches(edge.when, satisfied)) {
      const isSpent = edge.maxTraversals !== undefined && passes(index) >= edge.maxTraversals;
      return { kind: isSpent ? "exhausted" : "edge", index, edge, tried };
    }
    tried.push({ edge: index, when: edge.when, to: edge.to, why: unmet(edge.when, satisfied) });
  }
  return { kind: edges.length === 0 ? "end" : "no_match", tried };
}

/** An exit of a loop that was asked and not taken. */
export interface TriedExit {
  readonly exit: string;
  readonly when: Condition;
  readonly to: string;
  readonly why: string;
}

interface Asked {
  readonly from: string | undefined;
  readonly satisfied: boolean | undefined;
  readonly chosen: LoopExit | undefined;
}

/** The exits of a member that were not taken, each with the reason. */
export function exitsTried(
  { exits }: { readonly exits: readonly LoopExit[] },
  { from, satisfied, chosen }: Asked,
): TriedExit[] {
  return exits.flatMap((exit) => {
    if (exit.from !== from || exit === chosen) return [];
    const { id, condition, targetSocketId: to } = exit;
    const why = matches(condition, satisfied)
      ? `matches, but ${chosen?.condition} is asked before ${condition}`
      : unmet(condition, satisfied);
    return [{ exit: id, when: condition, to, why }];
  });
}

function unmet(when: Condition, satisfied: boolean | undefined): string {
  const said = satisfied === undefined ? "says neither" : `says satisfied: ${satisfied}`;
  return `wants ${when}; the output ${said}`;
}

/** Says whether an output meets a condition; only a boolean meets a guard. */
export function matches(when: Condition, satisfied: boolean | undefined): boolean {
  switch (when) {
    case "always":
      return true;
    case "satisfied":
      return satisfied === true;
    case "not_satisfied":
      return satisfied === false;
  }
}
