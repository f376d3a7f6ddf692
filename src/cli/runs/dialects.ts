/** The dialects that the command line knows; the modules of one load when a run of it is looked at. */

import { invariant } from "../../base/failure.ts";
import { Refusal } from "../../base/refusal.ts";
import type { ProgramName } from "../../kernel/event.ts";
import type { Dialect } from "./dialect.ts";

const DIALECTS: Readonly<Record<string, () => Promise<Dialect>>> = {
  loadout: async () => (await import("./loadout-runs.ts")).loadoutRuns,
  inbox: async () => (await import("./inbox-runs.ts")).inboxRuns,
  graph: async () => (await import("./graph-runs.ts")).graphRuns,
};

/** The dialect that a program is written in. */
export async function dialectOf(program: ProgramName | undefined): Promise<Dialect> {
  invariant(program, "a started run has a program");
  const { dialect } = program;
  const load = Object.hasOwn(DIALECTS, dialect) ? DIALECTS[dialect] : undefined;
  if (load !== undefined) return load();
  throw new Refusal("newer_format", `This baton does not know the dialect ${dialect}; a newer one may.`);
}
