/** A name book tells which node an open task runs, from the events alone. */

import type { NodeName, TaskId } from "../base/names.ts";
import type { Event } from "../kernel/event.ts";

export class NameBook {
  readonly #nodes: Map<TaskId, NodeName> = new Map();

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
