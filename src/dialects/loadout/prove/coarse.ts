/**
 * Coarse cycles are found without counting, for loadouts that have too many states to explore.
 *
 * 1. A loop is steady when, while it is on the way, its list stays and its cursor only moves on. Within a steady loop
 *    an advance, a `maxTraversals` of a member and the progress guard bound what passes them.
 * 2. Outside of loops only `maxTraversals` of a socket outside of loops bounds anything. Such an edge is passed so
 *    often and never again, so a run that goes on for ever ends up in the loadout without these edges: that is where
 *    regions and cycles are looked for.
 * 3. A cycle that none of these bounds can run for ever as far as can be told. What cannot be told is `unknown`;
 *    `terminates` is only said of loadouts in which every cycle is bounded.
 */

import type { Sketch, SketchedLoop } from "../check/sketch.ts";
import { type Way, wayBack, ways } from "../check/ways.ts";
import { typeOf } from "../facts.ts";
import { rootOf, writes } from "./machine.ts";

export interface Cycles {
  /** The shortest cycle through each socket that nothing bounds; a cycle is told once. */
  readonly unbounded: readonly (readonly string[])[];
  /** Cycles within an item that only the progress guard stops. */
  readonly guardOnly: readonly (readonly string[])[];
  /** False when a member writes the list of its own loop, or another loadout runs inside: their ends are unknown. */
  readonly isCertain: boolean;
}

export function cyclesOf(sketch: Sketch): Cycles {
  const loopOf = new Map(sketch.loops.flatMap((loop) => loop.sockets.map(({ id }) => [id, loop] as const)));
  const leaving = lasting(ways(sketch), (id) => loopOf.has(id));
  const region = components(sketch, leaving);
  const steady = new Set(sketch.loops.filter((loop) => isSteady(loop, { sketch, leaving, region })));
  const isGuarded = (id: string): boolean => steady.has(loopOf.get(id) as SketchedLoop);
  const isFree = (from: string, { kind }: Way): boolean =>
    !isGuarded(from) || kind === "free" || kind === "exit";
  const next = (id: string) => (leaving.get(id) ?? []).filter((way) => isFree(id, way)).map(({ to }) => to);
  const unbounded = distinct(sketch, (id) => (isGuarded(id) ? [] : next(id).filter((to) => !isGuarded(to))));
  const guardOnly = distinct(sketch, next).filter((cycle) => cycle.some(isGuarded));
  const grown = sketch.loops.some((loop) =>
    loop.sockets.some(({ id }) => writes(sketch.sockets.get(id), rootOf(loop, sketch)) !== "no"),
  );
  const inner = [...sketch.sockets.values()].some(({ materia }) => typeOf(materia) === "graph");
  return { unbounded, guardOnly, isCertain: !grown && !inner };
}

/** The ways that can be gone again and again (2). */
function lasting(
  leaving: ReadonlyMap<string, readonly Way[]>,
  isMember: (id: string) => boolean,
): Map<string, readonly Way[]> {
  const stays = (from: string, { kind }: Way) => kind !== "bounded" || isMember(from);
  return new Map([...leaving].map(([from, out]) => [from, out.filter((way) => stays(from, way))]));
}

/** The shortest cycle through each socket, those over the same sockets told once. */
function distinct({ sockets }: Sketch, next: (id: string) => readonly string[]): (readonly string[])[] {
  const found = new Map<string, readonly string[]>();
  for (const id of sockets.keys()) {
    const cycle = wayBack(id, next);
    if (cycle === undefined) continue;
    const key = JSON.stringify([...new Set(cycle)].sort());
    if (!found.has(key)) found.set(key, cycle);
  }
  return [...found.values()];
}

interface Around {
  readonly sketch: Sketch;
  readonly leaving: ReadonlyMap<string, readonly Way[]>;
  /** For every socket the sockets from which and to which it can be reached. */
  readonly region: ReadonlyMap<string, ReadonlySet<string>>;
}

/** Within the region of a steady loop nobody outside writes its list, and no exit leads back into it (1). */
function isSteady(loop: SketchedLoop, { sketch, leaving, region }: Around): boolean {
  const members = new Set(loop.sockets.map(({ id }) => id));
  const root = rootOf(loop, sketch);
  for (const member of members) {
    const around = region.get(member) ?? new Set();
    for (const id of around) {
      if (!members.has(id) && writes(sketch.sockets.get(id), root) !== "no") return false;
    }
    const exits = (leaving.get(member) ?? []).filter(({ kind }) => kind === "exit");
    if (exits.some(({ to }) => around.has(to))) return false;
  }
  return true;
}

/** The strongly connected region of every socket, by reachability both ways. */
function components(
  { sockets }: Sketch,
  leaving: ReadonlyMap<string, readonly Way[]>,
): Map<string, ReadonlySet<string>> {
  const reached = new Map([...sockets.keys()].map((id) => [id, reach(id, leaving)]));
  return new Map(
    [...reached].map(([id, forth]) => [id, new Set([...forth].filter((to) => reached.get(to)?.has(id)))]),
  );
}

function reach(start: string, leaving: ReadonlyMap<string, readonly Way[]>): Set<string> {
  const found = new Set<string>();
  const open = [start];
  for (const here of open) {
    for (const { to } of leaving.get(here) ?? []) {
      if (found.has(to)) continue;
      found.add(to);
      open.push(to);
    }
  }
  return found;
}
