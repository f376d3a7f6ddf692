/** `baton answer`, `approve` and `deny`: a person's word on an open question, after which the run goes on. */

import type { Json, JsonObject } from "../../base/json.ts";
import type { QuestionId } from "../../base/names.ts";
import { Refusal } from "../../base/refusal.ts";
import { openQuestions, type Question, type RunState } from "../../kernel/state.ts";
import type { ExitCode } from "../../protocol/codes.ts";
import type { Journal } from "../../run/journal.ts";
import { loadState } from "../../run/load.ts";
import { answeredBefore } from "../../run/tell.ts";
import type { Dialect } from "../runs/dialect.ts";
import { dialectOf } from "../runs/dialects.ts";
import { tellAndGoOn } from "../runs/foreground.ts";
import { jsonOrText, parseJson } from "../runs/inputs.ts";
import { recordCommand } from "../runs/recorded.ts";
import { reopenRun } from "../runs/reopen.ts";
import { findRun, withStore } from "../runs/store.ts";
import { tellRecorded } from "../terminal/outcome.ts";
import type { Call } from "../verb.ts";

/** Answers with a value: JSON where it parses and fits, else the text as it is. */
export function answer(call: Call): Promise<ExitCode> {
  const [, first = "", second] = call.args;
  const text = second ?? first;
  const values = [jsonOrText(text), text];
  return give(call, second === undefined ? undefined : first, values);
}

/** Says yes, as it was asked or with other arguments. */
export function approve(call: Call): Promise<ExitCode> {
  const { edit } = call.options;
  const args = typeof edit !== "string" ? undefined : parseJson(edit, "The value of --edit");
  return give(call, call.args[1], [{ approved: true, ...(args !== undefined && { args }) }]);
}

/** Says no. */
export function deny(call: Call): Promise<ExitCode> {
  const { reason } = call.options;
  const denial: JsonObject = { approved: false, ...(reason !== undefined && { reason }) };
  return give(call, call.args[1], [denial]);
}

/** Answers with the first of the values that fits, and goes on; with `--detach` it only records. */
async function give(call: Call, named: string | undefined, values: readonly Json[]): Promise<ExitCode> {
  const { args, options, terminal } = call;
  return withStore(options.db, { create: false }, async (store) => {
    const { journal } = store;
    const head = await findRun(journal, args[0] ?? "");
    const { run } = head;
    const question = await questionNamed((await loadState(journal, run)).state, named, journal);
    const { checkAnswer } = await dialectOf(head.program);
    const value = firstFitting(question, values, checkAnswer);
    const command = { type: "answer", question: question.id, value } as const;
    if (options.detach) {
      await recordCommand(journal, run, command);
      return tellRecorded(store, run, call);
    }
    const program = await reopenRun(head, store, call);
    return tellAndGoOn({ program, run, store, options, terminal }, command);
  });
}

/** The open question with this id or the beginning of it; without one, the only one that is open. */
async function questionNamed(
  state: RunState,
  named: string | undefined,
  journal: Journal,
): Promise<Question> {
  const open = openQuestions(state).map(({ question }) => question);
  const exact = open.find(({ id }) => id === named);
  const found = exact ? [exact] : open.filter(({ id }) => named === undefined || id.startsWith(named));
  if (found.length === 1 && found[0] !== undefined) return found[0];
  const ids = open.map(({ id }) => id).join(", ");
  if (found.length > 1) {
    throw new Refusal("ambiguous_question", `${found.length} questions are open; say which one: ${ids}.`);
  }
  const late =
    named === undefined ? undefined : await answeredBefore(journal, state.run, named as QuestionId);
  if (late !== undefined) throw late;
  const what = named === undefined ? "no open question" : `no open question ${named}`;
  throw new Refusal("unknown_question", `Run ${state.run} has ${what}.${ids === "" ? "" : ` Open: ${ids}.`}`);
}

/** An answer is never changed, so one that does not fit is refused before it is recorded. */
function firstFitting(question: Question, values: readonly Json[], check: Dialect["checkAnswer"]): Json {
  const problems = values.map((value) => check(question, value));
  const at = problems.indexOf(undefined);
  if (at === -1) throw new Refusal("invalid_value", problems[0] ?? "There is no answer.");
  return values[at] as Json; // `at` is an index of it
}
