/**
 * A proof says of a loadout where every output leads, whether a run must end, and how many turns it can take.
 *
 * 1. A turn is one visit of a socket. A loop without items passes a socket by, which is no visit. Repairs stay within
 *    their visit: with `maxRepairs` r, agents are asked at most (1 + r) times as often as there are visits.
 * 2. `terminates` is said only when every cycle of frames is bounded, and a bound only then. What runs inside a graph
 *    socket counts as turns of its visit.
 * 3. A parallel loop is one turn for itself and those of its lanes, which run twice where their files may conflict.
 * 4. `limits.maxSteps` bounds nothing here: a run that it stopped can be resumed.
 */

import { type Termination, UNKNOWN_TERMINATION } from "../../termination.ts";
import type { Sketch } from "../check/sketch.ts";
import { certificateOf } from "./certificate.ts";
import { cyclesOf } from "./coarse.ts";
import { endlessCycles } from "./endless.ts";
import type { FrameNode, Region } from "./explore.ts";
import type { Formula } from "./formula.ts";
import * as formula from "./formula.ts";
import { type Field, fieldOf, type Lane } from "./lanes.ts";
import { type Machine, machineOf, type Ring, type Station } from "./machine.ts";
import { type SocketOutcomes, tableOf } from "./outcomes.ts";
import { type Terrain, worstOf } from "./worst.ts";

export interface Proof {
  readonly termination: Termination;
  /** The cycles that nothing bounds, and those that only the progress guard stops; shortest first. */
  readonly unbounded: readonly (readonly string[])[];
  readonly guardOnly: readonly (readonly string[])[];
  /** What bounds the cycles of a loadout that terminates, a sentence for each. */
  readonly certificate: readonly string[];
  /** For every socket that a run can come to: what it can say and where that leads. Empty when it was not explored. */
  readonly outcomes: readonly SocketOutcomes[];
}

const proofs: WeakMap<Sketch, Proof> = new WeakMap();

/** Proves what can be proven of a loadout, once. It may have faults; then ways to nowhere end the run. */
export function prove(sketch: Sketch): Proof {
  let proof = proofs.get(sketch);
  if (proof === undefined) {
    const isOnly = countRings(sketch, []) === 1;
    const nameOf = (path: readonly string[], ring: Ring) => (isOnly ? "items" : itemsName(path, ring));
    proof = proofOf(sketch, { path: [], nameOf });
    proofs.set(sketch, proof);
  }
  return proof;
}

interface Place {
  /** The loadouts that this one runs inside of, from the second on. */
  readonly path: readonly string[];
  readonly nameOf: (path: readonly string[], ring: Ring) => string;
}

function proofOf(sketch: Sketch, place: Place): Proof {
  const field = fieldOf(sketch);
  if (field === undefined) return coarseProof(sketch);
  const { machine } = field;
  const regions = [...field.regions, ...[...field.lanes.values()].flatMap((lane) => lane.regions)];
  const reached = new Set(regions.flatMap(({ nodes }) => nodes.map(({ frame }) => frame.at)));
  const inner = new Map([...reached].flatMap((station) => innerProof(station, sketch, place)));
  const survey = { field, inner, items: (ring: Ring) => formula.symbol(place.nameOf(place.path, ring)) };
  const explored = { guardOnly: guardCycles(regions), outcomes: tableOf(regions), certificate: [] };
  const within = [...inner].find(([, { termination }]) => termination.verdict === "may_not_terminate");
  if (within !== undefined) {
    const cycle = within[1].termination.cycle?.map((id) => `${within[0].id}/${id}`) ?? null;
    return { ...explored, unbounded: [], termination: { verdict: "may_not_terminate", bound: null, cycle } };
  }
  const strict = measureField(survey, false);
  const worst =
    strict.endless.length > 0 && machine.rings.some(isUnsteady) ? measureField(survey, true) : strict;
  if (worst.endless.length > 0) {
    const unbounded = cyclesAmong(worst.endless, machine);
    const cycle = unbounded[0] ?? null;
    return { ...explored, unbounded, termination: { verdict: "may_not_terminate", bound: null, cycle } };
  }
  const isOpen = [...inner.values()].some(({ termination }) => termination.verdict !== "terminates");
  if (strict.endless.length > 0 || isOpen)
    return { ...explored, unbounded: [], termination: UNKNOWN_TERMINATION };
  const isTold = [...inner.values()].every(({ termination }) => termination.bound !== null);
  const bound = isTold && formula.isExact(strict.bound) ? formula.print(strict.bound) : null;
  const termination: Termination = { verdict: "terminates", bound, cycle: null };
  return { ...explored, certificate: certificateOf(field, strict.cursors), unbounded: [], termination };
}

function isUnsteady({ isSteady }: Ring): boolean {
  return !isSteady;
}

/** What is known without counting, of a loadout with too many frames. */
function coarseProof(sketch: Sketch): Proof {
  const { unbounded, guardOnly, isCertain } = cyclesOf(sketch);
  const cycle = unbounded[0] ?? null;
  const verdict = cycle !== null ? "may_not_terminate" : isCertain ? "terminates" : "unknown";
  const found = { unbounded, guardOnly, certificate: [], outcomes: [] };
  return { ...found, termination: { verdict, bound: null, cycle } };
}

/** The proof of the loadout inside of a socket; one that runs inside itself has none. */
function innerProof(station: Station, sketch: Sketch, { path, nameOf }: Place): [Station, Proof][] {
  const { inner } = station;
  if (inner === undefined) return [];
  const isRecursive = inner.name === sketch.name || path.includes(inner.name);
  if (isRecursive) return [[station, { ...NOTHING, termination: UNKNOWN_TERMINATION }]];
  return [[station, proofOf(inner, { path: [...path, inner.name], nameOf })]];
}

const NOTHING = { unbounded: [], guardOnly: [], certificate: [], outcomes: [] };

function countRings(sketch: Sketch, path: readonly string[]): number {
  const { rings, stations } = machineOf(sketch);
  const inner = new Map(stations.flatMap((one) => (one.inner ? [[one.inner.name, one.inner] as const] : [])));
  const below = [...inner.values()].filter(({ name }) => name !== sketch.name && !path.includes(name));
  return below.reduce((sum, one) => sum + countRings(one, [...path, one.name]), rings.length);
}

/** `items(<loop>)`, or `items(<loadout>/<loop>)` for a loop of a loadout inside; marks of formulas are left out. */
function itemsName(path: readonly string[], { id }: Ring): string {
  return `items(${[...path, id].join("/").replaceAll(/[·+()]/g, "_")})`;
}

interface Survey {
  readonly field: Field;
  readonly inner: ReadonlyMap<Station, Proof>;
  readonly items: (ring: Ring) => Formula;
}

interface Measured {
  readonly bound: Formula;
  readonly endless: readonly (readonly FrameNode[])[];
  readonly cursors: ReadonlySet<Ring>;
}

/** The worst case of a loadout: of its lanes first, since the machine around them counts with it (3). */
function measureField({ field, inner, items }: Survey, trusts: boolean): Measured {
  const weights = new Map([...inner].map(([station, proof]) => [station, weightOf(proof)]));
  const lanes = [...field.lanes].map(([station, lane]): [Station, Lane, Measured] => {
    return [station, lane, measure(lane, { items, weights, trusts })];
  });
  for (const [station, { loop, times }, { bound }] of lanes) {
    const all = formula.times(formula.times(formula.constant(times), items(loop)), bound);
    weights.set(station, formula.plus(ONE, all));
  }
  const whole = measure(field, { items, weights, trusts });
  return { ...whole, endless: [...lanes.flatMap(([, , { endless }]) => endless), ...whole.endless] };
}

interface Scale {
  readonly items: (ring: Ring) => Formula;
  /** What a visit counts for that is more than one turn. */
  readonly weights: ReadonlyMap<Station, Formula>;
  readonly trusts: boolean;
}

/** The worst case of a whole machine, from its last region to its first. */
function measure({ regions, machine }: Explored, { items, weights, trusts }: Scale): Measured {
  const weigh = ({ frame: { at, isVisit } }: FrameNode) =>
    isVisit ? (weights.get(at) ?? ONE) : formula.ZERO;
  const terrain: Terrain = { items, trusts, weigh };
  const onward = new Map<Station, Formula>();
  const tail = ({ ways }: FrameNode): Formula => {
    let most = formula.ZERO;
    for (const { enters } of ways)
      if (enters !== undefined) most = formula.either(most, onward.get(enters) ?? formula.ZERO);
    return most;
  };
  const endless: (readonly FrameNode[])[] = [];
  const cursors = new Set<Ring>();
  for (const { nodes, entries } of regions.toReversed()) {
    const worst = worstOf(nodes, terrain, tail);
    for (const [station, node] of entries) onward.set(station, worst.from.get(node) ?? formula.ZERO);
    endless.push(...worst.endless);
    for (const ring of worst.cursors) cursors.add(ring);
  }
  const bound = (machine.entry && onward.get(machine.entry)) ?? formula.ZERO;
  return { bound, endless, cursors };
}

type Explored = Pick<Lane, "machine" | "regions">;

/** One turn, and those of the loadout inside (2). */
function weightOf({ termination: { bound } }: Proof): Formula {
  return formula.plus(ONE, (bound !== null && formula.parseFormula(bound)) || formula.ZERO);
}

const ONE = formula.constant(1);

/** The shortest endless cycles of several components; those over the same sockets are told once. */
function cyclesAmong(endless: readonly (readonly FrameNode[])[], { stations }: Machine): readonly string[][] {
  const cycles = endless.flatMap((component) => endlessCycles(component, stations));
  return distinct(cycles);
}

/** The cycles at which the progress guard would stop an item. */
function guardCycles(regions: readonly Region[]): readonly string[][] {
  const steps = regions.flatMap(({ nodes }) => nodes.flatMap(({ ways }) => ways.map(({ step }) => step)));
  return distinct(steps.flatMap(({ cycle }) => (cycle === undefined ? [] : [cycle.map(({ id }) => id)])));
}

function distinct(cycles: readonly string[][]): string[][] {
  const found = new Map<string, string[]>();
  for (const cycle of cycles.toSorted((a, b) => a.length - b.length)) {
    const key = JSON.stringify([...new Set(cycle)].sort());
    if (!found.has(key)) found.set(key, cycle);
  }
  return [...found.values()];
}
