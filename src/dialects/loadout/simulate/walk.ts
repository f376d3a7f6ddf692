/**
 * A walk is the way that one run went: its visits in order, what it took, and how it ended. It is folded from the log.
 *
 * A loop that is entered again works on other items, whatever their keys: each pass of a loop has items of its own.
 */

import { isJsonObject, type Json, type JsonObject } from "../../../base/json.ts";
import type { TaskId } from "../../../base/names.ts";
import type { Event } from "../../../kernel/event.ts";
import type { RunState } from "../../../kernel/state.ts";
import type { Chart, Circuit } from "../chart.ts";
import { edgeName } from "../facts.ts";
import { parseTarget } from "../path.ts";

export interface WalkVisit {
  readonly socket: string;
  /** `WI-1` and so on. */
  readonly item?: string;
  /** Tells the items of one pass of a loop from those of another; absent where there is no item. */
  readonly itemId?: string;
}

export type WalkEnd =
  | { readonly kind: "completed"; readonly reason?: string }
  | { readonly kind: "failed"; readonly code: string; readonly message: string }
  | { readonly kind: "paused"; readonly reason: string }
  /** A person has not answered. */
  | { readonly kind: "waiting" }
  /** The simulation cut it short. */
  | { readonly kind: "unfinished" };

export interface Walk {
  readonly visits: readonly WalkVisit[];
  /** `Socket-1`, or `Socket-4@WI-1` for one at work on an item. */
  readonly path: readonly string[];
  readonly end: WalkEnd;
}

export class Walker {
  readonly #chart: Chart;
  readonly #visits: Map<TaskId, WalkVisit> = new Map();
  readonly #passes: Map<string, number> = new Map();
  /** The edges that were passed, by `socket/index`, and the exits, by `loop/id`. */
  readonly taken: Set<string> = new Set();

  constructor(chart: Chart) {
    this.#chart = chart;
  }

  evolve(event: Event): void {
    if (event.type !== "task.noted" || !isJsonObject(event.data)) return;
    const row = Object.hasOwn(NOTES, event.kind) ? NOTES[event.kind] : undefined;
    row?.call(this, event.data, event.task);
  }

  /** The walk of a run that has stopped. */
  walk(state: RunState, isCut: boolean): Walk {
    const visits = [...this.#visits.values()];
    const path = visits.map(({ socket, item }) => (item === undefined ? socket : `${socket}@${item}`));
    return { visits, path, end: endOf(state, isCut) };
  }

  entered({ socket, item }: JsonObject, task: TaskId): void {
    const visit = { socket: String(socket) };
    const loop = this.#chart.places.get(visit.socket)?.loop;
    if (typeof item !== "string" || loop === undefined) this.#visits.set(task, visit);
    else this.#visits.set(task, { ...visit, item, itemId: `${loop.id}/${this.#passOf(loop)}/${item}` });
  }

  skipped(_: JsonObject, task: TaskId): void {
    this.#visits.delete(task);
  }

  advanced({ loop, left }: JsonObject): void {
    const circuit = this.#chart.loops.find(({ id }) => id === loop);
    if (circuit !== undefined && left === 0) this.#pass(circuit);
  }

  wrote(socket: Json | undefined, keys: readonly (string | undefined)[]): void {
    for (const loop of this.#chart.loops) {
      if (!loop.members.has(String(socket)) && keys.includes(loop.items[0])) this.#pass(loop);
    }
  }

  routed({ socket, chosen }: JsonObject): void {
    if (!isJsonObject(chosen)) return;
    const { via, edge, exhausted, loop, exit } = chosen;
    if (via === "edge" && exhausted !== true) this.taken.add(edgeName(String(socket), Number(edge)));
    if (via === "exit" && typeof exit === "string") this.taken.add(exitName(String(loop), exit));
  }

  #passOf({ id }: Circuit): number {
    return this.#passes.get(id) ?? 1;
  }

  #pass(loop: Circuit): void {
    this.#passes.set(loop.id, this.#passOf(loop) + 1);
  }
}

type Row = (this: Walker, data: JsonObject, task: TaskId) => void;

const NOTES: Readonly<Record<string, Row>> = {
  "loadout.entered": Walker.prototype.entered,
  "loadout.skipped": Walker.prototype.skipped,
  "loadout.advanced": Walker.prototype.advanced,
  "loadout.routed": Walker.prototype.routed,
  "loadout.assigned"({ socket, target }) {
    this.wrote(socket, [parseTarget(String(target))?.[0]]);
  },
  "loadout.patched"({ socket, keys }) {
    this.wrote(socket, Array.isArray(keys) ? (keys as readonly string[]) : []); // keys of an object
  },
};

/** The name of an exit within its loadout. */
export function exitName(loop: string, exit: string): string {
  return `${loop}/${exit}`;
}

function endOf({ status, failure, reason }: RunState, isCut: boolean): WalkEnd {
  if (isCut) return { kind: "unfinished" };
  switch (status) {
    case "completed":
      return { kind: "completed", ...(reason !== undefined && { reason }) };
    case "failed":
      return { kind: "failed", code: failure?.code ?? "internal", message: failure?.message ?? "" };
    case "paused":
      return { kind: "paused", reason: reason ?? "requested" };
    default:
      return { kind: "waiting" };
  }
}
