/**
 * Exploring a machine gives every frame that a run of it can come to, region by region.
 *
 * 1. A region is a strongly connected part of the drawing. A run that has left one never comes back, so its counters
 *    are forgotten there, and entering one begins with fresh scopes, which allow at least as much.
 * 2. Only so many frames are looked at; beyond that nothing is said.
 */

import { components } from "./components.ts";
import { type Counters, countersIn, type Frame, freshScopes, keyOf, type Scope, withScope } from "./frame.ts";
import type { Machine, Station } from "./machine.ts";
import { type Step, stepsFrom } from "./steps.ts";

/** The most frames of a loadout that are explored. */
const MOST_FRAMES = 6_000;

export interface FrameNode {
  readonly frame: Frame;
  readonly ways: Way[];
}

/** A step with where it leads: to a frame of the same region, to the entry of another, or to the end. */
export interface Way {
  readonly step: Step;
  readonly to: FrameNode | undefined;
  readonly enters: Station | undefined;
}

export interface Region {
  readonly stations: ReadonlySet<Station>;
  readonly nodes: FrameNode[];
  /** The node in which a run begins that enters the region at a socket. */
  readonly entries: Map<Station, FrameNode>;
}

/** The regions that a run can come to, in the order in which it can; nothing when there are too many frames (2). */
export function explore(machine: Machine): readonly Region[] | undefined {
  if (machine.entry === undefined) return [];
  const drawn = components(machine.stations, (station) => successors(machine, station));
  const regions = drawn.reverse().map((stations): Region => {
    return { stations: new Set(stations), nodes: [], entries: new Map() };
  });
  const home = new Map(
    regions.flatMap((region) => [...region.stations].map((one) => [one, region] as const)),
  );
  const wanted = new Map<Region, Set<Station>>();
  const want = (station: Station) => {
    const region = home.get(station) as Region; // every station stands in a region
    const entries = wanted.get(region);
    if (entries === undefined) wanted.set(region, new Set([station]));
    else entries.add(station);
  };
  want(machine.entry);
  let room = MOST_FRAMES;
  for (const region of regions) {
    if (!fill(region, { machine, wanted: wanted.get(region) ?? new Set(), want, room })) return undefined;
    room -= region.nodes.length;
  }
  return regions.filter(({ nodes }) => nodes.length > 0);
}

/** Where a socket can lead, whatever was counted before. */
function successors(machine: Machine, { tracks, ring }: Station): Station[] {
  const exits = (ring?.exits ?? []).map(({ target }) => machine.stations.find(({ id }) => id === target));
  return [...tracks.map(({ to }) => to), ...exits].filter((to) => to !== undefined);
}

interface Filling {
  readonly machine: Machine;
  readonly wanted: ReadonlySet<Station>;
  readonly want: (station: Station) => void;
  readonly room: number;
}

function fill(region: Region, { machine, wanted, want, room }: Filling): boolean {
  const { stations, nodes, entries } = region;
  const counters: Counters = countersIn(machine, stations);
  const known = new Map<string, FrameNode>();
  const nodeOf = (frame: Frame): FrameNode => {
    const key = keyOf(frame);
    let node = known.get(key);
    if (node === undefined) {
      node = { frame, ways: [] };
      known.set(key, node);
      nodes.push(node);
    }
    return node;
  };
  for (const at of wanted) entries.set(at, nodeOf(entryFrame(at, machine, counters)));
  for (const node of nodes) {
    if (nodes.length > room) return false;
    for (const step of stepsFrom(node.frame, { machine, counters })) {
      const { to } = step;
      const stays = to !== undefined && stations.has(to.at);
      if (to !== undefined && !stays) want(to.at);
      node.ways.push({ step, to: stays ? nodeOf(to) : undefined, enters: stays ? undefined : to?.at });
    }
  }
  return true;
}

/** The frame of a run that enters a region. What is entered is on the trail, save where the run begins. */
function entryFrame(at: Station, { entry }: Machine, counters: Counters): Frame {
  const scopes = freshScopes(counters);
  const place = at.ring?.scope ?? 0;
  const trail = at === entry || at.ring === undefined ? [] : [at];
  const isLane = at.ring?.isLane === true;
  const entered = withScope(scopes, place, {
    ...{ ...(scopes[place] as Scope), trail },
    ...(isLane && { filled: "yes" as const }),
  });
  return { at, isVisit: isLane || at.ring === undefined, skips: 0, scopes: entered };
}
