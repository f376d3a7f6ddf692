/** Taking up a run again: its program is made from what its log and the flags say. */

import type { Program } from "../../kernel/program.ts";
import type { RunHead } from "../../run/journal.ts";
import type { Call } from "../verb.ts";
import { dialectOf } from "./dialects.ts";
import type { Engine } from "./engine.ts";
import { readBeginning } from "./request.ts";
import type { Store } from "./store.ts";

/** What goes on with a run in this process. */
export async function reopenRun(
  { run, program }: RunHead,
  store: Store,
  { options, terminal }: Call,
): Promise<Program | Engine> {
  const dialect = await dialectOf(program);
  const beginning = await readBeginning(store.journal, run);
  return dialect.reopen({ run, beginning, store, options, terminal });
}
