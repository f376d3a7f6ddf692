/**
 * A frame is what a run of a machine remembers between two sockets, as far as it can steer: passed edges, the trail of
 * the item, whether a loop has items. It mirrors `scope.ts`, without the cursor: how far a loop has come is not in it.
 */

import type { Machine, Station, Track } from "./machine.ts";

/** Whether the list of a loop has items; nobody knows before a member was entered. */
export type Filled = "unknown" | "yes" | "no";

export interface Scope {
  /** How often each edge of `counters` was passed. */
  readonly passes: readonly number[];
  readonly trail: readonly Station[];
  readonly cycles: number;
  readonly filled: Filled;
}

export interface Frame {
  readonly at: Station;
  /** False before it is known whether the loop of the socket has items. */
  readonly isVisit: boolean;
  /** How many loops without items were passed by in a row. */
  readonly skips: number;
  /** The scope outside of all rings, then one for each ring. */
  readonly scopes: readonly Scope[];
}

/** The bounded edges that are counted in each scope, in the order of `passes`. */
export type Counters = readonly (readonly Track[])[];

/** The counters of the edges that leave these sockets. */
export function countersIn(machine: Machine, stations: Iterable<Station>): Counters {
  const counters: Track[][] = [[], ...machine.rings.map(() => [])];
  for (const { ring, tracks } of stations) {
    for (const track of tracks) if (track.most !== undefined) counters[ring?.scope ?? 0]?.push(track);
  }
  return counters;
}

/** The scopes of a run that has counted nothing yet. */
export function freshScopes(counters: Counters): readonly Scope[] {
  return counters.map((tracks) => ({
    ...{ passes: tracks.map(() => 0), trail: [], cycles: 0, filled: "unknown" as const },
  }));
}

/** A scope begun anew. */
export function renewed({ passes, filled }: Scope, now: Filled = filled): Scope {
  return { passes: passes.map(() => 0), trail: [], cycles: 0, filled: now };
}

/** The scopes with one of them replaced. */
export function withScope(scopes: readonly Scope[], place: number, scope: Scope): readonly Scope[] {
  return scopes.with(place, scope);
}

/** A text that is the same for the same frame. */
export function keyOf({ at, isVisit, skips, scopes }: Frame): string {
  let key = `${at.id}\n${isVisit ? 1 : 0}${skips}`;
  for (const { passes, trail, cycles, filled } of scopes) {
    key += `|${filled[0]}${cycles};${passes.join()};`;
    for (const { id } of trail) key += `${id}\n`;
  }
  return key;
}
