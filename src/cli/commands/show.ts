/** `baton show`: how a run stands, and what it made. */

import { EXIT, type ExitCode } from "../../protocol/codes.ts";
import { readResult } from "../runs/result.ts";
import { findRun, withStore } from "../runs/store.ts";
import { helpFor } from "../terminal/next-call.ts";
import { resultText } from "../terminal/outcome.ts";
import { harmless } from "../terminal/style.ts";
import type { Call } from "../verb.ts";

/** Prints the result of a run as it is now. Looking succeeds, however the run stands. */
export async function show({ args: [id = ""], options, terminal }: Call): Promise<ExitCode> {
  return withStore(options.db, { create: false }, async ({ journal }) => {
    const { run } = await findRun(journal, id);
    const { result, decision, changed } = await readResult(journal, run);
    terminal.document(result);
    terminal.event(result);
    terminal.print(resultText(result, terminal.paint));
    for (const [index, line] of changed.entries()) {
      terminal.print(`${terminal.paint("dim", (index === 0 ? "changed" : "").padEnd(8))} ${harmless(line)}`);
    }
    if (decision !== undefined) {
      terminal.print(`${terminal.paint("dim", "because ")} ${harmless(decision.sentence)}`);
    }
    for (const line of helpFor(result, options)) terminal.advise(line);
    return EXIT.done;
  });
}
