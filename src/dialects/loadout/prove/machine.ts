/**
 * A machine is a loadout as far as control goes: what each socket can say, where that leads, and what it resets. The
 * prover runs it with every choice of outputs, so it does what `onward.ts` does and leaves out what does not steer.
 *
 * 1. It can be made of a loadout with faults: a way to nowhere ends the run.
 * 2. Where a socket may or may not write a list, the machine does both.
 */

import { field, type Sketch, type SketchedLoop, type SketchedSocket, sketchOf } from "../check/sketch.ts";
import { meets, type Outcome, outcomesOf } from "../check/ways.ts";
import { type Condition, END, WORK_ITEMS } from "../definition.ts";
import { assignmentsOf, parseOf, typeOf } from "../facts.ts";
import { implicitLoops } from "../implicit.ts";
import { innerParts } from "../parts.ts";
import { parseSource, parseTarget } from "../path.ts";

export interface Machine {
  readonly entry: Station | undefined;
  readonly stations: readonly Station[];
  readonly rings: readonly Ring[];
  /** How many cycles an item may close over edges without a bound. */
  readonly guard: number;
}

/** A socket. */
export interface Station {
  readonly id: string;
  /** The JSON pointer to it. */
  readonly at: string;
  readonly ring: Ring | undefined;
  readonly outcomes: readonly Outcome[];
  readonly tracks: readonly Track[];
  /** What moves the cursor of its ring. */
  readonly advances: Condition | undefined;
  /** The rings whose list it writes from outside, and those where it may or may not (2). */
  readonly restarts: readonly Ring[];
  readonly mayRestart: readonly Ring[];
  /** True when it writes the list of its own ring. */
  readonly writesOwn: boolean;
  /** The loadout that runs inside of it. */
  readonly inner: Sketch | undefined;
  /** How the last lane can end, where a visit is all the lanes of a parallel loop; see `lanes.ts`. */
  readonly ends?: readonly LaneEnd[];
}

/** How a lane comes to its end: the member that advanced, and what it said. */
export interface LaneEnd {
  readonly from: string;
  readonly said: Outcome;
}

/** An edge. */
export interface Track {
  readonly index: number;
  readonly when: Condition | undefined;
  /** Absent when it ends the run. */
  to: Station | undefined;
  readonly most: number | undefined;
}

/** A loop. */
export interface Ring {
  readonly id: string;
  /** Its place among the rings, from 1; the scope outside of all rings is 0. */
  readonly scope: number;
  readonly advancer: string | undefined;
  readonly exits: SketchedLoop["exits"];
  /** The top-level key of the state that holds its list. */
  readonly root: string;
  /** False when its own members write its list, or when the list cannot be told from another's. */
  readonly isSteady: boolean;
  /** True when its items are worked on in lanes. */
  readonly isParallel: boolean;
  /** True when it has one item and is over once that advances. */
  readonly isLane?: boolean;
}

interface RingSketch extends Omit<Ring, "isSteady" | "scope"> {
  readonly members: ReadonlySet<string>;
}

const machines: WeakMap<Sketch, Machine> = new WeakMap();

/** The machine of a sketch, made once. */
export function machineOf(sketch: Sketch): Machine {
  let machine = machines.get(sketch);
  if (machine === undefined) {
    machine = build(sketch);
    machines.set(sketch, machine);
  }
  return machine;
}

function build(sketch: Sketch): Machine {
  const sketched = ringsOf(sketch);
  const derived = new Set(["workItem", "workItemIndex", ...sketch.loops.flatMap(({ as }) => as ?? [])]);
  const rings = sketched.map(({ members, ...ring }, place): Ring => {
    const grows = [...members].some((id) => writes(sketch.sockets.get(id), ring.root) !== "no");
    return { ...ring, scope: place + 1, isSteady: !grows && !derived.has(ring.root) };
  });
  const stations = [...sketch.sockets.values()].map((socket): Station => {
    const home = sketched.findIndex(({ members }) => members.has(socket.id));
    const outside = rings.filter((_, place) => place !== home);
    const writing = (how: Writing) => outside.filter(({ root }) => writes(socket, root) === how);
    const own = rings[home];
    return {
      ...{ id: socket.id, at: socket.at, ring: own, outcomes: outcomesOf(socket) },
      tracks: socket.edges.map(({ when, most }, index) => ({ index, when, to: undefined, most })),
      advances: own && socket.advance && (socket.advance.when ?? "always"),
      ...{ restarts: writing("yes"), mayRestart: writing("maybe") },
      writesOwn: own !== undefined && writes(socket, own.root) !== "no",
      inner: innerOf(socket, sketch),
    };
  });
  const byId = new Map(stations.map((station) => [station.id, station]));
  for (const { id, tracks } of stations) link(tracks, sketch.sockets.get(id), byId);
  const entry = sketch.entry === undefined ? undefined : byId.get(sketch.entry);
  return { entry, stations, rings, guard: sketch.maxNoAdvanceCycles };
}

function link(
  tracks: readonly Track[],
  socket: SketchedSocket | undefined,
  byId: ReadonlyMap<string, Station>,
): void {
  for (const track of tracks) {
    const to = socket?.edges[track.index]?.to;
    track.to = to === undefined || to === END ? undefined : byId.get(to);
  }
}

function ringsOf(sketch: Sketch): RingSketch[] {
  const advances = (id: string) => sketch.sockets.get(id)?.advance !== undefined;
  const declared = sketch.loops.map((loop): RingSketch => {
    const members = loop.sockets.map(({ id }) => id);
    const advancer = members.find(advances);
    return {
      id: loop.id,
      advancer,
      exits: loop.exits,
      isParallel: loop.isParallel,
      root: rootOf(loop, sketch),
      members: new Set(members),
    };
  });
  const links = [...sketch.sockets.values()].flatMap(({ id, edges }) =>
    edges.flatMap(({ to }) => (to === undefined ? [] : [{ from: id, to }])),
  );
  const advancing = [...sketch.sockets.keys()].filter(advances);
  const taken = declared.flatMap(({ members }) => [...members]);
  const implicit = implicitLoops(links, advancing, taken).map((members): RingSketch => {
    const [advancer = ""] = members;
    const root = keyOf(sketch.sockets.get(advancer)?.advance?.items);
    return { id: advancer, advancer, exits: [], isParallel: false, root, members: new Set(members) };
  });
  return [...declared, ...implicit];
}

/** The top-level key of the state that holds the items of a loop. */
export function rootOf({ iterates, consumes, sockets }: SketchedLoop, sketch: Sketch): string {
  if (iterates !== undefined) return keyOf(iterates);
  if (consumes !== undefined) return keyOf(`state.${consumes.output ?? WORK_ITEMS}`);
  return keyOf(sockets.flatMap(({ id }) => sketch.sockets.get(id)?.advance?.items ?? [])[0]);
}

function keyOf(source: string | undefined): string {
  const path = parseSource(source ?? "");
  return (path?.root === "state" ? path.keys[0] : undefined) ?? WORK_ITEMS;
}

type Writing = "yes" | "no" | "maybe";

/** Says whether a socket writes a key of the state whenever it is visited. */
export function writes(socket: SketchedSocket | undefined, root: string): Writing {
  if (socket === undefined) return "no";
  const { materia } = socket;
  const assigned = Object.keys(assignmentsOf({ assign: Object.fromEntries(socket.assign) }, materia));
  if (assigned.some((target) => parseTarget(target)?.[0] === root)) return "yes";
  const patches = typeOf(materia) === "utility" && parseOf(socket, materia) === "json";
  return patches && root !== WORK_ITEMS ? "maybe" : "no";
}

/** The loadout inside of a socket that holds a graph. */
function innerOf({ materia }: SketchedSocket, { parts }: Sketch): Sketch | undefined {
  if (typeOf(materia) !== "graph" || materia?.loadout === undefined) return undefined;
  const { loadout } = materia;
  return field(parts.loadouts, loadout) === undefined ? undefined : sketchOf(innerParts(parts, loadout));
}

/** The exit of a ring that is asked from a member with what it said. */
export function exitOf(
  ring: Ring,
  from: string | undefined,
  said: Outcome,
): Ring["exits"][number] | undefined {
  const guarded = said === undefined ? undefined : said ? "satisfied" : "not_satisfied";
  const own = ring.exits.filter((exit) => exit.from === from && meets(exit.condition, said));
  return (
    own.find(({ condition }) => condition === guarded) ?? own.find(({ condition }) => condition === "always")
  );
}
