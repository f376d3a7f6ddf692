import { describe, expect, test } from "vitest";
import { titleIssue } from "./sigil.ts";
import { reportTitles } from "./title-report.ts";

describe("a commit title", () => {
  test.each([
    "feat: add login",
    "fix(parser): accept tabs",
    "refactor(core, api)!: drop the old door",
    "chore!: x",
    "docs: tell why a: b",
  ])("%s", (title) => {
    expect(titleIssue(title)).toBeUndefined();
  });

  test.each([
    ["add login", /no type and colon/],
    ["", /no type and colon/],
    ["feat(: x", /no type and colon/],
    ["feat !: x", /no type and colon/],
    ["feta: x", /did you mean feat/],
    ["story: x", /"story" is not known; use feat, fix/],
    ["doc: x", /did you mean docs/],
    ["Feat: x", /did you mean feat/],
    ["feat(): x", /scope is empty/],
    ["feat:", /no summary/],
    ["feat:   ", /no summary/],
    ["feat:x", /one space/],
    ["feat:  x", /one space/],
    ["feat: x\ny", /more than one line/],
  ])("%j is none", (title, why) => {
    expect(titleIssue(title)).toMatch(why);
  });

  test("its types may be others", () => {
    expect(titleIssue("story: x", ["story"])).toBeUndefined();
    expect(titleIssue("feat: x", ["story"])).toMatch(/not known/);
  });
});

describe("a report", () => {
  const item = (title: string) => ({ title, context: "c" });

  test("is satisfied when all titles are, also when there are none", () => {
    expect(reportTitles([item("feat: a"), item("fix: b")])).toMatchObject({ satisfied: true });
    expect(reportTitles([])).toMatchObject({ satisfied: true });
  });

  test("names what is wrong by item", () => {
    const { satisfied, context } = reportTitles([item("feat: a"), item("b"), { context: "c" }, null]);
    expect(satisfied).toBe(false);
    expect(context.split("\n")).toEqual([
      "The titles of 4 work items checked: 3 should be type(scope)!: summary.",
      '- WI-2 "b": it has no type and colon before the summary',
      "- WI-3: it has no title",
      "- WI-4: it has no title",
    ]);
  });

  test("stays short", () => {
    const { context } = reportTitles(Array.from({ length: 500 }, () => item("x")));
    expect(context.split("\n")).toHaveLength(22);
    expect(context.endsWith("- and 480 more")).toBe(true);
  });
});
