/** A lane is one item of a parallel loop as a loadout of its own: the sockets of the loop, and an end when it advances. */

import type { JsonObject } from "../../../base/json.ts";
import type { Write } from "../../../kernel/event.ts";
import { CONTEXT, REQUEST, STATE, scopeOf } from "../channels.ts";
import type { Chart, Circuit } from "../chart.ts";
import type { LoadoutDefinition, Materia } from "../definition.ts";
import { typeOf } from "../facts.ts";
import { innerLoadout } from "../read.ts";
import { laneScope, type Rework, reworkFromAround, reworkKey, reworkWrites } from "../scope.ts";
import type { Item, Visit } from "../visit.ts";

/** The loadout that every lane of a loop runs. Its budget is that of the whole run, which it is not told. */
export function laneDefinition(
  { definition }: Chart,
  { id, members }: Circuit,
  entry: string,
): LoadoutDefinition {
  const { layout: _, budget: __, ...rest } = definition;
  const sockets = Object.entries(definition.sockets).filter(([socket]) => members.has(socket));
  const { parallel: ___, ...loop } = definition.loops?.[id] ?? { sockets: [...members] };
  return {
    ...rest,
    ...{ name: `${definition.name}/${id}`, entry },
    sockets: Object.fromEntries(sockets),
    loops: { [id]: { ...loop, exits: [] } },
  };
}

/** The parallel loops of a loadout whose lanes may change files, and so need worktrees. */
export function writingLoops(chart: Chart): readonly string[] {
  return chart.loops.flatMap((loop) => {
    const [entry] = loop.members;
    const isWriting = loop.parallel && entry !== undefined && mayWrite(laneDefinition(chart, loop, entry));
    return isWriting ? [loop.id] : [];
  });
}

/** Says whether the agents or programs of a loadout may change files. */
export function mayWrite(definition: LoadoutDefinition): boolean {
  return Object.values(definition.sockets).some(({ materia }) => {
    const held = definition.materia[materia];
    return held !== undefined && materiaMayWrite(held, definition);
  });
}

/** Says whether a materia may change files, or whatever runs inside it may. */
export function materiaMayWrite(materia: Materia, definition: LoadoutDefinition): boolean {
  switch (typeOf(materia)) {
    case "agent":
      return materia.tools === "coding" || typeof materia.tools === "object";
    case "utility":
      return true;
    case "human":
      return false;
    case "graph":
      return mayWrite(innerLoadout(definition, materia));
  }
}

/** The state that lanes begin with: that of the run without the list, which every lane would have to keep. */
export function laneState(visit: Visit, { items }: Circuit): JsonObject {
  const { [items[0] ?? ""]: list, ...state } = visit.readObject(STATE);
  return items.length === 1 || list === undefined ? state : { ...state, [items[0] ?? ""]: list };
}

/** What a lane begins with. */
export function laneWrites(
  visit: Visit,
  loop: Circuit,
  { item, rework, entry, isFirst }: LaneStart,
): Write[] {
  const { index, value, count } = item;
  const open = rework.length === 0 ? {} : { [reworkKey(entry)]: rework.map((one) => ({ ...one })) };
  const around = isFirst ? reworkFromAround(visit.scope(undefined)) : [];
  return [
    { channel: REQUEST, value: visit.read(REQUEST) ?? "" },
    { channel: STATE, value: laneState(visit, loop) },
    { channel: CONTEXT, value: visit.read(CONTEXT) ?? [] },
    { channel: scopeOf(loop.id), value: { ...laneScope(index, { value, count }), ...open } },
    ...reworkWrites(scopeOf(undefined), around),
  ];
}

export interface LaneStart {
  readonly item: Item;
  readonly entry: string;
  /** Why the item comes back; empty when it does not. */
  readonly rework: readonly Rework[];
  /** Whether it is told what the run around this one was told. */
  readonly isFirst: boolean;
}
