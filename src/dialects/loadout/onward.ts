/** Onward is the end of a visit: the cursor moves, an edge or a loop's exit is chosen, and the next socket is entered. */

import { failure } from "../../base/failure.ts";
import type { Json, JsonObject } from "../../base/json.ts";
import type { Halt } from "../../kernel/event.ts";
import { type Chart, type Circuit, exitFor } from "./chart.ts";
import { type Edge, END } from "./definition.ts";
import { edgeName } from "./facts.ts";
import { capture, reasonOf } from "./rework.ts";
import { exitsTried, matches, type Routed, route, type Tried, type TriedExit } from "./routing.ts";
import { arrive, countersOf, laneOf, passesOf, passKey, reworkKey, trailOf } from "./scope.ts";
import type { Visit } from "./visit.ts";

/** Where a visit leads: to a socket, or to the end of the run, which a halt explains. */
export interface Left {
  readonly target?: string;
  readonly halt?: Halt;
}

/** What `advance` did: nothing, on to the next item, or past the last one. */
export type Moved = "stayed" | "moved" | "exhausted";

/** Moves the cursor of the socket's loop when the output says so. */
export function moveOn(visit: Visit, satisfied: boolean | undefined): Moved {
  const { loop, socket } = visit.place;
  if (loop === undefined || visit.item === undefined || socket.advance === undefined) return "stayed";
  if (!matches(socket.advance.when ?? "always", satisfied)) return "stayed";
  const isLane = laneOf(visit.scope(loop)) !== undefined;
  const list = visit.listOf(loop);
  const next = visit.item.index + 1;
  const count = isLane ? next : Array.isArray(list) ? list.length : 0;
  const isOver = next >= count;
  visit.resetScope(loop, isOver ? 0 : next);
  visit.note("advanced", { loop: loop.id, item: visit.item.key, left: Math.max(0, count - next) });
  return isOver ? "exhausted" : "moved";
}

export interface Leaving {
  readonly output: { readonly text: string; readonly json?: JsonObject };
  readonly satisfied: boolean | undefined;
  /** The scope of the item that was in work, before the cursor moved. */
  readonly before: JsonObject;
  readonly moved: Moved;
}

/** Chooses where to go; edges are not asked once the items are done. */
export function leave(chart: Chart, visit: Visit, leaving: Leaving): Left {
  const { place } = visit;
  if (leaving.moved === "exhausted" && place.loop !== undefined) {
    const { satisfied, before } = leaving;
    return leaveLoop(chart, visit, { loop: place.loop, satisfied, from: place.id, before });
  }
  const { satisfied, before } = leaving;
  const routed = route(place.edges, satisfied, (index) => passesOf(before, edgeName(place.id, index)));
  const counters = { satisfied: satisfied ?? null, counters: countersOf(before) };
  const told = (chosen: Json, enters?: string) =>
    noteRoute(chart, visit, { chosen, enters, tried: routed.tried, more: counters });
  switch (routed.kind) {
    case "end":
      told({ via: "end", why: "the socket has no edges", to: END });
      return {};
    case "no_match": {
      const message = `No edge of ${place.id} (${place.label}) matches what it said, so the run ends there.`;
      visit.warn("no_matching_edge", message);
      told({ via: "none", to: END });
      return { halt: { status: "completed", reason: "no_matching_edge", message } };
    }
    case "exhausted": {
      told({ via: "edge", edge: routed.index, to: routed.edge.to, exhausted: true });
      return { halt: exhausted(visit, routed) };
    }
    case "edge":
      return takeEdge(chart, visit, { routed, leaving, told });
  }
}

function exhausted(visit: Visit, { edge, index }: { readonly edge: Edge; readonly index: number }): Halt {
  const { id, label } = visit.place;
  const scope = visit.item === undefined ? "this run" : `${visit.item.key} (${visit.item.label})`;
  const message = `The ${edge.when} edge from ${id} (${label}) to ${edge.to} was passed ${edge.maxTraversals === 1 ? "once" : `${edge.maxTraversals} times`} for ${scope}, which is all that its maxTraversals allows.`;
  const detail = { socket: id, edge: index, to: edge.to, item: visit.item?.key ?? null };
  return { status: "failed", failure: failure("edge_exhausted", message, { at: id, detail }) };
}

interface Taking {
  readonly routed: Extract<Routed, { kind: "edge" }>;
  readonly leaving: Leaving;
  readonly told: (chosen: Json, enters?: string) => void;
}

function takeEdge(chart: Chart, visit: Visit, { routed: { edge, index }, leaving, told }: Taking): Left {
  const { place } = visit;
  if (leaving.moved !== "moved") {
    const name = edgeName(place.id, index);
    visit.changeScope(place.loop, { [passKey(name)]: passesOf(leaving.before, name) + 1 });
  }
  const chosen = { via: "edge", edge: index, when: edge.when, to: edge.to };
  if (edge.to === END) {
    told(chosen);
    return {};
  }
  const halt = enter(chart, visit, { target: edge.to, moved: leaving.moved, edge });
  if (edge.when === "not_satisfied") keepRework(chart, visit, edge, leaving);
  told(chosen, edge.to);
  return halt === undefined ? { target: edge.to } : { halt };
}

/** The exit table of a loop whose items are done, asked from a member with what it said. */
export function takeExit(
  chart: Chart,
  visit: Visit,
  loop: Circuit,
  satisfied: boolean | undefined,
  from: string | undefined = visit.place.id,
): Left {
  return leaveLoop(chart, visit, { loop, satisfied, from, before: {} });
}

interface LeavingLoop extends Pick<Leaving, "satisfied" | "before"> {
  readonly loop: Circuit;
  /** The member that the exit table is asked from. */
  readonly from: string | undefined;
}

function leaveLoop(chart: Chart, visit: Visit, { loop, satisfied, from, before }: LeavingLoop): Left {
  const exit = exitFor(loop, from, satisfied);
  const target = exit?.targetSocketId ?? END;
  const why = exit === undefined ? "no exit of the loop matches" : "the items of the loop are done";
  const chosen = { via: "exit", loop: loop.id, exit: exit?.id ?? null, to: target, why };
  const tried = exitsTried(loop, { from, satisfied, chosen: exit });
  const more = { satisfied: satisfied ?? null, counters: countersOf(before) };
  if (target === END) {
    noteRoute(chart, visit, { chosen, tried, more });
    return {};
  }
  const halt = enter(chart, visit, { target, moved: "exhausted" });
  noteRoute(chart, visit, { chosen, enters: target, tried, more });
  return halt === undefined ? { target } : { halt };
}

interface Entering {
  readonly target: string;
  readonly moved: Moved;
  readonly edge?: Edge;
}

/** Enters a socket for its item; says why the run fails when the item goes in circles. */
function enter(chart: Chart, visit: Visit, { target, moved, edge }: Entering): Halt | undefined {
  const loop = chart.places.get(target)?.loop;
  if (loop === undefined) return undefined;
  const { place } = visit;
  const isFirst = place.loop === loop && moved === "stayed" && trailOf(visit.scope(loop)).length === 0;
  if (isFirst) visit.changeScope(loop, { trail: [place.id] });
  const most = chart.limits.maxNoAdvanceCycles;
  const arrival = arrive(visit.scope(loop), target, { isBounded: edge?.maxTraversals !== undefined, most });
  if (arrival.ok) {
    visit.changeScope(loop, arrival.changes);
    return undefined;
  }
  const { key, label } = visit.itemOf(loop) ?? { key: "the loop", label: loop.id };
  const way = arrival.cycle.join(" → ");
  const message = `${key} (${label}) went in a circle ${arrival.cycles} times without advancing, more than the ${most} allowed: ${way}.`;
  const detail = { cycle: arrival.cycle, cycles: arrival.cycles, item: key };
  return { status: "failed", failure: failure("no_progress", message, { at: place.id, detail }) };
}

/** Keeps the reason of a return for the next prompt of its target; the next item does not get it. */
function keepRework(chart: Chart, visit: Visit, edge: Edge, { output, moved }: Leaving): void {
  const { place, item } = visit;
  const loop = chart.places.get(edge.to)?.loop;
  if (loop !== undefined && loop === place.loop && moved !== "stayed") return;
  const entry = {
    from: place.id,
    label: place.label,
    ...(item && { item: item.key }),
    condition: edge.when,
    reason: reasonOf(output),
  };
  const entries = capture(visit.scope(loop), edge.to, entry);
  visit.changeScope(loop, { [reworkKey(edge.to)]: entries as unknown as Json }); // entries are plain JSON
  visit.note("rework", { to: edge.to, reason: entry.reason, ...(item && { item: item.key }) });
}

interface Routing {
  readonly chosen: Json;
  /** The socket that is entered. */
  readonly enters?: string | undefined;
  readonly tried: readonly (Tried | TriedExit)[];
  readonly more: JsonObject;
}

function noteRoute(chart: Chart, visit: Visit, { chosen, enters, tried, more }: Routing): void {
  const loop = enters === undefined ? undefined : chart.places.get(enters)?.loop;
  const next = loop && visit.itemOf(loop);
  visit.note("routed", {
    chosen,
    tried: tried.map((one) => ({ ...one })),
    ...more,
    ...(visit.item && { item: visit.item.key }),
    ...(enters !== undefined && {
      enters: { socket: enters, ...(next && { item: next.key, title: next.label }) },
    }),
  });
}
