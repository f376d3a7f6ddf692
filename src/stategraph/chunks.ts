/** Chunks are what readers of a stream see of an event of a run, a row for each mode. */

import type { TaskId } from "../base/names.ts";
import type { Graph, SubGraph } from "../dialects/graph/graph.ts";
import { nodeOfTask } from "../dialects/graph/names.ts";
import { updateOf } from "../dialects/graph/update.ts";
import { copy, open } from "../dialects/graph/values.ts";
import type { Event } from "../kernel/event.ts";
import type { RunState } from "../kernel/state.ts";
import { type Checkpoint, snapshotOf } from "./moments.ts";
import { valuesOf } from "./outcome.ts";
import type { StreamMode } from "./run-config.ts";

/** One thing that happened, and what it led to. */
export interface Happening {
  readonly event: Event;
  readonly state: RunState;
  /** The checkpoint that it made, if it made one. */
  readonly checkpoint: Checkpoint | undefined;
  /** The graph that it happened in. */
  readonly graph: Graph;
  /** The tasks (`run/task`) that have shown pieces of messages, whose whole messages are not shown again. */
  readonly told: ReadonlySet<string>;
  /** True when what happens in sub-graphs is shown by itself. */
  readonly isDeep: boolean;
}

type RecordedMode = Exclude<StreamMode, "custom">;
type Row = (happening: Happening) => readonly unknown[];

const NONE: readonly unknown[] = [];

/** In the order in which modes show the same event: a step's `updates` and `tasks` come before its `values`. */
const rows: Readonly<Record<RecordedMode, Row>> = {
  updates: ({ event }) => updateChunk(event),
  tasks: ({ event, state }) => taskChunks(event, state).map(({ payload }) => payload),
  messages: messageChunks,
  values: ({ state, checkpoint }) => (checkpoint === undefined ? NONE : [valuesOf(state)]),
  checkpoints: ({ checkpoint, state }) => (checkpoint === undefined ? NONE : [snapshotOf(checkpoint, state)]),
  debug: ({ event, state, checkpoint }) => [
    ...taskChunks(event, state).map(({ type, payload }) => debugChunk(type, event.at, { state, payload })),
    ...(checkpoint === undefined
      ? NONE
      : [debugChunk("checkpoint", event.at, { state, payload: snapshotOf(checkpoint, state) })]),
  ],
};

const MODES = Object.keys(rows) as RecordedMode[]; // the keys of the table above

export interface Chunk {
  readonly mode: StreamMode;
  readonly chunk: unknown;
}

/** The chunks of an event in these modes. Custom chunks come from the tasks themselves. */
export function chunksOf(modes: readonly StreamMode[], happening: Happening): Chunk[] {
  const wanted = MODES.filter((mode) => modes.includes(mode));
  return wanted.flatMap((mode) => rows[mode](happening).map((chunk) => ({ mode, chunk })));
}

function updateChunk(event: Event): readonly unknown[] {
  if (event.type !== "task.finished") return NONE;
  const update = event.writes.length === 0 ? null : updateOf(event.writes);
  return [{ [nodeOfTask(event.task)]: update }];
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
function messageChunks({ event, graph, told, isDeep }: Happening): readonly unknown[] {
  if (event.type !== "task.finished" || told.has(`${event.run}/${event.task}`)) return NONE;
  const { task, writes } = event;
  const node = nodeOfTask(task);
  if (isDeep && subGraphAt(graph, node) !== undefined) return NONE; // its own nodes have shown them
  return writes
    .filter(({ channel }) => graph.fields.get(channel)?.holdsMessages)
    .flatMap(({ value }) => open(value) as readonly unknown[])
    .map((message) => [message, { node, task }]);
}

/** The graph that a run on this path is of; the path names the tasks that lead to it. */
export function graphAt(root: Graph, path: readonly string[]): Graph {
  return path.reduce<Graph>((graph, task) => subGraphAt(graph, nodeOfTask(task)) ?? graph, root);
}

/** The graph that a node is, if it is one. */
export function subGraphAt(graph: Graph, node: string): Graph | undefined {
  const action = graph.nodes.get(node)?.action;
  if (typeof action !== "object" || action === null) return undefined;
  return (action as SubGraph).graph; // what is no function is a graph
}
