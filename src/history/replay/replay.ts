/**
 * Replaying a family of runs: every decision is made again over the recorded outcomes, and the first difference told.
 *
 * 1. No agent, clock, command or person is asked for anything, save by node functions that somebody wants called again.
 * 2. The kernel decides again in every run. Handlers are called again where the program says that they may be.
 * 3. A stored snapshot is held against the state that the log folds to at that moment.
 * 4. Under a changed definition only the plan and the handlers change; what came from outside stays as it was.
 */

import type { NodeName, RunId, TaskId } from "../../base/names.ts";
import { Refusal } from "../../base/refusal.ts";
import type { Event } from "../../kernel/event.ts";
import type { Journal, RunHead } from "../../run/journal.ts";
import { readEvents } from "../../run/load.ts";
import { familyOf } from "../family.ts";
import type { ReplayProgram } from "./evidence.ts";
import { LogReplay, type RunReplay } from "./log-replay.ts";
import type { ReplayDifference } from "./replay-difference.ts";
import type { ProgramFor, Wanted } from "./replay-program.ts";

export interface ReplayOptions {
  /** Stops after this event of the run, and leaves its children alone; the whole family when absent. */
  readonly until?: number;
  /** True when the programs are those of a changed definition (4). */
  readonly isChanged?: boolean;
}

/** What a replay came to: `identical`, or the first `difference`; and for each run what was decided again. */
export interface ReplayReport {
  readonly run: RunId;
  readonly identical: boolean;
  readonly runs: readonly RunReplay[];
  readonly difference?: ReplayDifference;
  /** The runs whose program is not at hand. */
  readonly skipped: readonly RunId[];
}

/** Replays a run with its children. Refuses a run that is not there, or whose own program is not at hand. */
export async function replayRun(
  { journal, run }: { readonly journal: Journal; readonly run: RunId },
  programFor: ProgramFor,
  { until = Number.POSITIVE_INFINITY, isChanged = false }: ReplayOptions = {},
): Promise<ReplayReport> {
  const family = await familyOf(journal, run);
  const origin = await originOf(journal, family[0] as RunHead); // a family has its first
  const found = new Map<RunId, ReplayProgram>();
  const nodes = new Map<RunId, readonly NodeName[]>([[run, origin.nodes]]);
  const runs: RunReplay[] = [];
  const skipped: RunId[] = [];
  for (const head of Number.isFinite(until) ? family.slice(0, 1) : family) {
    const path = nodes.get(head.run) ?? [];
    const { thread } = origin;
    const replayProgram =
      found.get(head.run) ?? (await programOf(journal, head, { nodes: path, thread, programFor }));
    if (replayProgram === undefined) {
      skipped.push(head.run);
      continue;
    }
    const finished = replayProgram.checks === "nodes" && { finished: await finishedIn(journal, head.run) };
    const log = new LogReplay({ journal, run: head.run, replayProgram, isChanged, ...finished });
    const snapshot = await journal.snapshot(head.run);
    for await (const event of readEvents(journal, head.run, 0)) {
      if (event.seq > until) break;
      await log.take(event);
      if (event.type === "step.opened") {
        for (const { task, node } of event.tasks) nodes.set(`${head.run}/${task}` as RunId, [...path, node]);
      }
      if (snapshot?.seq === event.seq && !isChanged) log.compareSnapshot(event, snapshot.state); // (3)
      if (log.difference !== undefined) break;
    }
    for (const [child, program] of log.children) found.set(child, program);
    runs.push(log.report());
    if (log.difference !== undefined) {
      return { run, identical: false, runs, difference: log.difference, skipped };
    }
  }
  if (runs.length > 0) return { run, identical: true, runs, skipped };
  throw new Refusal("wrong_state", `The program of run ${run} is not at hand, so it cannot be replayed.`);
}

/** The root of the family that a run is of, and the nodes whose tasks lead from there to it. */
async function originOf(journal: Journal, { run, parent }: RunHead): Promise<Origin> {
  if (parent === undefined) return { thread: run, nodes: [] };
  const head = await journal.head(parent.run);
  const above = head === undefined ? { thread: parent.run, nodes: [] } : await originOf(journal, head);
  for await (const event of readEvents(journal, parent.run, 0)) {
    const opened = event.type === "step.opened" && event.tasks.find(({ task }) => task === parent.task);
    if (opened) return { ...above, nodes: [...above.nodes, opened.node] };
  }
  return above;
}

type Origin = Pick<Wanted, "thread" | "nodes">;

/** The tasks that finished, whatever became of their earlier attempts. */
async function finishedIn(journal: Journal, run: RunId): Promise<ReadonlySet<TaskId>> {
  const finished = new Set<TaskId>();
  for await (const event of readEvents(journal, run, 0)) {
    if (event.type === "task.finished") finished.add(event.task);
  }
  return finished;
}

async function programOf(
  journal: Journal,
  { run, program }: RunHead,
  { programFor, ...origin }: Origin & { readonly programFor: ProgramFor },
): Promise<ReplayProgram | undefined> {
  const [first] = await journal.read(run, 0, 1);
  const begins = first && beginning(first);
  if (begins === undefined) return undefined;
  return programFor({ run, program, ...origin, ...begins });
}

function beginning(event: Event): Pick<Wanted, "plan" | "definition"> | undefined {
  if (event.type !== "run.started" || event.plan === undefined) return undefined;
  return { plan: event.plan, definition: event.definition };
}
