/** Every rule has a test that names it, and every mark in the name of a test is that of a rule. */
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { RULES } from "./stategraph-rules.ts";

const FOLDERS = ["./", "../types/"].map((path) => new URL(path, import.meta.url));
const MARK = /(?:§\d+|seed|peer)\.\d+/g;

/** The marks that stand in the names of the tests of a file, or in the rows that make up names: never in comments. */
function marksIn(file: URL): string[] {
  const code = readFileSync(file, "utf8").replaceAll(/^\s*(\/\/|\/?\*).*$/gm, "");
  const texts = code.match(/"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'/g) ?? [];
  return texts.flatMap((text) => text.match(MARK) ?? []);
}

const files = FOLDERS.flatMap((folder) =>
  readdirSync(folder)
    .filter(
      (name) => /^(stategraph|large-graph).*\.test\.ts$/.test(name) && name !== "stategraph-rules.test.ts",
    )
    .map((name) => new URL(name, folder)),
);
const found = new Set(files.flatMap(marksIn));

describe("rules", () => {
  test.each(Object.entries(RULES))("%s has a test: %s", (mark) => {
    expect(found).toContain(mark);
  });

  test("no test names a rule that there is not", () => {
    expect([...found].filter((mark) => !Object.hasOwn(RULES, mark))).toEqual([]);
  });
});
