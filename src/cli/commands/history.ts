/** `baton replay`, `fork` and `diff`: looking at what happened, and going on from a moment of it. */

import { diffRuns } from "../../history/diff.ts";
import { diffText } from "../../history/diff-text.ts";
import { forkRun } from "../../history/fork.ts";
import { type ReplayReport, replayRun } from "../../history/replay.ts";
import { EXIT, type ExitCode } from "../../protocol/codes.ts";
import { loadState } from "../../run/load.ts";
import { positiveInteger } from "../amounts.ts";
import { editsFrom } from "../edits.ts";
import { replayPrograms } from "../replay-programs.ts";
import { selfCall } from "../self.ts";
import { newId } from "../start.ts";
import { findRun, withStore } from "../store.ts";
import { harmless } from "../style.ts";
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
  const decided = runs.map(({ run: member, seq, hash, checked, rehearsed, taken }) => {
    const calls =
      checked === "handlers" ? `, ${rehearsed} visits decided again, ${taken} taken as recorded` : "";
    return `  ${member}: ${seq} events${calls}, state ${hash.slice(0, "sha256:".length + 12)}`;
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

/** Makes a run that has the past of another one, up to a moment. It waits to be resumed. */
export async function fork({ args: [id = ""], options, terminal }: Call): Promise<ExitCode> {
  const at = positiveInteger("--at", options.at);
  return withStore(options.db, { create: false }, async ({ journal }) => {
    const { run } = await findRun(journal, id);
    const edit = editsFrom([options.edit ?? []].flat(), (await loadState(journal, run)).state.plan);
    const more = { ...(at !== undefined && { at }), edit };
    const forked = await forkRun(journal, run, { id: newId(options.runId), now: Date.now(), ...more });
    terminal.document(forked);
    terminal.event(forked);
    terminal.print(`${forked.run}  began as ${run} was at event ${forked.from.seq}; it is ${forked.status}`);
    if (forked.status === "running" || forked.status === "paused" || forked.status === "failed") {
      terminal.advise(`Go on with: ${selfCall("resume", forked.run, options)}`);
    }
    return EXIT.done;
  });
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
