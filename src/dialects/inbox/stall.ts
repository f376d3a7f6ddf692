/**
 * A stall is a node that keeps saying the same, or goes round and round through the same results.
 *
 * 1. A result is the final message, the sends and the diff of a turn, by the hash of all three.
 * 2. A round of `p` results counts as repeated once it has come `limit` times in a row; `p` is 1 for identical results.
 * 3. What is kept is as large as the longest round looked for, however long the run is.
 */

import type { JsonObject } from "../../base/json.ts";

/** The longest round that is looked for, in turns of a node. */
const LONGEST = 8;

/** What a node's results looked like lately. */
export interface Results {
  /** The hashes of the last results, newest last; at most `LONGEST`. */
  readonly last: readonly string[];
  /** For each round of `p + 1` results, how many results in a row were the same as one round earlier. */
  readonly same: readonly number[];
}

export interface Stall {
  /** How many results make up the round; 1 when all are identical. */
  readonly period: number;
  readonly times: number;
  /** The hashes of one round, in order. */
  readonly round: readonly string[];
}

/** Adds a result; says whether the node has stalled with it. */
export function addResult(
  before: Results | undefined,
  hash: string,
  limit: number,
): { readonly results: Results; readonly stall: Stall | undefined } {
  const { last, same } = before ?? { last: [], same: [] };
  const counts = Array.from({ length: LONGEST }, (_, index) => {
    return last.at(-index - 1) === hash ? (same[index] ?? 0) + 1 : 0;
  });
  const results = { last: [...last, hash].slice(-LONGEST), same: counts }; // (3)
  const index = counts.findIndex((count, i) => count >= (i + 1) * (limit - 1)); // (2)
  if (index === -1) return { results, stall: undefined };
  const period = index + 1;
  return { results, stall: { period, times: limit, round: results.last.slice(-period) } };
}

/** What a person is told about a stall. */
export function describeStall(
  node: string,
  { period, times, round }: Stall,
): { message: string; detail: JsonObject } {
  const what =
    period === 1
      ? `gave the same result ${times} times in a row`
      : `went through the same ${period} results ${times} times in a row`;
  const message = `${node} ${what}. Tell it something new, or resume to let it go on.`;
  return { message, detail: { node, period, times, results: [...round] } };
}
