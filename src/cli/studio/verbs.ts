/** The verbs that a page may use on a run, each as the command line has it: checked, recorded, and gone on with. */

import { isJsonObject, type Json, type JsonObject } from "../../base/json.ts";
import type { QuestionId } from "../../base/names.ts";
import { Refusal } from "../../base/refusal.ts";
import { messageInbox } from "../../dialects/inbox/commands.ts";
import { readEdits } from "../../dialects/inbox/read-edits.ts";
import { InboxRun } from "../../engines/inbox.ts";
import type { Command } from "../../kernel/command.ts";
import { findQuestion, type Question, type RunState } from "../../kernel/state.ts";
import type { RunVerb } from "../../protocol/requests.ts";
import type { RunHead } from "../../run/journal.ts";
import { Ledger } from "../../run/ledger.ts";
import { loadState } from "../../run/load.ts";
import { answeredBefore } from "../../run/tell.ts";
import { Crew } from "../agents/crew.ts";
import { failedNode, inboxOf } from "../commands/inbox.ts";
import { Misuse } from "../misuse.ts";
import { dialectOf } from "../runs/dialects.ts";
import { definitionIn, servicesIn, settingOf } from "../runs/inbox-runs.ts";
import { recordCommand } from "../runs/recorded.ts";
import { readBeginning } from "../runs/request.ts";
import { refuseUnknownNode } from "../runs/starts/inbox.ts";
import { wantsNews } from "../terminal/next-call.ts";
import { unfit } from "../terminal/report.ts";
import type { Conductor } from "./conductor.ts";
import type { Premises } from "./premises.ts";
import { digestOfQuestion } from "./question-document.ts";

export interface Told {
  readonly premises: Premises;
  readonly conductor: Conductor;
  readonly head: RunHead;
}

type Of<Name extends RunVerb["verb"]> = Extract<RunVerb, { readonly verb: Name }>;
type Rows = { readonly [Name in RunVerb["verb"]]: (told: Told, verb: Of<Name>) => Promise<void> };

/** Carries a verb out. Throws a `Refusal` or a `Misuse` when it cannot be now; nothing was recorded then. */
export async function carryOut(told: Told, verb: RunVerb): Promise<void> {
  const row = rows[verb.verb] as (told: Told, verb: RunVerb) => Promise<void>; // the row of this very verb
  await row(told, verb);
  told.premises.bus.look(told.head.run);
}

const rows: Rows = {
  answer: (told, verb) => giveAnswer(told, verb, () => verb.value),
  approve: (told, { edit, ...verb }) =>
    giveAnswer(told, verb, (asked) => ({
      approved: true,
      ...(edit !== undefined && { args: edit }),
      ...digestOf(asked),
    })),
  deny: (told, { reason, ...verb }) =>
    giveAnswer(told, verb, (asked) => ({
      approved: false,
      ...(reason !== undefined && { reason }),
      ...digestOf(asked),
    })),
  async send(told, { node, text }) {
    const definition = await inboxOf(told.head, told.premises.store);
    refuseUnknownNode(node, Object.keys(definition.nodes));
    const { status, reason } = await stateOf(told);
    await record(told, messageInbox(definition, { node, text }, status));
    if (status === "paused" && wantsNews(reason)) await resume(told, []);
    else await drive(told);
  },
  interrupt: (told, { node }) => record(told, { type: "interrupt", node }),
  async retry(told, { node: named }) {
    const state = await stateOf(told);
    const node = failedNode(state, named);
    if (state.plan.onFailure !== "hold") return resume(told, []); // resuming is what tries again
    await record(told, { type: "retry", node });
    await drive(told);
  },
  pause: (told) => record(told, { type: "pause" }),
  async resume(told, { budget }) {
    const dialect = await dialectOf(told.head.program);
    const isRaised = budget !== undefined && Object.keys(budget).length > 0;
    await resume(told, isRaised ? dialect.budgetWrites(budget) : []);
  },
  cancel: (told, { reason }) => record(told, { type: "cancel", ...(reason !== undefined && { reason }) }),
  edit: changeGraph,
};

/** An approval is bound to what was shown. */
function digestOf({ value }: Question): JsonObject {
  if (!isJsonObject(value) || typeof value["digest"] !== "string") return {};
  return { digest: value["digest"] };
}

type Answering = Pick<Of<"answer">, "question" | "digest">;

async function giveAnswer(
  told: Told,
  { question: id, digest }: Answering,
  valueFor: (asked: Question) => Json,
): Promise<void> {
  const { head, premises } = told;
  const state = await stateOf(told);
  const question = findQuestion(state, id as QuestionId)?.question; // looked up, not trusted to be one
  if (question === undefined) {
    const late = await answeredBefore(premises.store.journal, head.run, id as QuestionId);
    throw late ?? new Refusal("unknown_question", `Run ${head.run} has no open question ${id}.`);
  }
  if (digest !== undefined && digest !== digestOfQuestion(question)) {
    const hint = "Read it as it stands now, and then answer it.";
    throw new Misuse("changed", `Question ${id} of run ${head.run} is not the one that was shown.`, { hint });
  }
  const value = valueFor(question);
  const problem = (await dialectOf(head.program)).checkAnswer(question, value);
  if (problem !== undefined) throw new Refusal("invalid_value", problem);
  await record(told, { type: "answer", question: question.id, value });
  await drive(told);
}

/** Records a command by the care that the run is in, whose driver hears of it at once, or else beside everybody. */
async function record({ conductor, premises, head }: Told, command: Command): Promise<void> {
  const care = conductor.careOf(head.run);
  if (care !== undefined) return care.driven.send(command);
  await recordCommand(premises.store.journal, head.run, command);
}

/** Goes on with a run that there is something to do in and that nobody drives. */
async function drive(told: Told): Promise<void> {
  const { conductor, head } = told;
  if (conductor.driverOf(head.run) !== null || (await stateOf(told)).status !== "running") return;
  await conductor.goOn(head).catch((error) => tellOf(told, error));
}

/** What was recorded stays: that nobody here can go on with it is told beside it. */
function tellOf({ premises }: Told, error: unknown): void {
  premises.tellFault(error);
}

async function resume(told: Told, more: readonly Writes[number][]): Promise<void> {
  const { conductor, head } = told;
  const { resumeWrites } = await dialectOf(head.program);
  const writes = [...resumeWrites(), ...more];
  await conductor.goOn(head, (care) => care.driven.send({ type: "resume", writes }));
}

type Writes = NonNullable<Extract<Command, { type: "resume" }>["writes"]>;

async function stateOf({ conductor, premises, head }: Told): Promise<RunState> {
  const care = conductor.careOf(head.run);
  return care?.driven.ledger.state ?? (await loadState(premises.store.journal, head.run)).state;
}

/** Changes the graph of an inbox run; whoever drives it goes on with the new one. */
async function changeGraph({ premises, head }: Told, { edits }: Of<"edit">): Promise<void> {
  const { store, options, terminal } = premises;
  const { run, program } = head;
  if (program.dialect !== "inbox") {
    throw new Misuse("not_supported", `Run ${run} is no inbox graph: its definition stays as it was.`);
  }
  const read = readEdits(edits);
  if (!read.ok) throw unfit("The change", read.errors);
  const reopening = { run, store, beginning: await readBeginning(store.journal, run), options, terminal };
  const crew = new Crew(); // of agents that the graph names: they only have to be there
  const edited = await crew.during(async () => {
    const services = await servicesIn(settingOf(reopening), definitionIn(reopening));
    const ledger = await Ledger.open(store.journal, run);
    return (await InboxRun.open({ ledger, services })).edit(read.edits);
  });
  await crew.sendHome();
  if (!edited.ok) throw unfit("The changed graph", edited.errors);
}
