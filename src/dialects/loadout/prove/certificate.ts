/** A certificate says in sentences what bounds the cycles of a loadout. */

import type { Region } from "./explore.ts";
import type { Machine, Ring, Station } from "./machine.ts";

/** What bounds every cycle that a run can come to: a sentence for each cursor, bounded edge and guard. */
export function certificateOf(
  regions: readonly Region[],
  machine: Machine,
  cursors: ReadonlySet<Ring>,
): readonly string[] {
  const moves = [...cursors].map(
    ({ id, advancer }) => `The cursor of loop ${id} only moves on: ${advancer} advances it once per item.`,
  );
  const bounded = regions.flatMap(({ stations }) =>
    [...stations].flatMap((from) => boundsOf(from, stations)),
  );
  const isGuarded = regions.some(({ nodes }) =>
    nodes.some(({ frame }) => frame.scopes.some(({ cycles }) => cycles > 0)),
  );
  const guard = `limits.maxNoAdvanceCycles lets an item go in circles ${machine.guard} times, and then fails the run.`;
  return [...moves, ...bounded, ...(isGuarded ? [guard] : [])];
}

/** The bounded edges of a socket that stay in its region. */
function boundsOf({ id, tracks, ring }: Station, region: ReadonlySet<Station>): string[] {
  const per = ring === undefined ? "run" : "item";
  return tracks.flatMap(({ to, when, most }) =>
    to !== undefined && region.has(to) && most !== undefined
      ? [`The ${when} edge from ${id} to ${to.id} is passed at most ${most} times per ${per}.`]
      : [],
  );
}
