/**
 * The call book tells, while a log is folded, which calls of handlers it records and with what each began.
 *
 * 1. A call begins when its task becomes ready: opened, answered, retried, or taken up again when the run is resumed.
 * 2. It ends with the fact that its outcome amounts to, right after the notes of that outcome.
 */

import type { Json } from "../base/json.ts";
import type { TaskId } from "../base/names.ts";
import type { Event } from "../kernel/event.ts";
import type { Snapshot } from "../kernel/snapshot.ts";
import { type RunState, snapshotOf, type Task } from "../kernel/state.ts";

export interface RecordedCall {
  readonly memory: ReadonlyMap<string, Json>;
  readonly remembered: ReadonlyMap<string, Json>;
  readonly notes: readonly Event[];
  readonly snapshot: Snapshot | undefined;
}

interface Begun {
  readonly memory: ReadonlyMap<string, Json>;
  readonly snapshot: Snapshot;
  notes: Event[];
}

export class CallBook {
  readonly #begun: Map<TaskId, Begun> = new Map();

  /** The task whose call the event ends, looked at before the event is folded. */
  endedBy(event: Event, state: RunState): Task | undefined {
    switch (event.type) {
      case "task.finished":
      case "task.failed":
      case "task.asked":
        return state.tasks.get(event.task);
      case "run.paused": {
        // A task that was held names its node; a pause that was asked for, or set for a node, holds none.
        if (event.reason.startsWith("interrupt_") || event.nodes?.length !== 1) return undefined;
        return [...state.ready.values()].find(({ node }) => node === event.nodes?.[0]);
      }
      default:
        return undefined;
    }
  }

  callOf(task: Task): RecordedCall {
    const begun = this.#begun.get(task.id);
    const { memory = new Map(), notes = [], snapshot } = begun ?? {};
    return { memory, notes, snapshot, remembered: task.memory ?? new Map() };
  }

  /** Takes note of an event that was folded. */
  fold(event: Event, state: RunState): void {
    switch (event.type) {
      case "task.noted":
        this.#begun.get(event.task)?.notes.push(event);
        break;
      case "step.opened":
        for (const { task } of event.tasks) this.#begin(state, task);
        break;
      case "task.finished":
      case "step.committed":
        for (const id of this.#begun.keys()) if (!state.ready.has(id)) this.#begun.delete(id);
        break;
      case "task.failed":
      case "task.answered":
      case "task.retried":
      case "task.asked":
        this.#begin(state, event.task);
        break;
      case "run.paused":
      case "run.resumed":
      case "run.started":
      case "run.forked":
        for (const id of state.ready.keys()) this.#begin(state, id);
        break;
    }
  }

  #begin(state: RunState, id: TaskId): void {
    const task = state.tasks.get(id);
    if (task === undefined) this.#begun.delete(id);
    else this.#begun.set(id, { memory: new Map(task.memory), snapshot: snapshotOf(state), notes: [] });
  }
}
