/**
 * The lanes of a parallel loop as the prover sees them: a lane is a small machine of its own that ends when its item
 * advances, and in the machine around it the whole loop is one visit of the socket by which it is entered.
 *
 * 1. A lane begins at that socket with fresh counters and one item, and nothing that it counts outlives it.
 * 2. The loop is left as its last lane was: by the exit of the member that advanced, with what that member said.
 * 3. Lanes that may write are run a second time at most, when their files conflict.
 */

import { field, type Sketch, type SketchedSocket } from "../check/sketch.ts";
import { typeOf } from "../facts.ts";
import { explore, type Region } from "./explore.ts";
import { type LaneEnd, type Machine, machineOf, type Ring, type Station } from "./machine.ts";

export interface Lane {
  readonly machine: Machine;
  readonly regions: readonly Region[];
  /** The loop, as a ring of the machine around the lane. */
  readonly loop: Ring;
  /** How often an item can be worked on (3). */
  readonly times: number;
}

/** Everything that a run can come to, with each parallel loop as one visit and its lanes beside it. */
export interface Field {
  readonly machine: Machine;
  readonly regions: readonly Region[];
  /** The lanes of the sockets by which parallel loops are entered. */
  readonly lanes: ReadonlyMap<Station, Lane>;
}

/** Explores a loadout; nothing when it has too many frames. */
export function fieldOf(sketch: Sketch): Field | undefined {
  const whole = machineOf(sketch);
  const lanes = new Map<string, Lane>();
  for (const station of enteredIn(whole)) {
    const lane = laneFrom(station, whole, sketch);
    if (lane === undefined) return undefined;
    lanes.set(station.id, lane);
  }
  const machine = lanes.size === 0 ? whole : folded(whole, lanes);
  const regions = explore(machine);
  if (regions === undefined) return undefined;
  const placed = machine.stations.flatMap((station): [Station, Lane][] => {
    const lane = lanes.get(station.id);
    return lane === undefined ? [] : [[station, lane]];
  });
  return { machine, regions, lanes: new Map(placed) };
}

/** The members of parallel loops that can be entered from outside of them. */
function enteredIn({ entry, stations, rings }: Machine): Station[] {
  const targets = new Set(rings.flatMap(({ exits }) => exits.map(({ target }) => target)));
  for (const { ring, tracks } of stations) {
    for (const { to } of tracks) if (to !== undefined && to.ring !== ring) targets.add(to.id);
  }
  return stations.filter((one) => one.ring?.isParallel && (one === entry || targets.has(one.id)));
}

function laneFrom(station: Station, whole: Machine, sketch: Sketch): Lane | undefined {
  const loop = station.ring as Ring; // only members of loops are entered
  const own: Ring = { ...loop, scope: 1, exits: [], isParallel: false, isLane: true };
  const members = whole.stations.filter(({ ring }) => ring === loop);
  const alone = { ring: own, restarts: [], mayRestart: [], writesOwn: false };
  const copies = relinked(members, (member) => ({ ...member, ...alone }));
  const machine: Machine = {
    ...{ entry: copies.get(station), stations: [...copies.values()], rings: [own], guard: whole.guard },
  };
  const regions = explore(machine);
  if (regions === undefined) return undefined;
  const times = members.some(({ id }) => mayWrite(sketch.sockets.get(id), sketch)) ? 2 : 1;
  return { machine, regions, loop, times };
}

/** The machine around the lanes. */
function folded(whole: Machine, lanes: ReadonlyMap<string, Lane>): Machine {
  const copies = relinked(whole.stations, (station) => {
    const { ring } = station;
    if (!ring?.isParallel) return station;
    const members = whole.stations.filter((one) => one.ring === ring);
    const written = members.flatMap(({ restarts, mayRestart }) => [...restarts, ...mayRestart]);
    return {
      ...{ ...station, tracks: [], restarts: [], mayRestart: [...new Set(written)] },
      writesOwn: members.some(({ writesOwn }) => writesOwn),
      ends: endsOf(lanes.get(station.id)),
    };
  });
  const entry = whole.entry && copies.get(whole.entry);
  return { ...whole, entry, stations: [...copies.values()] };
}

/** Copies of stations whose edges lead to copies; to the end where a target is not among them. */
function relinked(stations: readonly Station[], copy: (station: Station) => Station): Map<Station, Station> {
  const copies = new Map(
    stations.map((station) => {
      const made = copy(station);
      return [station, { ...made, tracks: made.tracks.map((track) => ({ ...track })) }] as const;
    }),
  );
  for (const { tracks } of copies.values()) {
    for (const track of tracks) track.to = track.to && copies.get(track.to);
  }
  return copies;
}

/** Every end that a lane can come to, once (2). */
function endsOf(lane: Lane | undefined): LaneEnd[] {
  const ends = new Map<string, LaneEnd>();
  for (const { frame, ways } of lane?.regions.flatMap(({ nodes }) => nodes) ?? []) {
    for (const { step } of ways) {
      if (step.isOver) ends.set(`${frame.at.id} ${step.said}`, { from: frame.at.id, said: step.said });
    }
  }
  return [...ends.values()];
}

/** Says whether a socket may change files, as far as its materia tells; `lane.ts` has the rule for running. */
function mayWrite(socket: SketchedSocket | undefined, sketch: Sketch): boolean {
  const { materia, materiaId = "" } = socket ?? {};
  switch (typeOf(materia)) {
    case "human":
      return false;
    case "agent": {
      const tools = field(field(sketch.parts.materia, materiaId), "tools");
      return tools !== "none" && tools !== "readOnly";
    }
    default:
      return true;
  }
}
