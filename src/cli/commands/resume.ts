/** `baton resume`: goes on with a run that was paused, failed, killed or only recorded. */

import { Refusal } from "../../base/refusal.ts";
import type { ExitCode } from "../../protocol/codes.ts";
import { parseBudget } from "../runs/budget.ts";
import { dialectOf } from "../runs/dialects.ts";
import { driveFrom } from "../runs/foreground.ts";
import { reopenRun } from "../runs/reopen.ts";
import { readResult } from "../runs/result.ts";
import { findRun, type Store, withStore } from "../runs/store.ts";
import { printResult } from "../terminal/outcome.ts";
import type { Call } from "../verb.ts";

/** Goes on. A run with nothing left to do is no error: its result is printed again. */
export async function resume(call: Call): Promise<ExitCode> {
  const { args, options, terminal } = call;
  const [id = ""] = args;
  return withStore(options.db, { create: false }, async (store) => {
    const head = await findRun(store.journal, id);
    const { run } = head;
    if (head.status === "completed" || head.status === "cancelled") return printAgain(call, store, run);
    const { time, ...budget } = parseBudget(options.budget);
    const dialect = await dialectOf(head.program);
    const raised = Object.keys(budget).length > 0 ? dialect.budgetWrites(budget) : [];
    const writes = [...dialect.resumeWrites(), ...raised];
    const program = await reopenRun(head, store, call);
    const foreground = { program, run, store, options, terminal, time };
    try {
      return await driveFrom(foreground, (handle) => handle.send({ type: "resume", writes }));
    } catch (error) {
      const isOver = error instanceof Refusal && error.code === "wrong_state";
      if (!isOver) throw error;
      terminal.tell(error.message);
      return printAgain(call, store, run);
    }
  });
}

async function printAgain({ options, terminal }: Call, { journal }: Store, run: string): Promise<ExitCode> {
  const { result } = await readResult(journal, (await findRun(journal, run)).run);
  if (result.status === "completed" || result.status === "cancelled") {
    terminal.tell(`Run ${run} is ${result.status}: there is nothing to resume.`);
  }
  return printResult(result, terminal, options);
}
