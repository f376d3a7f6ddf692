import { describe, expect, test } from "vitest";
import { addPatterns, anchored, patternIssue } from "./ignore-file.ts";

describe("adding patterns", () => {
  test.each<[what: string, before: string, after: string]>([
    ["an empty file", "", "a/\n*.log\n"],
    ["a file that ends with a line break", "x\n", "x\na/\n*.log\n"],
    ["a file that ends without one", "x", "x\na/\n*.log"],
    ["a file of Windows", "x\r\ny\r\n", "x\r\ny\r\na/\r\n*.log\r\n"],
    ["a file of Windows without an end", "x\r\ny", "x\r\ny\r\na/\r\n*.log"],
    ["a file that has one of them", "*.log  \nx\n", "*.log  \nx\na/\n"],
    ["a file that has it in a comment only", "# a/\n*.log\n", "# a/\n*.log\na/\n"],
    ["a file with a byte order mark", "\uFEFFa/\n", "\uFEFFa/\n*.log\n"],
    ["a file that has both", "*.log\r\n\r\na/", "*.log\r\n\r\na/"],
  ])("to %s", (_, before, after) => {
    expect(addPatterns(before, ["a/", "*.log"]).text).toBe(after);
  });

  test("it says what was added and what was present, each once", () => {
    const { added, present } = addPatterns("b\n", ["a", "b", "a ", "b"]);
    expect([added, present]).toEqual([["a"], ["b"]]);
  });

  test("doing it again changes nothing", () => {
    const { text } = addPatterns("x", ["a", "b\\ "]);
    expect(addPatterns(text, ["a", "b\\ "])).toEqual({ text, added: [], present: ["a", "b\\ "] });
  });
});

test.each(["#x", " ", "a\nb", "a\0"])("%j is no pattern", (pattern) => {
  expect(patternIssue(pattern)).toMatch(/^it /);
});

test.each(["a", "!a/b", "\\#x", " a", "**/*.log"])("%j is a pattern", (pattern) => {
  expect(patternIssue(pattern)).toBeUndefined();
});

test.each([
  ["out/", "sub/", "out/"],
  ["*.log", "sub/", "*.log"],
  ["/out", "sub/", "/sub/out"],
  ["a/b", "sub/deep/", "/sub/deep/a/b"],
  ["!a/b", "sub/", "!/sub/a/b"],
  ["a/b", "", "a/b"],
])("%s, counted from %j, is %s from the top", (pattern, prefix, moved) => {
  expect(anchored(pattern, prefix)).toBe(moved);
});
