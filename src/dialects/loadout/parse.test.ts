/** Parsing (§3.2): a bare object, a fenced block, or the first balanced object inside prose; no repair. */
import { expect, test } from "vitest";
import { parseObject } from "./parse.ts";

const object = { ok: true, value: { a: 1 } };

test.each([
  ["a bare object", ' {"a":1}\n'],
  ["a fenced block", 'Here it is:\n```json\n{"a":1}\n```\nDone.'],
  ["a fence without a language, indented", '  ```\n  {"a":1}\n  ```'],
  ["the second of two blocks, the first being no JSON", '```sh\nls {\n```\n```json\n{"a":1}\n```'],
  ["an object inside prose", 'I think {"a":1} is right. {"b":2}'],
  ["a fenced block before an object in prose", 'Not {"b":2} but\n```json\n{"a":1}\n```'],
])("§3: an object is found in %s", (_what, text) => {
  expect(parseObject(text)).toEqual(object);
});

test("braces and quotes inside strings do not count", () => {
  const text = 'So: {"a":"} \\" {","b":{"c":"\\\\"}} and that is all }';
  expect(parseObject(text)).toEqual({ ok: true, value: { a: '} " {', b: { c: "\\" } } });
});

test.each([
  ["nothing", "  ", /empty/],
  ["prose", "All done.", /no complete JSON object/],
  ["an object that is cut off", '{"a":1', /no complete JSON object/],
  ["broken JSON", "{a:1}", /no complete JSON object/],
  ["a list", "[1]", /not an object/],
  ["a list of objects", '[{"a":1}]', /not an object/],
  ["a text", '"a"', /not an object/],
])("§3: %s is refused and never repaired", (_what, text, message) => {
  const parsed = parseObject(text);
  expect(parsed.ok === false && parsed.message).toMatch(message);
});

test("a long text without an end is read once", () => {
  const text = `${"{".repeat(200_000)}`;
  const before = performance.now();
  expect(parseObject(text).ok).toBe(false);
  expect(performance.now() - before).toBeLessThan(1000);
});

test("an object that is nested too deep for a log is none", () => {
  const nested = (depth: number) => `${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`;
  expect(parseObject(nested(500)).ok).toBe(true);
  for (const depth of [501, 100_000]) expect(parseObject(nested(depth))).toMatchObject({ ok: false });
  expect(parseObject(`{"list": ${"[".repeat(600)}${"]".repeat(600)}}`)).toMatchObject({ ok: false });
});
