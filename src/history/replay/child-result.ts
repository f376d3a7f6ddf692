/** The result of a child run as its parent's task got it, read from the log of the child. */

import type { Json } from "../../base/json.ts";
import type { ChannelName, RunId } from "../../base/names.ts";
import type { Event } from "../../kernel/event.ts";
import { evolve } from "../../kernel/evolve.ts";
import type { ChildResult } from "../../kernel/program.ts";
import {
  channelValue,
  emptyState,
  openQuestions,
  outputOf,
  type RunState,
  type Task,
} from "../../kernel/state.ts";
import { stoppedChild } from "../../run/child.ts";
import type { Journal } from "../../run/journal.ts";
import { readEvents } from "../../run/load.ts";
import { Unrecorded } from "./evidence.ts";

export interface ChildCall {
  readonly journal: Journal;
  readonly run: RunId;
  /** The task of the parent, and the event that its call ended with. */
  readonly task: Task;
  readonly end: Event;
  /** When the call began, in milliseconds since 1970 UTC. */
  readonly since: number;
}

/**
 * Folds the child's log up to the time at which the call was over. Where several of its moments lie in that one
 * millisecond, the one counts that the parent's event tells of.
 */
export async function childResult({ journal, run, task, end, since }: ChildCall): Promise<ChildResult> {
  const state = emptyState(run);
  let told: ChildResult | undefined;
  let began: ReturnType<typeof heldAtFirst> | undefined;
  for await (const event of readEvents(journal, run, 0)) {
    if (event.at > end.at) break;
    evolve(state, event);
    const wasThere = event.at < since || task.questions.some(({ from }) => from?.run === run);
    if (event.type === "run.started" && event.seq === 1 && wasThere) began = heldAtFirst(event, state);
    if (tells(end, state)) told = { kind: "stopped", run, outcome: stoppedChild(state, task) };
  }
  if (told !== undefined) return told;
  const isInterrupted = end.type === "run.paused" && end.reason === "interrupted";
  if (state.status === "completed" && !isInterrupted)
    return { kind: "completed", run, output: outputOf(state), ...(began && { began }) };
  if (state.status === "new") throw new Unrecorded(`There is no child run ${run}.`, { isKnownGap: false });
  if (isInterrupted || (state.status === "running" && openQuestions(state).length === 0)) {
    throw new Unrecorded(`The log does not keep how far child run ${run} had come.`, {
      isKnownGap: true,
    });
  }
  return { kind: "stopped", run, outcome: stoppedChild(state, task) };
}

/** What the start of a child wrote to its channels, for a call that goes on with one. */
function heldAtFirst(
  { patches }: Extract<Event, { type: "run.started" }>,
  state: RunState,
): Readonly<Record<ChannelName, Json>> {
  const values = patches.map(({ channel }) => [channel, channelValue(state, channel)] as const);
  return Object.fromEntries(values.filter((entry): entry is [ChannelName, Json] => entry[1] !== undefined));
}

/** Says whether the parent's event passes on how the child stands. */
function tells(end: Event, state: RunState): boolean {
  switch (end.type) {
    case "task.asked": {
      const open = new Set(openQuestions(state).map(({ question }) => question.id));
      const passedOn = end.questions.some(({ from }) => from?.run === state.run && open.has(from.question));
      return passedOn && state.count.ready === 0;
    }
    case "run.paused":
      return state.status === "paused" && state.reason === end.reason;
    case "task.failed":
      return state.status === "failed" && end.failure.code === "child_failed";
    default:
      return false;
  }
}
