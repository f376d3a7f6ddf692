import { describe, expect, test } from "vitest";
import { addResult, type Results } from "./stall.ts";

/** The place at which a row of results has stalled, and the length of its round. */
function stallOf(row: Iterable<string>, limit = 3): [at: number, period: number] | undefined {
  let results: Results | undefined;
  let at = 0;
  for (const hash of row) {
    at++;
    const next = addResult(results, hash, limit);
    results = next.results;
    expect(results.last.length).toBeLessThanOrEqual(8);
    if (next.stall !== undefined) return [at, next.stall.period];
  }
  return undefined;
}

describe("law 2: a round counts once it has come so often in a row", () => {
  test.each([
    ["aaa", 3, [3, 1]],
    ["baaa", 3, [4, 1]],
    ["aabaab", 3, undefined],
    ["aabaabaab", 3, [9, 3]],
    ["abab", 2, [4, 2]],
    ["ababab", 3, [6, 2]],
    ["abcabcabc", 3, [9, 3]],
    ["abcdefghabcdefgh", 2, [16, 8]],
    ["abcdefghiabcdefghi", 2, undefined],
    ["abacadaeafag", 3, undefined],
    ["aa", 3, undefined],
  ] as const)("%s with a limit of %i", (row, limit, expected) => {
    expect(stallOf(row, limit)).toEqual(expected);
  });
});

test("output that keeps changing never stalls", () => {
  expect(stallOf(Array.from({ length: 500 }, (_, index) => `result ${index}`))).toBeUndefined();
});

test("the evidence is one round, in order", () => {
  let results: Results | undefined;
  for (const hash of "abab") results = addResult(results, hash, 3).results;
  results = addResult(results, "a", 3).results;
  expect(addResult(results, "b", 3).stall).toEqual({ period: 2, times: 3, round: ["a", "b"] });
});
