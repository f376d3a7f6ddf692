/** Beginning turns what a caller gives to a graph into commands: an input, an answer, or a wish to go on. */

import { isObject } from "../base/json.ts";
import type { QuestionId } from "../base/names.ts";
import { Command } from "../dialects/graph/command.ts";
import { EmptyInputError, GraphError, InvalidUpdateError } from "../dialects/graph/errors.ts";
import type { FieldPlans } from "../dialects/graph/fields.ts";
import { RouteBuilder } from "../dialects/graph/route.ts";
import { printIssues } from "../dialects/graph/standard-schema.ts";
import { planStart } from "../dialects/graph/start.ts";
import { writesOf } from "../dialects/graph/update.ts";
import { seal } from "../dialects/graph/values.ts";
import type { RunState } from "../kernel/state.ts";
import { emitSends, invocationOf, record, type Session } from "./session.ts";

/** Records what a call begins with; afterwards the run can be driven. */
export function begin(session: Session, input: unknown): Promise<void> {
  if (input === null || input === undefined) return goOn(session);
  if (input instanceof Command) return obey(session, input);
  return start(session, input);
}

async function start(session: Session, input: unknown): Promise<void> {
  const { graph, ledger, config, limit } = session;
  if (!isObject(input)) throw new InvalidUpdateError("The input is no object of fields.");
  const valid = await validated(graph.input, input);
  const given = writesOf(graph.input, valid, "The input");
  const invocation = invocationOf(config, ledger.run);
  const planned = planStart(graph, ledger.state, { input: given, config: invocation });
  const { writes, route, sends } = planned instanceof Promise ? await planned : planned;
  await record(session, (decide, state, emit) => {
    const asked = session.request === undefined ? {} : { request: session.request };
    decide({ type: "start", writes, route, limits: { steps: limit }, again: true, ...asked });
    emitSends(state, emit, sends);
  });
}

async function goOn(session: Session): Promise<void> {
  const { ledger, limit } = session;
  if (ledger.state.status === "new") {
    throw new EmptyInputError(
      `Thread ${ledger.run} has not begun, so there is nothing to go on with. Give it an input, such as {}.`,
    );
  }
  await record(session, (decide, state, emit) => {
    if (state.status !== "completed") decide({ type: "resume", limits: { steps: limit } });
    else if (hasMore(state)) emit({ type: "run.resumed", limits: { steps: limit }, patches: [] });
  });
}

/** An update in the name of a node may have given an ended run more to do. */
function hasMore({ runnable, sends }: RunState): boolean {
  return runnable.size > 0 || sends.length > 0;
}

async function obey(session: Session, command: Command): Promise<void> {
  const { graph, ledger, limit, isKept } = session;
  const { update, goto, resume, resumes } = command;
  if (resumes && !isKept) throw new GraphError(missingCheckpointer("Command({ resume })"));
  const writes = writesOf(graph.fields, update, "The command");
  const builder = new RouteBuilder(graph.names, "The command", []);
  if (goto !== undefined) builder.add(goto, "The command");
  const { route, sends } = builder;
  if (ledger.state.status === "new" && resumes) {
    throw new EmptyInputError(`Thread ${ledger.run} has not begun, so it has no question to answer.`);
  }
  await record(session, (decide, state, emit) => {
    if (state.status === "new") decide({ type: "start", writes, route, limits: { steps: limit } });
    else {
      if (resumes) for (const answer of answersIn(resume)) decide({ type: "answer", ...answer });
      if (writes.length > 0 || route.length > 0) decide({ type: "update", writes, route });
    }
    emitSends(state, emit, sends);
    if (state.status !== "completed") decide({ type: "resume", limits: { steps: limit } });
    else if (hasMore(state)) emit({ type: "run.resumed", limits: { steps: limit }, patches: [] });
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

/** The input as the schemas of its fields make it. Throws when it does not pass them. */
async function validated(
  fields: FieldPlans,
  input: Readonly<Record<string, unknown>>,
): Promise<Readonly<Record<string, unknown>>> {
  let valid: Record<string, unknown> | undefined;
  for (const name of Object.keys(input)) {
    const schema = fields.get(name)?.schema;
    if (schema === undefined) continue;
    const result = schema["~standard"].validate(input[name]);
    const checked = result instanceof Promise ? await result : result;
    if (checked.issues !== undefined) {
      throw new InvalidUpdateError(`The input is not valid: ${printIssues(name, checked.issues)}.`);
    }
    valid ??= { ...input };
    valid[name] = checked.value;
  }
  return valid ?? input;
}
