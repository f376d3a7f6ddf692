/** `baton runs`: a line for every run. */

import { existsSync } from "node:fs";
import { EXIT, type ExitCode } from "../../protocol/codes.ts";
import type { RunHead, Standing } from "../../run/journal.ts";
import { Misuse } from "../misuse.ts";
import { withStore } from "../store.ts";
import { duration, harmless, table } from "../style.ts";
import type { Call, Options } from "../verb.ts";

const STANDINGS: readonly Standing[] = ["running", "waiting", "paused", "completed", "failed", "cancelled"];

/** Lists the runs of a database; one that does not exist has none. */
export async function runs({ options, terminal }: Call): Promise<ExitCode> {
  const filter = { ...statusOf(options), limit: limitOf(options) };
  const heads = existsSync(options.db)
    ? await withStore(options.db, { create: false }, async ({ journal }) => journal.runs(filter))
    : [];
  terminal.document({ runs: heads.map(lineOf) });
  for (const head of heads) terminal.event(lineOf(head));
  if (heads.length > 0) terminal.print(printed(heads));
  else terminal.tell("No runs yet. Begin with `baton demo`.");
  return EXIT.done;
}

function statusOf({ status }: Options): { status?: Standing } {
  if (status === undefined) return {};
  const known = STANDINGS.find((standing) => standing === status);
  if (known === undefined) throw new Misuse("usage", `--status is one of ${STANDINGS.join(", ")}.`);
  return { status: known };
}

function limitOf({ limit = "50" }: Options): number {
  const count = Number(limit);
  if (!Number.isInteger(count) || count < 1)
    throw new Misuse("usage", "--limit is a whole number from 1 on.");
  return count;
}

function lineOf({ run, program, status, reason, startedAt, updatedAt }: RunHead): object {
  const times = {
    startedAt: new Date(startedAt).toISOString(),
    updatedAt: new Date(updatedAt).toISOString(),
  };
  return { run, dialect: program.dialect, name: program.name, status, reason: reason ?? null, ...times };
}

function printed(heads: readonly RunHead[]): string {
  const now = Date.now();
  return table([
    ["RUN", "STATUS", "CHANGED", "NAME"],
    ...heads.map(({ run, status, reason, updatedAt, program }) => [
      run,
      reason && status !== "completed" ? `${status} (${reason})` : status,
      `${duration(now - updatedAt)} ago`,
      harmless(program.name),
    ]),
  ]);
}
