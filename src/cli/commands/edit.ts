/** `baton edit`: changes the graph of a run of an inbox graph; whoever drives the run goes on with the new one. */

import { resolve } from "node:path";
import type { Issue } from "../../base/issue.ts";
import { editInbox, type InboxEdit } from "../../dialects/inbox/edit.ts";
import { readEdits } from "../../dialects/inbox/read-edits.ts";
import { InboxRun } from "../../engines/inbox.ts";
import { EXIT, type ExitCode } from "../../protocol/codes.ts";
import type { RunHead } from "../../run/journal.ts";
import { Ledger } from "../../run/ledger.ts";
import { Misuse } from "../misuse.ts";
import { definitionIn, powersOf, servicesIn, settingOf } from "../runs/inbox-runs.ts";
import { parseJson, readText } from "../runs/inputs.ts";
import { readBeginning } from "../runs/request.ts";
import { readResult } from "../runs/result.ts";
import { driverOf } from "../runs/seat.ts";
import { findRun, type Store, withStore } from "../runs/store.ts";
import { requireTrust } from "../runs/trust.ts";
import { selfCall } from "../self.ts";
import { printResult } from "../terminal/outcome.ts";
import { issueLine } from "../terminal/report.ts";
import type { Call } from "../verb.ts";

const STDIN = "-";

/** Records the change and prints the result; without a file, prints the graph as it is. */
export async function edit(call: Call): Promise<ExitCode> {
  const { args, options, terminal } = call;
  const [id = "", file] = args;
  return withStore(options.db, { create: false }, async (store) => {
    const head = await findRun(store.journal, id);
    const { run } = head;
    if (head.program.dialect !== "inbox") {
      throw new Misuse("usage", `Run ${run} is no inbox graph: its definition stays as it was.`);
    }
    const beginning = await readBeginning(store.journal, run);
    const { removed: _, ...graph } = definitionIn({ beginning });
    if (file === undefined) {
      terminal.document(graph);
      terminal.print(JSON.stringify(graph, null, 2));
      return EXIT.done;
    }
    for (const line of await change(call, { store, head, file })) terminal.tell(line);
    const { result } = await readResult(store.journal, run);
    printResult(result, terminal, options);
    const isLeft = result.status === "running" && driverOf(store.folder, run) === undefined;
    if (isLeft) terminal.advise(`Go on with: ${selfCall("resume", run, options)}`);
    return EXIT.done;
  });
}

interface Change {
  readonly store: Store;
  readonly head: RunHead;
  readonly file: string;
}

/** Makes the change that a file asks for; gives back what a person should know of the new graph. */
async function change(
  { options, terminal }: Call,
  { store, head: { run }, file }: Change,
): Promise<readonly string[]> {
  const { journal } = store;
  const text = readText(file);
  const edits = editsIn(text, file);
  const reopening = { run, store, beginning: await readBeginning(journal, run), options, terminal };
  const setting = settingOf(reopening);
  const before = definitionIn(reopening);
  const after = editInbox(before, edits);
  if (!after.ok) throw refused(file, [...after.errors, ...after.warnings]);
  const powers = powersOf(after.definition, setting.cast);
  const yes = options.yes === true;
  if (file !== STDIN) await requireTrust({ path: resolve(file), text, powers, yes, terminal });
  const services = await servicesIn(setting, after.definition);
  const edited = await (await InboxRun.open({ ledger: await Ledger.open(journal, run), services })).edit(
    edits,
  );
  if (!edited.ok) throw refused(file, edited.errors); // somebody else changed the graph in between
  return edited.warnings.map(issueLine);
}

function editsIn(text: string, file: string): readonly InboxEdit[] {
  const read = readEdits(parseJson(text, calledBy(file)));
  if (read.ok) return read.edits;
  throw refused(file, read.errors);
}

function refused(file: string, issues: readonly Issue[]): Misuse {
  return new Misuse("invalid_definition", `The graph stays as it was: ${calledBy(file)} is not fit.`, {
    issues,
  });
}

function calledBy(file: string): string {
  return file === STDIN ? "what stands on standard input" : file;
}
