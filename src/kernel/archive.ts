/** An archive is the state of a run as JSON: the content of a fork, and of a journal's snapshot cache. */

import type { Json, JsonObject } from "../base/json.ts";
import type { ChannelName, NodeName, RunId } from "../base/names.ts";
import { SmallMap } from "../base/small-map.ts";
import { Cell } from "./cell.ts";
import { emptyState, type RunState, type Task } from "./state.ts";

type Scalars = Pick<
  RunState,
  | "plan"
  | "program"
  | "status"
  | "reason"
  | "message"
  | "detail"
  | "failure"
  | "parent"
  | "step"
  | "halt"
  | "mayPass"
>;

interface Archive extends Scalars {
  readonly lastStep: number | null;
  readonly cells: readonly (readonly [ChannelName, Json])[];
  readonly signals: readonly (readonly [ChannelName, readonly NodeName[]])[];
  readonly runnable: readonly (readonly [NodeName, number])[];
  readonly sends: RunState["sends"];
  readonly busy: readonly NodeName[];
  readonly pauseAfter: readonly NodeName[];
  readonly tasks: readonly ArchivedTask[];
}

type ArchivedTask = Omit<Task, "memory"> & { readonly memory: readonly (readonly [string, Json])[] };

/** Writes a state as JSON. The sequence number is not part of it. */
export function archiveState(state: RunState): JsonObject {
  const { plan, program, status, reason, message, detail, failure, parent, step, halt, mayPass } = state;
  const archive: Archive = {
    ...{ plan, program, status, reason, message, detail, failure, parent, step, halt, mayPass },
    lastStep: Number.isFinite(state.lastStep) ? state.lastStep : null,
    cells: [...state.cells].flatMap(([name, cell]) =>
      cell.isEmpty ? [] : [[name, cell.value as Json] as const],
    ),
    signals: [...state.signals].map(([channel, nodes]) => [channel, [...nodes]]),
    runnable: [...state.runnable],
    sends: [...state.sends],
    busy: state.busy.keys(),
    pauseAfter: [...state.pauseAfter],
    tasks: [...state.tasks.values()].map((task) => ({
      ...task,
      result: task.result && resultOf(task.result),
      questions: task.questions.map((question) => ({ ...question })),
      memory: [...(task.memory ?? [])],
    })),
  };
  return archive as unknown as JsonObject; // absent fields are dropped when it is printed
}

/** A result may be the whole event that brought it; only its own fields are kept. */
function resultOf({ writes, route, sends, halt }: NonNullable<Task["result"]>): NonNullable<Task["result"]> {
  return { writes, route, ...(sends && { sends }), ...(halt && { halt }) };
}

/** Makes the state of a run from an archive; the archive may be that of another run. */
export function restoreState(run: RunId, json: JsonObject): RunState {
  const archive = json as unknown as Archive; // written by `archiveState`
  const { cells, signals, runnable, sends, busy, pauseAfter, tasks, lastStep, ...scalars } = archive;
  const state: RunState = Object.assign(emptyState(run), scalars);
  state.lastStep = lastStep ?? Number.POSITIVE_INFINITY;
  state.cells = new Map(cells.map(([name, value]) => [name, new Cell(value)]));
  state.signals = new SmallMap(signals.map(([channel, nodes]) => [channel, new Set(nodes)]));
  state.runnable = new SmallMap(runnable);
  state.sends = [...sends];
  state.busy = new SmallMap(busy.map((node) => [node, true]));
  state.pauseAfter = [...pauseAfter];
  for (const archived of tasks) {
    const task: Task = {
      ...archived,
      input: archived.input,
      result: archived.result,
      failure: archived.failure,
      interrupted: archived.interrupted,
      isQueued: archived.isQueued === true, // archives from before there were keys do not say
      questions: archived.questions.map((question) => ({ ...question })),
      memory: new Map(archived.memory),
    };
    state.tasks.set(task.id, task);
    state.count[task.phase]++;
    if (task.phase === "ready") state.ready.set(task.id, task);
    if (task.phase === "finished") state.finished.set(task.id, task);
    const key = state.plan.nodes[task.node]?.exclusive;
    if (key !== undefined && task.phase !== "failed") state.keys.set(key, task.id);
  }
  return state;
}
