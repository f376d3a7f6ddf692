/** Answers against the JSON Schema of their question. */
import { expect, test } from "vitest";
import type { Json } from "../../base/json.ts";
import { misfit } from "./answer-schema.ts";

const rows: [value: Json, schema: Json, problem: string | undefined][] = [
  [1, {}, undefined],
  [1, true, undefined],
  [1, false, "the answer is not allowed."],
  ["x", { type: "string" }, undefined],
  [1, { type: "string" }, "the answer should be of type string."],
  [1.5, { type: "integer" }, "the answer should be of type integer."],
  [null, { type: ["string", "null"] }, undefined],
  [[], { type: "object" }, "the answer should be of type object."],
  ["b", { enum: ["a", { k: 1 }] }, 'the answer should be "a" or {"k":1}.'],
  [{ k: 1 }, { enum: ["a", { k: 1 }] }, undefined],
  [2, { const: 1 }, "the answer should be 1."],
  ["", { minLength: 1 }, "the answer in characters should be at least 1."],
  [11, { maximum: 10 }, "the answer should be at most 10."],
  [[1, 2], { maxItems: 1 }, "the answer in items should be at most 1."],
  [{}, { required: ["a"] }, "the answer should have a."],
  [{ a: "x" }, { properties: { a: { type: "number" } } }, "the answer.a should be of type number."],
  [{ b: 1 }, { properties: { a: {} }, additionalProperties: false }, "the answer.b is not allowed."],
  [[1, "x"], { items: { type: "number" } }, "the answer[1] should be of type number."],
  [
    { toString: 1 },
    { properties: {}, additionalProperties: { type: "string" } },
    "the answer.toString should be of type string.",
  ],
];

test.each(rows)("%j against %j", (value, schema, problem) => {
  expect(misfit(value, schema)).toBe(problem);
});
