/** `baton runs`: a line for every run. */

import { existsSync } from "node:fs";
import { EXIT, type ExitCode } from "../../protocol/codes.ts";
import type { RunHead } from "../../run/journal.ts";
import { Misuse } from "../misuse.ts";
import { withStore } from "../runs/store.ts";
import { positiveInteger } from "../terminal/amounts.ts";
import { statusFrom } from "../terminal/standings.ts";
import { duration, harmless, table } from "../terminal/style.ts";
import type { Call } from "../verb.ts";

async function retain(action: string, call: Call): Promise<ExitCode> {
  const { prune, vacuum } = await import("./prune.ts");
  if (action === "prune") return prune(call);
  if (action === "vacuum") return vacuum(call);
  throw new Misuse("usage", `${action} is neither prune nor vacuum; without either, runs are listed.`);
}

/** Lists the runs of a database; one that does not exist has none. */
export async function runs(call: Call): Promise<ExitCode> {
  const { args, options, terminal } = call;
  const [action] = args;
  if (action !== undefined) return retain(action, call);
  const filter = {
    ...(options.status !== undefined && { status: statusFrom(options.status) }),
    limit: positiveInteger("--limit", options.limit) ?? 50,
  };
  const heads = existsSync(options.db)
    ? await withStore(options.db, { create: false }, async ({ journal }) => journal.runs(filter))
    : [];
  terminal.document({ runs: heads.map(lineOf) });
  for (const head of heads) terminal.event(lineOf(head));
  if (heads.length > 0) terminal.print(printed(heads));
  else terminal.tell("No runs yet. Begin with `baton demo`.");
  return EXIT.done;
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
