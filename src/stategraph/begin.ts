/** Beginning turns what a caller gives to a graph into commands: an input, an answer, or a wish to go on. */

import { isObject } from "../base/json.ts";
import type { QuestionId } from "../base/names.ts";
import { Command } from "../dialects/graph/command.ts";
import { EmptyInputError, GraphError, InvalidUpdateError } from "../dialects/graph/errors.ts";
import { RouteBuilder } from "../dialects/graph/route.ts";
import { planStart } from "../dialects/graph/start.ts";
import { nameOf, writesOf } from "../dialects/graph/update.ts";
import { seal } from "../dialects/graph/values.ts";
import type { Send, Write } from "../kernel/event.ts";
import { openQuestions, type RunState } from "../kernel/state.ts";
import type { Maybe } from "../run/journal.ts";
import { invocationOf, record, type Session } from "./session.ts";
import { validInput } from "./validate.ts";

/** Records what a call begins with; afterwards the run can be driven. */
export function begin(session: Session, input: unknown): Promise<void> {
  if (input === null || input === undefined) return goOn(session);
  if (input instanceof Command) return obey(session, input);
  return start(session, input);
}

/**
 * Records what a call begins with, and drives it. At an older moment nothing is asked yet: an answer to it waits until
 * the nodes of that moment have asked again.
 */
export async function inStages<T>(session: Session, input: unknown, drive: () => Promise<T>): Promise<T> {
  const isEarly = session.isForked === true && input instanceof Command && input.resumes;
  if (!isEarly) {
    await begin(session, input);
    return drive();
  }
  await goOn(session);
  const stop = await drive();
  if (openQuestions(session.ledger.state).length === 0) return stop;
  await obey(session, new Command({ ...input, resume: asAskedNow(input.resume, session.ledger.state) }));
  return drive();
}

/** Answers by the ids that the questions had then, by those that they have now: the number of the step has changed. */
function asAskedNow(resume: unknown, state: RunState): unknown {
  if (!isObject(resume)) return resume;
  const now = new Map(openQuestions(state).map(({ question: { id } }) => [withoutStep(id), id]));
  const entries = Object.entries(resume).map(([id, value]) => [now.get(withoutStep(id)) ?? id, value]);
  return Object.fromEntries(entries);
}

function withoutStep(id: string): string {
  return id.slice(id.indexOf("/"));
}

/** Refuses what a call could not begin with at any moment, before the thread is put back to the one that it names. */
export async function checkBeginning(session: Session, input: unknown): Promise<void> {
  if (input === null || input === undefined) return;
  if (input instanceof Command) readCommand(session, input);
  else await readInput(session, input);
}

/** What an input writes. Throws an `InvalidUpdateError` when it does not fit the graph. */
function readInput({ graph }: Session, input: unknown): Maybe<readonly Write[]> {
  if (!isObject(input)) {
    const [field = "field"] = graph.input.keys();
    throw new InvalidUpdateError(
      `The input is ${nameOf(input)}, but an input is an object of fields, such as { ${field}: … }.`,
    );
  }
  const checked = validInput(graph, input);
  if (checked instanceof Promise) return checked.then((valid) => writesOf(graph.input, valid, "The input"));
  return writesOf(graph.input, checked, "The input");
}

async function start(session: Session, input: unknown): Promise<void> {
  const { graph, ledger, config, limit } = session;
  const read = readInput(session, input);
  const given = read instanceof Promise ? await read : read;
  const invocation = invocationOf(config, ledger.run);
  const planned = planStart(graph, ledger.state, { input: given, config: invocation });
  const { writes, route, sends } = planned instanceof Promise ? await planned : planned;
  await record(session, (decide) => {
    const asked = session.request === undefined ? {} : { request: session.request };
    const more = { ...sent(sends), ...asked };
    decide({ type: "start", writes, route, limits: { steps: limit }, again: true, ...more });
  });
}

async function goOn(session: Session): Promise<void> {
  const { ledger, limit } = session;
  if (ledger.state.status === "new") {
    const why = session.isKept
      ? `Thread ${ledger.run} has not begun, so there is nothing to go on with.`
      : "Without a checkpointer there is nothing to go on with.";
    throw new EmptyInputError(`${why} Give it an input, such as {}.`);
  }
  await record(session, (decide, state) => {
    if (mayGoOn(state)) decide({ type: "resume", limits: { steps: limit } });
  });
}

/** A run that has ended goes on only when an update in the name of a node has given it more to do. */
function mayGoOn({ status, runnable, sends }: RunState): boolean {
  return status !== "completed" || runnable.size > 0 || sends.length > 0;
}

/** Sends as a command takes them: none are left out. */
export function sent(sends: readonly Send[]): { readonly sends?: readonly Send[] } {
  return sends.length > 0 ? { sends } : {};
}

/** What a command writes, and where it leads. Throws when it does not fit the graph. */
function readCommand(
  { graph, isKept }: Session,
  command: Command,
): { readonly writes: readonly Write[]; readonly builder: RouteBuilder } {
  if (command.graph !== undefined) {
    throw new GraphError("Command.PARENT is for a node of a sub-graph; a caller has no parent graph.");
  }
  const { update, goto, resumes } = command;
  if (resumes && !isKept) throw new GraphError(missingCheckpointer("Command({ resume })"));
  const writes = writesOf(graph.fields, update, "The command");
  const builder = new RouteBuilder(graph.names, "The command", []);
  if (goto !== undefined) builder.add(goto, "The command");
  return { writes, builder };
}

async function obey(session: Session, command: Command): Promise<void> {
  const { graph, ledger, config, limit } = session;
  const { resume, resumes } = command;
  const { writes, builder } = readCommand(session, command);
  const { route, sends } = builder;
  if (ledger.state.status === "new" && resumes) {
    throw new EmptyInputError(`Thread ${ledger.run} has not begun, so it has no question to answer.`);
  }
  if (ledger.state.status === "new") {
    const begun = await planStart(graph, ledger.state, {
      input: writes,
      config: invocationOf(config, ledger.run),
    });
    const first = { writes: begun.writes, route: [...begun.route, ...route] };
    const isLed = route.length + sends.length > 0;
    const more = {
      ...sent([...begun.sends, ...sends]),
      // A replay asks START's paths again, and what the command led to besides is none of theirs.
      ...(isLed && { request: { command: { route: route.length, sends: sends.length } } }),
    };
    return record(session, (decide) =>
      decide({ type: "start", ...first, ...more, limits: { steps: limit } }),
    );
  }
  await record(session, (decide, state) => {
    if (resumes) for (const answer of answersIn(resume)) decide({ type: "answer", ...answer });
    if (writes.length > 0 || route.length > 0 || sends.length > 0)
      decide({ type: "update", writes, route, ...sent(sends) });
    if (mayGoOn(state)) decide({ type: "resume", limits: { steps: limit } });
  });
}

const QUESTION_ID = /^\d+\/.+:\d+$/s;

/** One answer for the only open question, or answers by the ids of their questions. */
function answersIn(resume: unknown): { question?: QuestionId; value: ReturnType<typeof seal> }[] {
  if (isObject(resume)) {
    const ids = Object.keys(resume);
    if (ids.length > 0 && ids.every((id) => QUESTION_ID.test(id))) {
      // The kernel looks the ids up and refuses those that it does not know.
      return ids.map((id) => ({
        question: id as QuestionId,
        value: seal(resume[id], `The answer to ${id}`),
      }));
    }
  }
  return [{ value: seal(resume, "The answer") }];
}

/** The sentence for a call that needs what only a checkpointer can keep. */
export function missingCheckpointer(what: string): string {
  return `${what} needs a checkpointer to keep the run while it waits: compile({ checkpointer: new MemorySaver() }).`;
}
