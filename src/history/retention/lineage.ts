/**
 * The lineage of a run is every run whose past it has: itself, the root of its family, and what it was forked from,
 * near ones first. What lies beside a database for one of them may still be needed by it.
 */

import type { RunId } from "../../base/names.ts";
import type { Journal } from "../../run/journal.ts";
import { readEvents } from "../../run/load.ts";

/** The lineage of a run; ancestors that were removed since are in it. */
export async function lineageOf(journal: Journal, run: RunId): Promise<readonly RunId[]> {
  const lineage = new Set<RunId>([run]);
  for (const each of lineage) {
    const parent = (await journal.head(each))?.parent?.run;
    if (parent !== undefined) lineage.add(parent);
    for await (const event of readEvents(journal, each, 0)) {
      if (event.type === "run.forked") lineage.add(event.from.run);
    }
  }
  return [...lineage];
}
