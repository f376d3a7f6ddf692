/** The examples run and print what they promise. */
import { afterEach, expect, test, vi } from "vitest";

afterEach(() => vi.restoreAllMocks());

function listen(): unknown[][] {
  const printed: unknown[][] = [];
  vi.spyOn(console, "log").mockImplementation((...line) => void printed.push(line));
  return printed;
}

test("hello: a draft is sent back once and then approved", async () => {
  const printed = listen();
  await import("../../examples/stategraph-hello.ts");
  expect(printed).toEqual([
    ["asked:", { read: "Batons, draft 1" }],
    ["asked:", { read: "Batons, draft 2" }],
    [{ topic: "Batons", drafts: ["Batons, draft 1", "Batons, draft 2"], approved: true }],
  ]);
});

test("map-reduce: two reviewers ask at once and are answered together", async () => {
  const printed = listen();
  await import("../../examples/stategraph-map-reduce.ts");
  expect(printed.slice(0, 3)).toEqual([
    ["1/review:0", 'Ada, what do you think of "Batons"?'],
    ["1/review#1:0", 'Grace, what do you think of "Batons"?'],
    ["Ada: fine, Grace: too short"],
  ]);
  expect(printed[3]?.[0]).toContain("review --> summarise");
});
