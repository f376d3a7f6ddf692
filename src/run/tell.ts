/** Telling a run a command: it is decided on the latest state and recorded, or refused with what the whole log knows. */

import type { QuestionId, RunId } from "../base/names.ts";
import { Refusal } from "../base/refusal.ts";
import { type Command, decide } from "../kernel/command.ts";
import type { Program } from "../kernel/program.ts";
import type { RunState } from "../kernel/state.ts";
import type { Journal } from "./journal.ts";
import type { Ledger } from "./ledger.ts";
import { readEvents } from "./load.ts";

/** Records a command. Throws a `Refusal` when it cannot be carried out now. */
export async function tell(
  ledger: Ledger,
  programOf: (state: RunState) => Program,
  command: Command,
): Promise<void> {
  try {
    await ledger.command((state, emit) => {
      for (const fact of decide(programOf(state), state, command)) emit(fact);
    });
  } catch (error) {
    throw (await tooLate(ledger, command, error)) ?? error;
  }
}

/** The state forgets the questions of a task that is over; for somebody who answers one late, the log is read. */
async function tooLate(
  { journal, run }: Ledger,
  command: Command,
  error: unknown,
): Promise<Refusal | undefined> {
  const isUnknown = error instanceof Refusal && error.code === "unknown_question";
  if (!isUnknown || command.type !== "answer" || command.question === undefined) return undefined;
  return answeredBefore(journal, run, command.question);
}

/** The refusal of a second answer to a question; nothing when the log has no first one. */
export async function answeredBefore(
  journal: Journal,
  run: RunId,
  question: QuestionId,
): Promise<Refusal | undefined> {
  for await (const event of readEvents(journal, run, 0)) {
    if (event.type !== "task.answered" || event.question !== question) continue;
    return new Refusal(
      "already_answered",
      `Question ${question} was answered before; an answer is not changed.`,
    );
  }
  return undefined;
}
