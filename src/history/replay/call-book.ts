/**
 * The call book tells, while a log is folded, which calls of handlers it records and with what each began.
 *
 * 1. A call begins when its task becomes ready: opened, answered, retried, or taken up again when the run is resumed.
 * 2. It ends with the fact that its outcome amounts to, right after the notes of that outcome.
 * 3. A driver that died leaves no fact. Where handlers remember something first in each call, that begins one too.
 * 4. A pause or a resume that nobody's task asked for may leave a call under way; what it began with is kept too.
 * 5. A task that waits for room, or for its next attempt, begins later than it becomes ready; what it saw then is told
 *    as a late snapshot. Where handlers do not tell when they begin, what each commit left may be one.
 */

import type { Json } from "../../base/json.ts";
import type { TaskId } from "../../base/names.ts";
import type { Event } from "../../kernel/event.ts";
import type { Program } from "../../kernel/program.ts";
import type { Snapshot } from "../../kernel/snapshot.ts";
import { type RunState, snapshotOf, type Task } from "../../kernel/state.ts";

export interface RecordedCall {
  readonly memory: ReadonlyMap<string, Json>;
  readonly remembered: ReadonlyMap<string, Json>;
  readonly notes: readonly Event[];
  /** What the channels may have held when it began, likeliest first (5). */
  readonly snapshots: readonly Snapshot[];
  /** Why the task was to stop before the call began. */
  readonly interrupted: string | undefined;
  readonly program: Program | undefined;
  /** When it began at the earliest, in milliseconds since 1970 UTC. */
  readonly since: number;
}

interface Begun {
  readonly memory: ReadonlyMap<string, Json>;
  readonly snapshots: readonly Snapshot[];
  readonly interrupted: string | undefined;
  readonly program: Program;
  readonly notes: Event[];
  readonly since: number;
  /** What went on before a pause or a resume, if it went on after it (4). */
  readonly earlier: Begun | undefined;
}

export interface CallBookOptions {
  /** The program that calls begin with now. */
  readonly program: () => Program;
  /** See `ReplayProgram`. */
  readonly beginsCall: ((key: string) => boolean) | undefined;
  /** True when what each commit leaves is told as a late snapshot of every task that is ready then (5). */
  readonly mayBeginLate: boolean;
}

/** So many late snapshots of a call are told. */
const MOST_LATE = 8;

export class CallBook {
  readonly #begun: Map<TaskId, Begun> = new Map();
  readonly #options: CallBookOptions;

  constructor(options: CallBookOptions) {
    this.#options = options;
  }

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

  /** What the call of a task may have begun with, likeliest first. There is always one. */
  callsOf(task: Task): readonly [RecordedCall, ...RecordedCall[]] {
    const remembered = task.memory ?? new Map();
    const nothing = { memory: new Map(), notes: [], snapshots: [], since: 0 };
    const none = { ...nothing, interrupted: undefined, program: undefined };
    const [first = none, ...rest] = this.#chain(task.id);
    return [{ ...first, remembered }, ...rest.map((begun) => ({ ...begun, remembered }))];
  }

  /** Takes note of an event that was folded. */
  fold(event: Event, state: RunState): void {
    switch (event.type) {
      case "task.noted":
        for (const { notes } of this.#chain(event.task)) notes.push(event);
        break;
      case "task.remembered":
        if (this.#options.beginsCall?.(event.key)) this.#beginLate(state, event);
        break;
      case "step.opened":
        for (const { task } of event.tasks) this.#begin(state, { id: task, since: event.at });
        break;
      case "task.finished":
      case "step.committed":
        for (const id of this.#begun.keys()) if (!state.ready.has(id)) this.#begun.delete(id);
        if (this.#options.mayBeginLate && event.type === "step.committed") this.#addLate(state);
        break;
      case "task.failed":
      case "task.answered":
      case "task.retried":
      case "task.asked":
        this.#begin(state, { id: event.task, since: event.at });
        break;
      case "run.paused":
      case "run.resumed":
      case "run.started":
      case "run.forked":
        for (const id of state.ready.keys())
          this.#begin(state, { id, since: event.at, earlier: this.#begun.get(id) });
        break;
    }
  }

  #chain(id: TaskId): Begun[] {
    const chain: Begun[] = [];
    for (let begun = this.#begun.get(id); begun !== undefined; begun = begun.earlier) chain.push(begun);
    return chain;
  }

  #begin(state: RunState, { id, since, earlier }: Beginning): void {
    const task = state.tasks.get(id);
    if (task === undefined) this.#begun.delete(id);
    else {
      const { interrupted, memory } = task;
      const [program, snapshots] = [this.#options.program(), [snapshotOf(state)]];
      const begun = { memory: new Map(memory), snapshots, interrupted, program, notes: [], since, earlier };
      this.#begun.set(id, begun);
    }
  }

  /** What a commit left may be what a task saw that has not begun yet (5). */
  #addLate(state: RunState): void {
    for (const [id, begun] of this.#begun) {
      if (begun.snapshots.length > MOST_LATE) continue;
      this.#begun.set(id, { ...begun, snapshots: [...begun.snapshots, snapshotOf(state)] });
    }
  }

  /** Begins a call with what it remembered first (3), or learns what one that has begun already saw (5). */
  #beginLate(state: RunState, { task: id, key, at: since }: Remembered): void {
    const before = this.#begun.get(id);
    const memory = new Map(state.tasks.get(id)?.memory);
    memory.delete(key);
    const isFirst = before !== undefined && ![...memory.keys()].some((known) => !before.memory.has(known));
    const late = snapshotOf(state);
    if (isFirst) this.#begun.set(id, { ...before, snapshots: [...before.snapshots, late] });
    else {
      const program = this.#options.program();
      const begun = { memory, snapshots: [late], interrupted: undefined, program, notes: [], since };
      this.#begun.set(id, { ...begun, earlier: undefined });
    }
  }
}

interface Beginning {
  readonly id: TaskId;
  readonly since: number;
  readonly earlier?: Begun | undefined;
}

type Remembered = Extract<Event, { type: "task.remembered" }>;
