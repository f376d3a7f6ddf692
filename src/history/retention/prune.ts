/**
 * Pruning removes runs that nobody needs any more.
 *
 * 1. A run goes with its children, and a child never goes alone: its parent refers to it.
 * 2. Only runs that are over go, unless another status is named; a running one never does.
 * 3. Texts are not touched: what a fork or any other run refers to stays, and `vacuum` drops the rest.
 */

import type { RunId } from "../../base/names.ts";
import { Refusal } from "../../base/refusal.ts";
import type { RetainingJournal, RunHead, Standing } from "../../run/journal.ts";
import { descendants } from "../family.ts";

export interface PruneOptions {
  /** Only runs whose status changed last before this time, in milliseconds since 1970 UTC. */
  readonly olderThan?: number;
  /** Only runs that stand like this; completed, failed and cancelled ones when absent. */
  readonly statuses?: readonly Standing[];
  /** Keeps so many runs of those that would go, those that changed last. */
  readonly keepLast?: number;
  /** Removes the oldest of those that may go until the logs of all runs take at most so many bytes. */
  readonly maxBytes?: number;
  /** Tells what would go, and removes nothing. */
  readonly dryRun?: boolean;
}

export interface Pruned {
  /** The runs that went, or would go, oldest first. */
  readonly runs: readonly PrunedRun[];
  /** The stored bytes of their logs. */
  readonly bytes: number;
  /** How many runs stay. */
  readonly kept: number;
  readonly dryRun: boolean;
}

export interface PrunedRun {
  readonly run: RunId;
  readonly status: Standing;
  /** Milliseconds since 1970 UTC. */
  readonly updatedAt: number;
  readonly children: number;
  readonly bytes: number;
}

const OVER: readonly Standing[] = ["completed", "failed", "cancelled"];

interface Family {
  readonly head: RunHead;
  readonly runs: readonly RunId[];
  readonly bytes: number;
}

/** Removes the runs that all the given conditions allow. Refuses to remove running ones. */
export async function pruneRuns(journal: RetainingJournal, options: PruneOptions): Promise<Pruned> {
  const { statuses = OVER, olderThan = Number.POSITIVE_INFINITY, keepLast = 0, dryRun = false } = options;
  if (statuses.includes("running")) {
    throw new Refusal("invalid_value", "A running run is not removed. Cancel it first, and prune it then."); // (2)
  }
  const families = await familiesIn(journal);
  const allowed = families
    .filter(({ head }) => statuses.includes(head.status) && head.updatedAt < olderThan)
    .slice(keepLast);
  const going = untilSmall(families, allowed.reverse(), options.maxBytes);
  if (!dryRun && going.length > 0) await journal.remove(going.flatMap(({ runs }) => runs));
  return {
    runs: going.map(({ head: { run, status, updatedAt }, runs, bytes }) => {
      return { run, status, updatedAt, children: runs.length - 1, bytes };
    }),
    bytes: sum(going),
    kept: families.length - going.length,
    dryRun,
  };
}

/** The families of a journal, last changed first. */
async function familiesIn(journal: RetainingJournal): Promise<Family[]> {
  const heads = await journal.runs({ children: true });
  const byRun = new Map(heads.map((head) => [head.run, head]));
  const below = new Map<RunId, RunHead[]>();
  for (const head of heads) {
    if (head.parent === undefined) continue;
    const root = rootOf(head, byRun);
    const known = below.get(root);
    if (known === undefined) below.set(root, [head]);
    else known.push(head);
  }
  const families: Family[] = [];
  for (const head of heads) {
    if (head.parent !== undefined) continue;
    const runs = [head.run, ...descendants(head.run, below.get(head.run) ?? []).map(({ run }) => run)];
    let bytes = 0;
    for (const run of runs) bytes += await journal.weight(run, 0);
    families.push({ head, runs, bytes });
  }
  return families;
}

function rootOf(head: RunHead, heads: ReadonlyMap<RunId, RunHead>): RunId {
  let { run, parent } = head;
  while (parent !== undefined) {
    run = parent.run;
    parent = heads.get(run)?.parent;
  }
  return run;
}

/** The oldest of the families that may go, as many as it takes; all of them when no size is given. */
function untilSmall(
  all: readonly Family[],
  allowed: readonly Family[],
  maxBytes: number | undefined,
): Family[] {
  if (maxBytes === undefined) return [...allowed];
  const going: Family[] = [];
  let bytes = sum(all);
  for (const family of allowed) {
    if (bytes <= maxBytes) break;
    going.push(family);
    bytes -= family.bytes;
  }
  return going;
}

function sum(families: readonly Family[]): number {
  return families.reduce((bytes, family) => bytes + family.bytes, 0);
}
