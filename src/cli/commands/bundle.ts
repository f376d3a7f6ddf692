/** `baton export` and `import`: one file that holds a run with everything that it needs to be looked at elsewhere. */

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { messageOf } from "../../base/failure.ts";
import type { RunId } from "../../base/names.ts";
import { type ExportedTrees, exportRun } from "../../history/bundle/export.ts";
import { importRun } from "../../history/bundle/import.ts";
import { unpackTrees } from "../../history/tree-store.ts";
import { EXIT, type ExitCode } from "../../protocol/codes.ts";
import { Misuse } from "../misuse.ts";
import { markImported, unmarkImported } from "../runs/imported.ts";
import { requestIn } from "../runs/request.ts";
import { findRun, withStore } from "../runs/store.ts";
import { treeFolder, treesFor } from "../runs/trees.ts";
import { selfCall } from "../self.ts";
import type { Call } from "../verb.ts";

/** Where the bundle goes when it is to go to standard output. */
const STDOUT = "-";

/** Writes a run and its children to a file of their own; a file that is there is never written over. */
export async function exportBundle({ args: [id = ""], options, terminal }: Call): Promise<ExitCode> {
  return withStore(options.db, { create: false }, async (store) => {
    const { journal } = store;
    const { run } = await findRun(journal, id);
    const file = options.out ?? `${run.replaceAll(/[^\p{L}\p{N}._-]/gu, "_")}.baton`;
    if (file === STDOUT && terminal.format !== "text") {
      throw new Misuse("usage", "With --json standard output holds one document: name a file with --out.");
    }
    if (file !== STDOUT && existsSync(file)) {
      throw new Misuse("usage", `There is a file ${file} already; name another one with --out.`);
    }
    const redaction = { secrets: options.redact === true, fields: options.redactField ?? [] };
    const [first] = await journal.read(run, 0, 1);
    const trees = await treesFor(run, store, requestIn(first)?.cwd);
    const { bundle, ...exported } = await exportRun(journal, run, { ...redaction, trees });
    if (file === STDOUT) process.stdout.write(bundle);
    else writeFileSync(file, bundle, { mode: 0o600, flag: "wx" });
    const document = { file, bytes: bundle.length, ...exported };
    terminal.document(document);
    terminal.event(document);
    const { runs, events, texts, redacted } = exported;
    const hidden = redacted === undefined ? "" : `, ${redacted.values} values taken out`;
    const files = exported.trees === undefined ? "" : `, ${treesText(exported.trees)}`;
    const what = `${runs.length === 1 ? "1 run" : `${runs.length} runs`}, ${events} events, ${texts} texts${hidden}${files}`;
    if (file === STDOUT) terminal.tell(what);
    else terminal.print(`${file}: ${what}`);
    return EXIT.done;
  });
}

/** Verifies a bundle and puts its runs into the database; nothing of a damaged one gets there. */
export async function importBundle({ args: [file = ""], options, terminal }: Call): Promise<ExitCode> {
  const bundle = readBytes(file);
  return withStore(options.db, { create: true }, async (store) => {
    let begun: RunId | undefined;
    const imported = await importRun(store.journal, bundle, {
      ...(options.runId !== undefined && { as: options.runId }),
      begin(run) {
        begun = run;
        markImported(store, run); // before anybody could go on with it
      },
      trees: (packed, run) => unpackTrees(packed, join(treeFolder(run, store), "imported")),
    }).catch((error: unknown) => {
      if (begun !== undefined) unmarkImported(store, begun);
      throw error;
    });
    terminal.document(imported);
    terminal.event(imported);
    const { pictures = 0, status, events, texts } = imported;
    const files = pictures === 0 ? "" : `, ${picturesText(pictures)}`;
    terminal.print(`${imported.run}  ${status}, ${events} events, ${texts} texts${files}`);
    terminal.advise(`Look at it with: ${selfCall("show", imported.run, options)}`);
    return EXIT.done;
  });
}

function treesText(trees: ExportedTrees): string {
  return "why" in trees ? `no files: ${trees.why}` : picturesText(trees.pictures);
}

function picturesText(pictures: number): string {
  return pictures === 1 ? "1 picture of its files" : `${pictures} pictures of its files`;
}

function readBytes(file: string): Uint8Array {
  try {
    return readFileSync(file === STDOUT ? 0 : file);
  } catch (error) {
    const why = messageOf(error);
    throw new Misuse(existsSync(file) ? "unreadable" : "not_found", `${file} cannot be read: ${why}.`);
  }
}
