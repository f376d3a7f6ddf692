/** `baton runs prune` and `baton runs vacuum`: forgetting runs that nobody needs, and giving back what they took. */

import { pruneRuns } from "../../history/prune.ts";
import { EXIT, type ExitCode } from "../../protocol/codes.ts";
import { nonNegativeInteger, positiveAmount, SIZES, TIMES } from "../amounts.ts";
import { Misuse } from "../misuse.ts";
import { statusFrom } from "../standings.ts";
import { withStore } from "../store.ts";
import { duration, table } from "../style.ts";
import type { Call } from "../verb.ts";

/** Removes the runs that all the given conditions allow. Without a condition nothing is removed. */
export async function prune({ options, terminal }: Call): Promise<ExitCode> {
  const { olderThan, status, keep, maxSize, dryRun } = options;
  if ([olderThan, status, keep, maxSize].every((condition) => condition === undefined)) {
    const hint = "For example: baton runs prune --older-than 30d --dry-run";
    throw new Misuse("usage", "Say which runs: --older-than, --status, --keep or --max-size.", { hint });
  }
  const now = Date.now();
  const conditions = {
    ...(olderThan !== undefined && { olderThan: now - positiveAmount("--older-than", olderThan, TIMES) }),
    ...(status !== undefined && { statuses: status.split(",").map(statusFrom) }),
    ...(keep !== undefined && { keepLast: nonNegativeInteger("--keep", keep) }),
    ...(maxSize !== undefined && { maxBytes: positiveAmount("--max-size", maxSize, SIZES) }),
    ...(dryRun && { dryRun }),
  };
  return withStore(options.db, { create: false }, async ({ journal }) => {
    const pruned = await pruneRuns(journal, conditions);
    terminal.document(pruned);
    terminal.event(pruned);
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
    terminal.tell(`${pruned.runs.length} ${verb}, ${pruned.bytes} bytes; ${pruned.kept} stay.`);
    return EXIT.done;
  });
}

/** Drops the texts that no run refers to, and makes the file as small as it can be. */
export async function vacuum({ options, terminal }: Call): Promise<ExitCode> {
  return withStore(options.db, { create: false }, async ({ journal }) => {
    const done = await journal.vacuum();
    terminal.document(done);
    terminal.event(done);
    terminal.print(
      `${done.texts} texts dropped; ${done.bytes.before} bytes before, ${done.bytes.after} after`,
    );
    return EXIT.done;
  });
}
