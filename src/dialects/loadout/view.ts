/**
 * A view of a loadout run: the dialect's part of the result document, folded from the events of its log.
 *
 * 1. A socket is on the path once per visit: neither repairs nor further attempts are entries.
 * 2. What turns cost is counted as soon as they are recorded, also when their visit never commits.
 */

import { addUsage, NO_USAGE, type Usage } from "../../agent/agent.ts";
import { isJsonObject, type Json, type JsonObject } from "../../base/json.ts";
import type { TaskId } from "../../base/names.ts";
import type { Event } from "../../kernel/event.ts";
import { channelValue, type RunState } from "../../kernel/state.ts";
import { STATE } from "./channels.ts";

export interface LoadoutWarning {
  readonly code: string;
  readonly message: string;
  /** The socket. */
  readonly at: string;
}

/** A visit as people follow it. */
export interface LoadoutVisit {
  readonly socket: string;
  readonly label?: string;
  /** `WI-1` and so on. */
  readonly item?: string;
  readonly title?: string;
}

/** Why a socket was left the way it was. */
export interface LoadoutRoute {
  readonly socket: string;
  readonly label?: string;
  readonly item?: string;
  /** The title of the item. */
  readonly title?: string;
  /** Which edge, exit or end was chosen. */
  readonly chosen: Json;
  /** The edges and exits that were asked and not taken, each with the reason. */
  readonly tried: Json;
  /** What the output said: true, false or null. */
  readonly satisfied: Json;
  /** How often the item had passed each edge (`edge:<socket>/<index>`) and closed a cycle (`cycles`) before. */
  readonly counters: Json;
}

/** What a visit changed in the files of the run. */
export interface LoadoutChanges {
  readonly socket: string;
  readonly item?: string;
  /** Relative to the folder of the run. */
  readonly paths: readonly string[];
  /** How many there are besides. */
  readonly more: number;
}

/** The dialect's fields of the result document. */
export interface LoadoutResult {
  readonly path: readonly string[];
  readonly warnings: readonly LoadoutWarning[];
  readonly usage: Usage;
  readonly reason: string | null;
  readonly state: JsonObject;
}

export class LoadoutView {
  readonly #visits: Map<TaskId, LoadoutVisit> = new Map();
  readonly #warnings: Map<string, LoadoutWarning> = new Map();
  readonly #routes: Map<TaskId, LoadoutRoute> = new Map();
  readonly #changes: Map<TaskId, LoadoutChanges> = new Map();
  #route: LoadoutRoute | undefined;
  #expected: { readonly socket: string; readonly item?: string } | undefined;
  #usage: Usage = NO_USAGE;

  /** Folds the next event. */
  evolve(event: Event): void {
    switch (event.type) {
      case "step.opened":
        for (const { task, node } of event.tasks) this.#visits.set(task, this.#expect(node));
        break;
      case "task.noted":
        if (isJsonObject(event.data)) this.#note(event.task, event.kind, event.data);
        break;
      case "task.remembered":
        if (event.key.startsWith("turn:")) this.#spend(event.value);
        break;
    }
  }

  /** The sockets in the order in which they were entered: `Socket-4@WI-1` for one at work on an item. */
  get path(): string[] {
    return [...this.#visits.values()].map(({ socket, item }) =>
      item === undefined ? socket : `${socket}@${item}`,
    );
  }

  get visits(): readonly LoadoutVisit[] {
    return [...this.#visits.values()];
  }

  get warnings(): readonly LoadoutWarning[] {
    return [...this.#warnings.values()];
  }

  /** The route that was chosen last. */
  get lastRoute(): LoadoutRoute | undefined {
    return this.#route;
  }

  /** Every route that was chosen, in order: the last one of a visit that was made more than once. */
  get routes(): readonly LoadoutRoute[] {
    return [...this.#routes.values()];
  }

  /** What visits changed in the files, in their order, where pictures were taken. */
  get changes(): readonly LoadoutChanges[] {
    return [...this.#changes.values()];
  }

  get usage(): Usage {
    return this.#usage;
  }

  #expect(socket: string): LoadoutVisit {
    const { item } = this.#expected?.socket === socket ? this.#expected : {};
    return { socket, ...(item !== undefined && { item }) };
  }

  #note(task: TaskId, kind: string, data: JsonObject): void {
    const socket = String(data["socket"]);
    switch (kind) {
      case "loadout.entered":
        this.#visits.set(task, { socket, ...texts(data, "label", "item", "title") });
        break;
      case "loadout.skipped":
        this.#visits.delete(task);
        break;
      case "loadout.routed": {
        const { chosen = null, tried = [], satisfied = null, counters = {}, enters } = data;
        const { title, label } = this.#visits.get(task) ?? {};
        const item = {
          ...(label !== undefined && { label }),
          ...texts(data, "item"),
          ...(title !== undefined && { title }),
        };
        this.#routes.delete(task);
        this.#route = { socket, ...item, chosen, tried, satisfied, counters };
        this.#routes.set(task, this.#route);
        this.#expected = isJsonObject(enters)
          ? { socket: String(enters["socket"]), ...texts(enters, "item") }
          : undefined;
        break;
      }
      case "loadout.warning": {
        const warning = { code: String(data["code"]), message: String(data["message"]), at: socket };
        this.#warnings.set(`${task} ${warning.code}`, warning);
        break;
      }
      case "loadout.files": {
        const { paths, more } = data;
        const { item } = this.#visits.get(task) ?? {};
        this.#changes.set(task, {
          ...{ socket, ...(item !== undefined && { item }) },
          paths: Array.isArray(paths) ? (paths as readonly Json[]).map(String) : [],
          more: typeof more === "number" ? more : 0,
        });
        break;
      }
      case "loadout.child":
        this.#spend(data);
        break;
    }
  }

  #spend(value: Json): void {
    const usage = isJsonObject(value) ? value["usage"] : undefined;
    if (!isJsonObject(usage)) return;
    const { tokens, costUsd } = usage;
    this.#usage = addUsage(this.#usage, {
      tokens: typeof tokens === "number" ? tokens : 0,
      costUsd: typeof costUsd === "number" ? costUsd : null,
    });
  }
}

function texts<const K extends string>(
  data: JsonObject,
  ...keys: readonly K[]
): { readonly [P in K]?: string } {
  const found = keys.flatMap((key) => (typeof data[key] === "string" ? [[key, data[key]] as const] : []));
  return Object.fromEntries(found) as { readonly [P in K]?: string }; // the keys asked for, those that are texts
}

/** The dialect's part of the result of a run. */
export function loadoutResult(view: LoadoutView, run: RunState): LoadoutResult {
  const state = channelValue(run, STATE);
  return {
    path: view.path,
    warnings: view.warnings,
    usage: view.usage,
    reason: run.reason ?? null,
    state: isJsonObject(state) ? state : {},
  };
}
