/** A certificate says in sentences what bounds the cycles of a loadout. */

import type { Field, Lane } from "./lanes.ts";
import type { Ring, Station } from "./machine.ts";

/** What bounds every cycle that a run can come to: a sentence for each cursor, loop of lanes, bounded edge and guard. */
export function certificateOf(
  { machine, regions, lanes }: Field,
  cursors: ReadonlySet<Ring>,
): readonly string[] {
  const moves = [...cursors].map(
    ({ id, advancer }) => `The cursor of loop ${id} only moves on: ${advancer} advances it once per item.`,
  );
  const apart = new Map([...lanes.values()].map((lane) => [lane.loop, sentenceOf(lane)]));
  const explored = [...regions, ...[...lanes.values()].flatMap((lane) => lane.regions)];
  const bounded = explored.flatMap(({ stations }) =>
    [...stations].flatMap((from) => boundsOf(from, stations)),
  );
  const isGuarded = explored.some(({ nodes }) =>
    nodes.some(({ frame }) => frame.scopes.some(({ cycles }) => cycles > 0)),
  );
  const guard = `limits.maxNoAdvanceCycles lets an item go in circles ${machine.guard} times, and then fails the run.`;
  return [...new Set([...moves, ...apart.values(), ...bounded, ...(isGuarded ? [guard] : [])])];
}

function sentenceOf({ loop, times }: Lane): string {
  const again = times === 1 ? "" : ", and in it once more when its files conflict";
  return `Loop ${loop.id} works on each of its items in one lane${again}.`;
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
