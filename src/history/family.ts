/** A family is a run with its child runs, and theirs: what is replayed, exported and removed together. */

import { messageOf } from "../base/failure.ts";
import { type RunId, runId } from "../base/names.ts";
import { Refusal } from "../base/refusal.ts";
import type { Journal, RunHead } from "../run/journal.ts";

/** The run and its descendants, parents before their children. Refuses a run that is not there. */
export async function familyOf(journal: Journal, run: RunId): Promise<readonly RunHead[]> {
  const head = await journal.head(run);
  if (head === undefined) throw new Refusal("unknown_run", `There is no run ${run}.`);
  const below = await journal.runs({ prefix: `${run}/`, children: true });
  return [head, ...descendants(run, below)];
}

/** Those of the runs that descend from one, parents before their children. */
export function descendants(run: RunId, heads: readonly RunHead[]): RunHead[] {
  const family = new Set<RunId>([run]);
  // The id of a child begins with that of its parent, so parents come first when ids are sorted.
  return heads
    .toSorted((a, b) => (a.run < b.run ? -1 : 1))
    .filter(({ run: child, parent }) => {
      if (parent === undefined || !family.has(parent.run)) return false;
      family.add(child);
      return true;
    });
}

/** The id that a member of a family has when its root is called otherwise. */
export function renamed(run: RunId, from: RunId, to: RunId): RunId {
  return run === from || run.startsWith(`${from}/`) ? (`${to}${run.slice(from.length)}` as RunId) : run;
}

/** Accepts the id of a run that is to be made; refuses one that is no id or that is taken. */
export async function newRunId(journal: Journal, text: string): Promise<RunId> {
  let run: RunId;
  try {
    run = runId(text);
  } catch (error) {
    throw new Refusal("invalid_value", messageOf(error));
  }
  const [first] = await journal.read(run, 0, 1);
  if (first === undefined) return run;
  throw new Refusal("already_exists", `There is a run ${run} already. Give another id.`);
}
