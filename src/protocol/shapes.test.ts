import { describe, expect, test } from "vitest";
import type { Json } from "../base/json.ts";
import type { RunVerb } from "./requests.ts";
import { forkShape, saveShape, startShape, VERB_SHAPES, verbShape } from "./shapes.ts";

const VERBS: readonly RunVerb[] = [
  { verb: "answer", question: "4/a:0", value: null },
  { verb: "approve", question: "4/a:0", edit: { path: "x" } },
  { verb: "deny", question: "4/a:0", reason: "No" },
  { verb: "send", node: "lead", text: "Hi" },
  { verb: "interrupt", node: "lead" },
  { verb: "retry" },
  { verb: "pause" },
  { verb: "resume", budget: { maxTokens: 1, maxCostUsd: 0.5 } },
  { verb: "cancel" },
  { verb: "edit", edits: [{ type: "remove_node", id: "a" }] },
];

const codes = (value: unknown) =>
  verbShape.validate(value as Json, "").map(({ code, pointer }) => `${code} ${pointer}`);

describe("the verbs of a run", () => {
  test("each passes, and each has a shape", () => {
    for (const verb of VERBS) expect(codes(verb)).toEqual([]);
    expect(VERBS.map(({ verb }) => verb).sort()).toEqual(Object.keys(VERB_SHAPES).sort());
  });

  test.each([
    [null, ["wrong_type "]],
    [{}, ["missing_field /verb"]],
    [{ verb: "toString" }, ["unknown_value /verb"]],
    [{ verb: "answer", question: "a" }, ["missing_field /value"]],
    [{ verb: "approve" }, ["missing_field /question"]],
    [{ verb: "send", node: "a", text: " " }, ["empty_text /text"]],
    [{ verb: "resume", budget: { maxTokens: 0 } }, ["bad_number /budget/maxTokens"]],
    [{ verb: "resume", budget: { tokens: 1 } }, ["unknown_field /budget/tokens"]],
    [{ verb: "edit", edits: [] }, ["too_few_items /edits"]],
    [{ verb: "pause", run: "other" }, ["unknown_field /run"]],
  ])("%j does not", (value, expected) => expect(codes(value)).toEqual(expected));

  test("a mistyped verb is guessed at", () => {
    const [issue] = verbShape.validate({ verb: "aprove" }, "");
    expect(issue?.hint).toContain('"approve"');
  });
});

test("what a shape does not name is an error: it would be a wish that nobody hears (2)", () => {
  const unknown = (issues: readonly { code: string; severity: string }[]) =>
    issues.map(({ code, severity }) => [code, severity]);
  const expected = [["unknown_field", "error"]];
  expect(unknown(startShape.validate({ definition: "a", yess: true }, ""))).toEqual(expected);
  expect(unknown(forkShape.validate({ att: 1 }, ""))).toEqual(expected);
  expect(unknown(saveShape.validate({ text: "", base: null, force: true }, ""))).toEqual(expected);
  expect(saveShape.validate({ text: "", base: 7 }, "").map(({ code }) => code)).toEqual(["wrong_type"]);
});
