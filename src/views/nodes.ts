/** A name book tells which node an open task runs and what a node is called, from the events alone. */

import type { NodeName, TaskId } from "../base/names.ts";
import type { Event } from "../kernel/event.ts";
import { type NameOf, namesIn } from "./labels.ts";

/** What lines call nodes and questions: the ids that commands take, or what people see. */
export type Naming = "ids" | "labels";

export class NameBook {
  readonly naming: Naming;
  readonly #nodes: Map<TaskId, NodeName> = new Map();
  #labelOf: NameOf = (node) => node;

  /** Lines say ids unless told otherwise. */
  constructor(naming: Naming = "ids") {
    this.naming = naming;
  }

  /** Takes note of what an event calls the nodes, before the event is told. */
  learn(event: Event): void {
    if (this.naming === "ids") return;
    if (event.type === "run.started" || event.type === "plan.amended")
      this.#labelOf = namesIn(event.plan?.drawing);
  }

  /** What lines call a node. */
  nameOf(node: string): string {
    return this.#labelOf(node);
  }

  /** Takes note of the tasks that an event opens. Forgets those of a step only after they are committed. */
  fold(event: Event): void {
    if (event.type === "step.opened") {
      for (const { task, node } of event.tasks) this.#nodes.set(task, node);
    } else if (event.type === "step.committed") {
      for (const task of event.ran) this.#nodes.delete(task);
    } else if (event.type === "run.started") {
      this.#nodes.clear();
    }
  }

  /** The node of a task; of a task from before the events at hand, what its id says. */
  nodeOf(task: TaskId): NodeName {
    return this.#nodes.get(task) ?? task.slice(task.indexOf("/") + 1).replace(/#\d+$/, "");
  }
}
