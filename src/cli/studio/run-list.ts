/**
 * The list of runs, page by page, last changed first.
 *
 * 1. A cursor names the time of the last line that was given out and its run: where that run has moved up meanwhile,
 *    the next page begins with what had not changed later.
 */

import type { AnswerOf } from "../../protocol/answers.ts";
import type { RunLine } from "../../protocol/studio.ts";
import type { Journal, RunHead } from "../../run/journal.ts";
import { Problem } from "../../server/problem.ts";
import type { RunsQuery } from "../../server/studio.ts";
import type { RunLines } from "./run-lines.ts";

export interface Listing {
  readonly journal: Journal;
  readonly lines: RunLines;
  /** A whole line, with who drives the run. */
  readonly lineOf: (head: RunHead) => Promise<RunLine>;
}

/** A page of the runs that fit, and how many there are of each status, whatever fits. */
export async function listRuns(
  { journal, lines, lineOf }: Listing,
  query: RunsQuery,
): Promise<AnswerOf<"runs">> {
  const heads = await journal.runs();
  const counts: Partial<Record<RunLine["status"], number>> = {};
  for (const { status } of heads) counts[status] = (counts[status] ?? 0) + 1;
  const found: RunHead[] = [];
  for (const head of afterCursor(heads, query.cursor)) {
    if (found.length > query.limit) break;
    if (await fits(head, query, lines)) found.push(head);
  }
  const page = found.slice(0, query.limit);
  const last = found.length > query.limit ? page.at(-1) : undefined;
  const runs: RunLine[] = [];
  for (const head of page) runs.push(await lineOf(head));
  return { runs, counts, next: last === undefined ? null : `${last.updatedAt}~${last.run}` };
}

function afterCursor(heads: readonly RunHead[], cursor: string | undefined): readonly RunHead[] {
  if (cursor === undefined) return heads;
  const [, time = "", run] = /^(\d+)~(.+)$/su.exec(cursor) ?? [];
  if (run === undefined)
    throw new Problem("invalid_input", "This is no cursor that a page of runs ended with.");
  const at = heads.findIndex((head) => head.run === run && head.updatedAt === Number(time));
  if (at !== -1) return heads.slice(at + 1);
  const next = heads.findIndex(({ updatedAt }) => updatedAt <= Number(time)); // (1)
  return next === -1 ? [] : heads.slice(next);
}

async function fits(
  head: RunHead,
  { status, dialect, search }: RunsQuery,
  lines: RunLines,
): Promise<boolean> {
  if (status !== undefined && head.status !== status) return false;
  if (dialect !== undefined && head.program.dialect !== dialect) return false;
  if (search === undefined) return true;
  const wanted = search.toLowerCase();
  const texts = [head.run, head.program.name, await lines.task(head)];
  return texts.some((text) => text.toLowerCase().includes(wanted));
}
