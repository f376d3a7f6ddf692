/** `baton why`: what a run is waiting for. */

import { EXIT, type ExitCode } from "../../protocol/codes.ts";
import { idsIn } from "../../views/labels.ts";
import { readResult } from "../runs/result.ts";
import { driverOf } from "../runs/seat.ts";
import { findRun, withStore } from "../runs/store.ts";
import { selfCall } from "../self.ts";
import { helpFor, whySentence } from "../terminal/next-call.ts";
import { harmless } from "../terminal/style.ts";
import type { Call } from "../verb.ts";

/** Says it in one sentence, and below it which command helps. */
export async function why({ args: [id = ""], options, terminal }: Call): Promise<ExitCode> {
  return withStore(options.db, { create: false }, async ({ journal, folder }) => {
    const { run } = await findRun(journal, id);
    const { state, result, decision } = await readResult(journal, run);
    const driver = driverOf(folder, run);
    const live = [...state.ready.values()].map(({ node }) => node);
    const nameOf = idsIn(state.plan.drawing);
    const sentence = whySentence(
      { ...result, message: state.message },
      { driver, live, nameOf, tellsIds: true },
    );
    const { status, questions } = result;
    const last = decision === undefined ? {} : { decision: decision.data };
    terminal.document({ run, status, why: sentence, questions, ...last });
    terminal.print(harmless(sentence));
    if (decision !== undefined) terminal.print(harmless(`${decision.sentence}.`));
    for (const line of helpFor(result, options)) terminal.advise(line);
    if (status === "running" && driver === undefined) {
      terminal.advise(`Go on with: ${selfCall("resume", run, options)}`);
    }
    return EXIT.done;
  });
}
