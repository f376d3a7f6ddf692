/** `baton pause` and `baton cancel`: commands that any process may give, and that whoever drives the run obeys. */

import type { Command } from "../../kernel/command.ts";
import { EXIT, type ExitCode } from "../../protocol/codes.ts";
import { recordCommand } from "../runs/recorded.ts";
import { readResult } from "../runs/result.ts";
import { findRun, withStore } from "../runs/store.ts";
import { printResult } from "../terminal/outcome.ts";
import type { Call } from "../verb.ts";

/** Stops the run from opening another step. */
export function pause(call: Call): Promise<ExitCode> {
  return give(call, "pause");
}

/** Ends the run for good. */
export function cancel(call: Call): Promise<ExitCode> {
  return give(call, "cancel");
}

/** Records the command and prints the result. The command succeeded, so the exit code says that it did. */
async function give(
  { args: [id = ""], options, terminal }: Call,
  type: "pause" | "cancel",
): Promise<ExitCode> {
  return withStore(options.db, { create: false }, async ({ journal }) => {
    const { run } = await findRun(journal, id);
    const { reason } = options;
    const command: Command = { type, ...(reason !== undefined && { reason }) };
    await recordCommand(journal, run, command);
    const { result } = await readResult(journal, run);
    printResult(result, terminal, options);
    return EXIT.done;
  });
}
