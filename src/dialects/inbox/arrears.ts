/**
 * Arrears are what failed turns have cost and no commit has counted yet.
 *
 * 1. A turn that fails commits nothing; the turn that ends the work on its inputs counts it too. Until then it is owed.
 * 2. They are a fold of the log: whoever drives the run owes the same.
 */

import { addUsage, NO_USAGE, type Usage } from "../../agent/agent.ts";
import type { Json, JsonObject } from "../../base/json.ts";
import type { TaskId } from "../../base/names.ts";
import type { Event } from "../../kernel/event.ts";
import { type FailedTurn, isFailedTurn } from "./turn-log.ts";

export class Arrears {
  readonly #owed: Map<TaskId, Usage> = new Map();

  /** Folds the next event. */
  evolve(event: Event): void {
    switch (event.type) {
      case "task.remembered":
        this.#add(event.task, event.key, event.value);
        break;
      case "step.committed":
        for (const task of event.ran) this.#owed.delete(task);
        break;
      case "run.forked":
        this.#restore(event.state);
        break;
    }
  }

  get total(): Usage {
    return [...this.#owed.values()].reduce(addUsage, NO_USAGE);
  }

  #add(task: TaskId, key: string, value: Json): void {
    if (!isFailedTurn(key)) return;
    const { usage } = value as unknown as FailedTurn; // written by `TurnLog`
    this.#owed.set(task, addUsage(this.#owed.get(task) ?? NO_USAGE, usage));
  }

  /** Takes over the open tasks of the state that a fork begins with, which is an archive of the kernel. */
  #restore(state: JsonObject): void {
    this.#owed.clear();
    const tasks = state["tasks"] as unknown as readonly { id: TaskId; memory: readonly [string, Json][] }[];
    for (const { id, memory } of tasks) for (const [key, value] of memory) this.#add(id, key, value);
  }
}
