/**
 * A child is a run that a task of another run started: it has a log of its own and a link to its parent.
 *
 * 1. The same task and key always mean the same child, so a task that runs again goes on where the child stood.
 * 2. A question of the child is asked by the parent's task, and the answer is handed down.
 */

import { failure } from "../base/failure.ts";
import type { Json } from "../base/json.ts";
import { type ChannelName, childRunId } from "../base/names.ts";
import { decide } from "../kernel/command.ts";
import { evolve } from "../kernel/evolve.ts";
import type { Ask, ChildRequest, ChildResult, Outcome } from "../kernel/program.ts";
import {
  channelValue,
  emptyState,
  findQuestion,
  openQuestions,
  outputOf,
  type RunState,
  type Task,
} from "../kernel/state.ts";
import type { ChildOrigin, Host } from "./host.ts";
import { Ledger } from "./ledger.ts";
import { driveOn } from "./loop.ts";

/** Starts a child or goes on with it, until it is over or only a person can move it on. */
export async function runChild(host: Host, request: ChildRequest, origin: ChildOrigin): Promise<ChildResult> {
  const { parent, task, signal } = origin;
  const run = childRunId(parent.run, task.id, request.key);
  const { clock, durability } = parent;
  const ledger = await Ledger.open(parent.journal, run, { clock, durability });
  const isResumed = ledger.state.status !== "new";
  await handDown(ledger, request, { ...origin, steps: host.steps });
  const stop = await driveOn(request.program, ledger, host, { signal });
  const { state } = ledger;
  if (state.status === "completed") {
    const began = isResumed && { began: await beginningOf(ledger) };
    return { kind: "completed", run, output: outputOf(state), ...began };
  }
  const thrown = [...stop.thrown.values()][0];
  return { kind: "stopped", run, outcome: stoppedChild(state, task, thrown) };
}

/** What the start of a run wrote to its channels. */
async function beginningOf({ journal, run }: Ledger): Promise<Readonly<Record<ChannelName, Json>>> {
  const [first] = await journal.read(run, 0, 1);
  if (first?.type !== "run.started") return {};
  const state = emptyState(run);
  evolve(state, first);
  const values = first.patches.map(({ channel }) => [channel, channelValue(state, channel)] as const);
  return Object.fromEntries(values.filter((entry): entry is [ChannelName, Json] => entry[1] !== undefined));
}

/** Where a child comes from, and how many steps it may open. */
type Handed = ChildOrigin & { readonly steps: number | undefined };

async function handDown(ledger: Ledger, request: ChildRequest, handed: Handed): Promise<void> {
  const { parent, task, steps } = handed;
  const { program, writes, route, sends } = request;
  const more = steps === undefined ? {} : { limits: { steps } };
  const tell = (command: Parameters<typeof decide>[2]) =>
    ledger.command((state, emit) => {
      for (const fact of decide(program, state, command)) emit(fact);
    });
  if (ledger.state.status === "new") {
    const origin = { run: parent.run, task: task.id };
    const start = { type: "start", writes, parent: origin, ...more } as const;
    await tell({ ...start, ...(route && { route }), ...(sends && { sends }) });
  } else if (ledger.state.status === "failed" || ledger.state.status === "paused") {
    await tell({ type: "resume", ...more });
  } else if (ledger.state.status === "running" && steps !== undefined) {
    await tell({ type: "resume", ...more }); // each call has steps of its own
  }
  for (const { from, answer } of task.questions) {
    if (from?.run !== ledger.run || answer === undefined) continue;
    const asked = findQuestion(ledger.state, from.question);
    if (asked?.question.answer === undefined && asked !== undefined) {
      await tell({ type: "answer", question: from.question, value: answer.value });
    }
  }
}

/** What the parent's task should return for a child that stopped before its end. */
export function stoppedChild(state: RunState, task: Task, thrown?: unknown): Outcome {
  if (state.status === "paused") {
    const { reason = "requested", message = `Child run ${state.run} is paused.` } = state;
    return { kind: "held", reason, message };
  }
  const known = new Set(task.questions.map(({ from }) => from?.question));
  const questions: Ask[] = openQuestions(state)
    .filter(({ question }) => !known.has(question.id))
    .map(({ question: { id, value, schema, from: _, answer: __ } }) => ({
      value,
      ...(schema !== undefined && { schema }),
      from: { run: state.run, question: id },
    }));
  if (questions.length > 0) return { kind: "asks", questions };
  const message = `Child run ${state.run} ${state.failure ? `failed: ${state.failure.message}` : `is ${state.status}.`}`;
  const { cause, code, detail = code === "step_limit" ? { code } : undefined } = state.failure ?? {};
  const why = failure("child_failed", message, {
    ...(cause && { cause }),
    ...(detail !== undefined && { detail }),
  });
  return { kind: "failed", failure: why, thrown };
}
