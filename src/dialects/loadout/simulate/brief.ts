/** A brief is what somebody has to know who speaks in place of a socket's materia: the contract, and what its fields feed. */

import type { Json, JsonObject } from "../../../base/json.ts";
import { type Chart, chartOf, type Place } from "../chart.ts";
import { type LoadoutDefinition, WORK_ITEMS } from "../definition.ts";
import { typeOf } from "../facts.ts";
import type { Contract } from "../handoff.ts";
import { parseSource, parseTarget, writePath } from "../path.ts";
import { innerLoadout } from "../read.ts";

export interface Brief {
  readonly contract: Contract;
  /** The fields of the output, as paths, that become the list of a loop. */
  readonly lists: readonly (readonly string[])[];
  /** Where the state is read from and nothing in the loadout writes to: a utility is taken to give it. */
  readonly gives: readonly Given[];
  /** True for a member of a parallel loop. */
  readonly isInLane: boolean;
}

interface Given {
  readonly keys: readonly string[];
  readonly isList: boolean;
}

/** Finds the brief of a socket by its id and its materia, which tells apart the sockets of inner loadouts. */
export type Briefs = (socket: string, materia: string | undefined) => Brief | undefined;

export function briefsOf(definition: LoadoutDefinition): Briefs {
  const found = new Map<string, Brief>();
  collect(definition, found, new Set());
  return (socket, materia) => found.get(keyOf(socket, materia ?? ""));
}

function collect(
  definition: LoadoutDefinition,
  found: Map<string, Brief>,
  seen: Set<LoadoutDefinition>,
): void {
  if (seen.has(definition)) return;
  seen.add(definition);
  const chart = chartOf(definition);
  const gives = givenBy(chart);
  for (const place of chart.places.values()) {
    const key = keyOf(place.id, place.role);
    if (!found.has(key)) found.set(key, briefOf(chart, place, gives));
    if (typeOf(place.materia) === "graph") collect(innerLoadout(definition, place.materia), found, seen);
  }
}

function keyOf(socket: string, materia: string): string {
  return JSON.stringify([socket, materia]);
}

function briefOf(chart: Chart, { contract, assignments, loop }: Place, gives: readonly Given[]): Brief {
  const roots = listRoots(chart);
  const lists = Object.entries(assignments).flatMap(([target, source]) => {
    const path = parseSource(source);
    const feeds = path?.root === "$" && roots.has(parseTarget(target)?.[0] ?? "");
    return feeds ? [path.keys] : [];
  });
  const isInLane = loop?.parallel !== undefined;
  return { contract, lists, isInLane, gives: contract.author === "utility" ? gives : [] };
}

/** The top-level keys of the state where loops have their items. */
function listRoots({ loops }: Chart): ReadonlySet<string> {
  return new Set(loops.map(({ items }) => items[0] ?? WORK_ITEMS));
}

function givenBy(chart: Chart): Given[] {
  const places = [...chart.places.values()];
  const written = new Set(
    places.flatMap(({ assignments }) => Object.keys(assignments)).map((target) => parseTarget(target)?.[0]),
  );
  const read = places
    .flatMap(({ assignments }) => Object.values(assignments))
    .flatMap((source) => parseSource(source) ?? [])
    .flatMap(({ root, keys }) => (root === "state" ? [{ keys, isList: false }] : []));
  const iterated = chart.loops.map(({ items }) => ({ keys: items, isList: true }));
  const derived = ["workItem", "workItemIndex", WORK_ITEMS, ...chart.loops.flatMap(({ as }) => as ?? [])];
  return [...read, ...iterated].filter(({ keys: [key] }) => {
    return key !== undefined && !written.has(key) && !derived.includes(key);
  });
}

/**
 * The loadout with its parallel loops made ordinary ones: a simulation follows one item after the other, and each goes
 * the way that it would go in a lane.
 */
export function inOrder(definition: LoadoutDefinition): LoadoutDefinition {
  const { loops = {}, loadouts = {} } = definition;
  const ordered = Object.entries(loops).map(([id, { parallel: _, ...loop }]) => [id, loop] as const);
  const inner = Object.entries(loadouts).map(([name, loadout]) => {
    return [name, inOrder(loadout as LoadoutDefinition)] as const; // reading made it complete
  });
  return { ...definition, loops: Object.fromEntries(ordered), loadouts: Object.fromEntries(inner) };
}

/** What an output says, as far as it matters to where the run goes. */
export interface Saying {
  readonly satisfied: boolean | undefined;
  /** How many items a list has. */
  readonly items: number;
}

/** The plainest thing that an actor can say: that it is as it should be where that is asked, and one item. */
export const PLAIN: Saying = { satisfied: undefined, items: 1 };

/** An output that keeps the contract: a text, or an object with the fields that the socket needs. */
export function outputOf(brief: Brief, { satisfied, items }: Saying): Json {
  const { contract, lists, gives } = brief;
  if (contract.parse === "text") return "Done.";
  let output: JsonObject = {
    ...(contract.workItems === "required" && { [WORK_ITEMS]: workItems(items) }),
    ...((contract.satisfied === "required" || satisfied !== undefined) && { satisfied: satisfied ?? true }),
  };
  for (const keys of contract.reads) {
    if (keys.length === 1 && Object.hasOwn(output, keys[0] ?? "")) continue;
    const isList = lists.some((list) => list.join(".") === keys.join("."));
    output = writePath(output, keys, valueFor(keys, isList, items));
  }
  const state = gives.reduce<JsonObject>(
    (patch, { keys, isList }) => writePath(patch, keys, isList ? workItems(items) : "given"),
    {},
  );
  return Object.keys(state).length > 0 ? { ...output, state } : output;
}

function valueFor(keys: readonly string[], isList: boolean, items: number): Json {
  if (isList || keys[0] === WORK_ITEMS) return workItems(items);
  return keys[0] === "satisfied" ? true : "said";
}

function workItems(count: number): Json[] {
  return Array.from({ length: count }, (_, index) => ({ title: `Item ${index + 1}`, context: "Do it." }));
}
