/** docs/loadout/rules.md tells the truth: each test that it names is there, and no section is left out. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

const PAGE = new URL("../../docs/loadout/rules.md", import.meta.url);
const page = readFileSync(PAGE, "utf8");
const rows = [...page.matchAll(/^\| (.+) \| \[.+\]\((.+)\) “(.+)” \|$/gm)];

test("each rule names a test that is there", () => {
  const missing = rows.filter(
    ([, , file = "", title = ""]) => !readFileSync(new URL(file, PAGE), "utf8").includes(title),
  );
  expect(missing.map(([row]) => row)).toEqual([]);
  expect(rows.length).toBe(page.match(/^\| (?!Rule|---)/gm)?.length);
});

test("all eleven sections are there, each with rules", () => {
  const sections = page.split(/^## /m).slice(1);
  expect(sections.map((section) => section.split(" ")[0])).toEqual(
    Array.from({ length: 11 }, (_, index) => `§${index + 1}`),
  );
  for (const section of sections) expect(section).toMatch(/^\| .+ “.+” \|$/m);
});
