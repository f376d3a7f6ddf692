/** `baton runs prune` and `baton runs vacuum`: forgetting runs that nobody needs, and giving back what they took. */

import { type PruneOptions, pruneRuns } from "../../history/retention/prune.ts";
import { EXIT, type ExitCode } from "../../protocol/codes.ts";
import { Misuse } from "../misuse.ts";
import { type Cleared, clearedText, clearLeftovers } from "../runs/leftovers.ts";
import { withStore } from "../runs/store.ts";
import { nonNegativeInteger, positiveAmount, SIZES, TIMES } from "../terminal/amounts.ts";
import { statusFrom } from "../terminal/standings.ts";
import { duration, table } from "../terminal/style.ts";
import type { Terminal } from "../terminal/terminal.ts";
import type { Call } from "../verb.ts";

/** Removes the runs that all the given conditions allow. Without a condition nothing is removed. */
export async function prune({ options, terminal }: Call): Promise<ExitCode> {
  const now = Date.now();
  const conditions = conditionsOf(options, now);
  return withStore(options.db, { create: false }, async (store) => {
    const pruned = await pruneRuns(store.journal, conditions);
    const going = pruned.runs.map(({ run }) => run);
    const cleared = await clearLeftovers(store, {
      ...{ db: options.db, scope: { of: going }, dryRun: pruned.dryRun },
      ...(pruned.dryRun && { without: going }),
    });
    const document = { ...pruned, files: cleared.files };
    terminal.document(document);
    terminal.event(document);
    if (pruned.runs.length > 0) {
      terminal.print(
        table(
          pruned.runs.map((run) => [
            run.run,
            run.status,
            `${duration(now - run.updatedAt)} ago`,
            `${run.bytes} B`,
          ]),
        ),
      );
    }
    const verb = pruned.dryRun ? "would go" : "went";
    tellCleared(cleared, verb, terminal);
    terminal.tell(`${pruned.runs.length} ${verb}, ${pruned.bytes} bytes; ${pruned.kept} stay.`);
    return EXIT.done;
  });
}

function conditionsOf(
  { olderThan, status, keep, maxSize, dryRun }: Call["options"],
  now: number,
): PruneOptions {
  if ([olderThan, status, keep, maxSize].every((condition) => condition === undefined)) {
    const hint = "For example: baton runs prune --older-than 30d --dry-run";
    throw new Misuse("usage", "Say which runs: --older-than, --status, --keep or --max-size.", { hint });
  }
  return {
    ...(olderThan !== undefined && { olderThan: now - positiveAmount("--older-than", olderThan, TIMES) }),
    ...(status !== undefined && { statuses: status.split(",").map(statusFrom) }),
    ...(keep !== undefined && { keepLast: nonNegativeInteger("--keep", keep) }),
    ...(maxSize !== undefined && { maxBytes: positiveAmount("--max-size", maxSize, SIZES) }),
    ...(dryRun && { dryRun }),
  };
}

function tellCleared(cleared: Cleared, verb: string, terminal: Terminal): void {
  const text = clearedText(cleared);
  if (text !== undefined) terminal.print(`beside the database ${verb}: ${text}`);
  for (const { path } of cleared.files) terminal.print(`  ${path}`);
  for (const sentence of cleared.stays) terminal.warn(sentence);
}

/** What was begun by now is left alone: the run of a folder is recorded a moment after it is made. */
const SETTLED = 3_600_000;

/** Drops texts and files that no run refers to, and makes the database as small as it can be. */
export async function vacuum({ options, terminal }: Call): Promise<ExitCode> {
  const { db, dryRun = false } = options;
  return withStore(db, { create: false }, async (store) => {
    const vacuumed = await store.journal.vacuum({ dryRun });
    const scope = { untouchedSince: Date.now() - SETTLED };
    const cleared = await clearLeftovers(store, { db, scope, dryRun });
    const done = { ...vacuumed, files: cleared.files, dryRun };
    terminal.document(done);
    terminal.event(done);
    const { texts, bytes } = done;
    terminal.print(
      dryRun
        ? `${texts} texts would be dropped; ${bytes.before} bytes before, about ${bytes.after} after`
        : `${texts} texts dropped; ${bytes.before} bytes before, ${bytes.after} after`,
    );
    tellCleared(cleared, dryRun ? "would go" : "went", terminal);
    return EXIT.done;
  });
}
