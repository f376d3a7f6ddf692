/** Chunks are what readers of a stream see of the events of a run, a row for each mode. */

import type { TaskId } from "../base/names.ts";
import type { FieldPlans } from "../dialects/graph/fields.ts";
import { nodeOfTask } from "../dialects/graph/names.ts";
import { updateOf } from "../dialects/graph/update.ts";
import { copy, open } from "../dialects/graph/values.ts";
import type { Event } from "../kernel/event.ts";
import type { RunState } from "../kernel/state.ts";
import { type Checkpoint, checkpointOf, isCheckpoint, snapshotOf } from "./moments.ts";
import { valuesOf } from "./outcome.ts";
import type { StreamMode } from "./run-config.ts";

/** What happened, and what it led to. */
export interface Happening {
  readonly events: readonly Event[];
  readonly state: RunState;
  readonly checkpoints: readonly Checkpoint[];
  readonly fields: FieldPlans;
  /** The tasks (`run/task`) that have shown pieces of messages, whose whole messages are not shown again. */
  readonly told: ReadonlySet<string>;
}

type Row = (happening: Happening) => unknown[];

const rows: Readonly<Record<Exclude<StreamMode, "custom">, Row>> = {
  values: ({ events, state }) => (events.some(isCheckpoint) ? [valuesOf(state)] : []),
  updates: ({ events }) => events.flatMap(updateChunk),
  tasks: ({ events, state }) =>
    events.flatMap((event) => taskChunks(event, state).map(({ payload }) => payload)),
  checkpoints: ({ checkpoints, state }) => checkpoints.map((checkpoint) => snapshotOf(checkpoint, state)),
  debug: ({ events, state, checkpoints }) => [
    ...events.flatMap((event) =>
      taskChunks(event, state).map(({ type, payload }) => debugChunk(type, event.at, { state, payload })),
    ),
    ...checkpoints.map((checkpoint) =>
      debugChunk("checkpoint", checkpoint.at, { state, payload: snapshotOf(checkpoint, state) }),
    ),
  ],
  messages: ({ events, fields, told }) => events.flatMap((event) => messageChunks(event, fields, told)),
};

/** The chunks of a mode. Custom chunks come from the tasks themselves. */
export function chunksOf(mode: StreamMode, happening: Happening): unknown[] {
  return mode === "custom" ? [] : rows[mode](happening);
}

/** The checkpoints that events make, each after the other. */
export function checkpointsIn(
  events: readonly Event[],
  state: RunState,
  parent: number | undefined,
): Checkpoint[] {
  const checkpoints: Checkpoint[] = [];
  for (const event of events) {
    const checkpoint = checkpointOf(event, state, checkpoints.at(-1)?.seq ?? parent);
    if (checkpoint !== undefined) checkpoints.push(checkpoint);
  }
  return checkpoints;
}

function updateChunk(event: Event): unknown[] {
  if (event.type !== "task.finished") return [];
  return [{ [nodeOfTask(event.task)]: event.writes.length === 0 ? null : updateOf(event.writes) }];
}

interface TaskChunk {
  readonly type: "task" | "task_result";
  readonly payload: Readonly<Record<string, unknown>>;
}

function taskChunks(event: Event, state: RunState): TaskChunk[] {
  switch (event.type) {
    case "step.opened":
      return event.tasks.map(({ task, node, input, sent }) => ({
        type: "task",
        payload: {
          id: task,
          name: node,
          input: sent && input !== undefined ? copy(input) : valuesOf(state),
          interrupts: [],
        },
      }));
    case "task.finished":
      return [result(event.task, { result: updateOf(event.writes), interrupts: [] })];
    case "task.failed":
      return event.retryAt === undefined ? [result(event.task, { error: event.failure.message })] : [];
    case "task.asked": {
      const interrupts = event.questions.map(({ id, value }) => ({ id, value: open(value) }));
      return [result(event.task, { interrupts })];
    }
    default:
      return [];
  }
}

function result(task: TaskId, more: Readonly<Record<string, unknown>>): TaskChunk {
  return { type: "task_result", payload: { id: task, name: nodeOfTask(task), ...more } };
}

function debugChunk(
  type: string,
  at: number,
  { state, payload }: { readonly state: RunState; readonly payload: unknown },
): unknown {
  return { type, step: state.step, timestamp: new Date(at).toISOString(), payload };
}

/** The messages that a task wrote, each with where it comes from. */
function messageChunks(event: Event, fields: FieldPlans, told: ReadonlySet<string>): unknown[] {
  if (event.type !== "task.finished" || told.has(`${event.run}/${event.task}`)) return [];
  const { task, writes } = event;
  return writes
    .filter(({ channel }) => fields.get(channel)?.holdsMessages)
    .flatMap(({ value }) => open(value) as readonly unknown[])
    .map((message) => [message, { node: nodeOfTask(task), task }]);
}
