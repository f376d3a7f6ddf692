/** `baton replay`, `fork` and `diff`: looking at what happened, and going on from a moment of it. */

import { diffRuns } from "../../history/diff/diff.ts";
import { diffText } from "../../history/diff/diff-text.ts";
import { type ReplayReport, replayRun } from "../../history/replay/replay.ts";
import { EXIT, type ExitCode } from "../../protocol/codes.ts";
import { loadStateAt } from "../../run/load.ts";
import { editsFrom } from "../runs/edits.ts";
import { type Files, forkWithFiles } from "../runs/fork-files.ts";
import { replayPrograms } from "../runs/replay-programs.ts";
import { newId } from "../runs/start.ts";
import { findRun, withStore } from "../runs/store.ts";
import { selfCall } from "../self.ts";
import { positiveInteger } from "../terminal/amounts.ts";
import { harmless } from "../terminal/style.ts";
import type { Call } from "../verb.ts";

/** Decides everything in a run again over its recorded outcomes; exits with 7 at the first difference. */
export async function replay({ args: [id = ""], options, terminal }: Call): Promise<ExitCode> {
  const until = positiveInteger("--until", options.until);
  return withStore(options.db, { create: false }, async (store) => {
    const { journal } = store;
    const head = await findRun(journal, id);
    const { programFor, hint } = await replayPrograms(head, store, options);
    const isChanged = options.with !== undefined;
    const found = await aside(options.rerun === true && terminal.format !== "text", () =>
      replayRun({ journal, run: head.run }, programFor, { ...(until !== undefined && { until }), isChanged }),
    );
    const report = { ...found, ...(hint !== undefined && { hint }) };
    terminal.document(report);
    terminal.event(report);
    terminal.print(harmless(replayText(report, isChanged)));
    if (report.identical && hint !== undefined) terminal.print(harmless(hint));
    return report.identical ? EXIT.done : EXIT.diverged;
  });
}

/** What node functions print goes to stderr while standard output belongs to a document. */
async function aside<T>(isAside: boolean, work: () => Promise<T>): Promise<T> {
  if (!isAside) return work();
  const { log, info, debug } = console;
  Object.assign(console, { log: console.error, info: console.error, debug: console.error });
  try {
    return await work();
  } finally {
    Object.assign(console, { log, info, debug });
  }
}

const AGAIN: Readonly<Record<ReplayReport["runs"][number]["checked"], string>> = {
  handlers: "visits decided again",
  routes: "conditional edges asked again",
  nodes: "node functions called again",
  kernel: "",
};

function replayText({ run, identical, runs, difference, skipped }: ReplayReport, isChanged: boolean): string {
  const decided = runs.flatMap(({ run: member, seq, hash, checked, rehearsed, taken, gaps }) => {
    const calls = checked === "kernel" ? "" : `, ${rehearsed} ${AGAIN[checked]}, ${taken} taken as recorded`;
    return [
      `  ${member}: ${seq} events${calls}, state ${hash.slice(0, "sha256:".length + 12)}`,
      ...gaps.map((gap) => `    ${gap.task ?? "START"}: ${gap.why}`),
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

function filesText({ worktrees = [], missed = [], ...files }: Files): string {
  const main =
    "folder" in files
      ? `Its files are as they were at event ${files.seq}, in ${files.folder}`
      : `It works in the folder of the run that it came from: ${files.why}.`;
  const nodes = worktrees.map(({ folder, seq }) => `A worktree is as it was at event ${seq}, in ${folder}`);
  return [main, ...nodes, ...missed.map((sentence) => `The worktree ${sentence}.`)].join("\n");
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
