/** `baton replay`, `fork` and `diff`: looking at what happened, and going on from a moment of it. */

import { tmpdir } from "node:os";
import { join } from "node:path";
import type { RunId } from "../../base/names.ts";
import { diffRuns } from "../../history/diff.ts";
import { diffText } from "../../history/diff-text.ts";
import type { Edit } from "../../history/edit.ts";
import { newRunId } from "../../history/family.ts";
import { type Forked, forkRun } from "../../history/fork.ts";
import { forkFolder } from "../../history/forked-folder.ts";
import { pictureAt } from "../../history/picture-at.ts";
import { type ReplayReport, replayRun } from "../../history/replay.ts";
import { EXIT, type ExitCode } from "../../protocol/codes.ts";
import { GitWorkingTree } from "../../providers/working-tree/git-working-tree.ts";
import { loadStateAt } from "../../run/load.ts";
import { editsFrom } from "../runs/edits.ts";
import { replayPrograms } from "../runs/replay-programs.ts";
import { requestIn } from "../runs/request.ts";
import { newId } from "../runs/start.ts";
import { findRun, type Store, withStore } from "../runs/store.ts";
import { FORKS, folderName, treeFolder, treesFor } from "../runs/trees.ts";
import { selfCall } from "../self.ts";
import { positiveInteger } from "../terminal/amounts.ts";
import { harmless } from "../terminal/style.ts";
import type { Call } from "../verb.ts";

/** Decides everything in a run again over its recorded outcomes; exits with 7 at the first difference. */
export async function replay({ args: [id = ""], options, terminal }: Call): Promise<ExitCode> {
  const until = positiveInteger("--until", options.until);
  return withStore(options.db, { create: false }, async ({ journal }) => {
    const head = await findRun(journal, id);
    const programs = await replayPrograms(head, journal, options);
    const isChanged = options.with !== undefined;
    const report = await replayRun({ journal, run: head.run }, programs, {
      ...(until !== undefined && { until }),
      isChanged,
    });
    terminal.document(report);
    terminal.event(report);
    terminal.print(harmless(replayText(report, isChanged)));
    return report.identical ? EXIT.done : EXIT.diverged;
  });
}

function replayText({ run, identical, runs, difference, skipped }: ReplayReport, isChanged: boolean): string {
  const decided = runs.flatMap(({ run: member, seq, hash, checked, rehearsed, taken, gaps }) => {
    const what = checked === "routes" ? "conditional edges asked again" : "visits decided again";
    const calls = checked === "kernel" ? "" : `, ${rehearsed} ${what}, ${taken} taken as recorded`;
    return [
      `  ${member}: ${seq} events${calls}, state ${hash.slice(0, "sha256:".length + 12)}`,
      ...gaps.map((gap) => `    ${gap.task}: ${gap.why}`),
    ];
  });
  const left = skipped.map((member) => `  ${member}: left out, its program is not at hand`);
  if (identical) {
    const how = isChanged ? "would have gone the same way" : "comes to the same again";
    return [`Run ${run} ${how}.`, ...decided, ...left].join("\n");
  }
  const where =
    difference && `It differs at event ${difference.seq} of ${difference.run} (${difference.type}).`;
  const sides = difference && [
    ...("expected" in difference ? [`  now:      ${JSON.stringify(difference.expected)}`] : []),
    ...("recorded" in difference ? [`  recorded: ${JSON.stringify(difference.recorded)}`] : []),
  ];
  return [`${where ?? "It differs."} ${difference?.message ?? ""}`, ...(sides ?? [])].join("\n");
}

/** Makes a run that has the past of another one, up to a moment, and its files. It waits to be resumed. */
export async function fork({ args: [id = ""], options, terminal }: Call): Promise<ExitCode> {
  const at = positiveInteger("--at", options.at);
  return withStore(options.db, { create: false }, async (store) => {
    const { journal } = store;
    const { run } = await findRun(journal, id);
    const seq = at ?? Number.POSITIVE_INFINITY;
    const edit = editsFrom([options.edit ?? []].flat(), (await loadStateAt(journal, run, seq)).plan);
    const wanted = { id: newId(options.runId), edit, ...(at !== undefined && { at }) };
    const { files, ...forked } = await forkWithFiles(store, run, wanted);
    const document = { ...forked, files };
    terminal.document(document);
    terminal.event(document);
    terminal.print(`${forked.run}  began as ${run} was at event ${forked.from.seq}; it is ${forked.status}`);
    terminal.print(filesText(files));
    if (forked.status === "running" || forked.status === "paused" || forked.status === "failed") {
      terminal.advise(`Go on with: ${selfCall("resume", forked.run, options)}`);
    }
    return EXIT.done;
  });
}

/** What became of the files: where they are and which event recorded them, or why there are none. */
type Files = { readonly folder: string; readonly seq: number } | { readonly why: string };

async function forkWithFiles(
  store: Store,
  run: RunId,
  wanted: { readonly id: string; readonly at?: number; readonly edit: readonly Edit[] },
): Promise<Forked & { readonly files: Files }> {
  const { journal } = store;
  const now = Date.now();
  const tree = await pictureAt(journal, run, wanted.at);
  const [first] = await journal.read(run, 0, 1);
  const { cwd } = requestIn(first) ?? {};
  if (tree === undefined || cwd === undefined) {
    const forked = await forkRun(journal, run, { ...wanted, now });
    return { ...forked, files: { why: "the log does not say what the files were then" } };
  }
  const fork = await newRunId(journal, wanted.id);
  const folder = join(store.folder ?? join(tmpdir(), "baton"), FORKS, folderName(wanted.id));
  const trees = await treesFor(run, store, cwd);
  const made = await forkFolder({ store: trees, object: tree.object, folder, cwd }).catch(sentenceOf);
  if (typeof made === "string") {
    const forked = await forkRun(journal, run, { ...wanted, now });
    return { ...forked, files: { why: made } };
  }
  try {
    // Tasks that are open in it compare the files with how they found them, so its own shadow has to know that.
    await new GitWorkingTree({ cwd: made.cwd, store: treeFolder(fork, store), own: store.own }).mark();
    const forked = await forkRun(journal, run, { ...wanted, now, cwd: made.cwd });
    return { ...forked, files: { folder: made.cwd, seq: tree.seq } };
  } catch (error) {
    await made.remove();
    throw error;
  }
}

function filesText(files: Files): string {
  if ("folder" in files) return `Its files are as they were at event ${files.seq}, in ${files.folder}`;
  return `It works in the folder of the run that it came from: ${files.why}.`;
}

function sentenceOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.replace(/\.$/, "");
}

/** Compares two runs, visit by visit. Looking succeeds, whatever differs. */
export async function diff({ args: [left = "", right = ""], options, terminal }: Call): Promise<ExitCode> {
  return withStore(options.db, { create: false }, async ({ journal }) => {
    const [one, other] = [await findRun(journal, left), await findRun(journal, right)];
    const compared = await diffRuns(journal, one.run, other.run);
    terminal.document(compared);
    terminal.event(compared);
    terminal.print(harmless(diffText(compared).trimEnd()));
    return EXIT.done;
  });
}
