import { describe, expect, test } from "vitest";
import { EXIT, exitCodeOf, FAILURES, REFUSALS } from "./codes.ts";

test("a failed run exits with 1, whatever failed; a refusal tells misuse from a lost race", () => {
  expect(new Set(Object.values(FAILURES).map(({ exit }) => exit))).toEqual(new Set([EXIT.failed]));
  expect(REFUSALS.unknown_run.exit).toBe(EXIT.usage);
  expect(REFUSALS.conflict.exit).toBe(EXIT.failed);
});

test("every code has an HTTP status of an error", () => {
  for (const { http } of [...Object.values(FAILURES), ...Object.values(REFUSALS)]) {
    expect(http).toBeGreaterThanOrEqual(400);
    expect(http).toBeLessThan(600);
  }
});

describe("the exit code of a run", () => {
  test.each([
    ["completed", null, 0],
    ["completed", "no_matching_edge", 0],
    ["failed", "edge_exhausted", 1],
    ["running", null, 1],
    ["waiting", null, 3],
    ["paused", "requested", 3],
    ["paused", "agent_failed", 3],
    ["paused", "toString", 3],
    ["paused", "budget_exhausted", 4],
    ["paused", "stalled", 5],
    ["cancelled", "Enough", 6],
  ])("%s (%s) is %i", (standing, reason, code) => {
    expect(exitCodeOf(standing, reason)).toBe(code);
  });
});
