/** A command that is only recorded: it needs what the log says of the program, and none of its code. */

import { invariant } from "../../base/failure.ts";
import type { RunId } from "../../base/names.ts";
import type { Command } from "../../kernel/command.ts";
import type { Program } from "../../kernel/program.ts";
import type { RunState } from "../../kernel/state.ts";
import type { Journal } from "../../run/journal.ts";
import { Ledger } from "../../run/ledger.ts";
import { tell } from "../../run/tell.ts";

/** Records a command on a run. Throws a `Refusal` when it cannot be carried out now. */
export async function recordCommand(journal: Journal, run: RunId, command: Command): Promise<void> {
  const ledger = await Ledger.open(journal, run);
  await tell(ledger, withoutCode, command);
}

/** The program of a run as its log knows it. */
function withoutCode({ program, plan }: RunState): Program {
  invariant(program, "a started run has a program");
  return { id: program, plan, handlers: {}, reducers: {} };
}
