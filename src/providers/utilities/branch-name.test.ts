import { expect, test } from "vitest";
import { branchName, slug } from "./branch-name.ts";

test.each([
  ["Add a login page!", "add-a-login-page"],
  ["Größe, Naïveté", "gro-e-naivete"],
  ["don't stop", "dont-stop"],
  ["  --x--  ", "x"],
  ["日本語", "work"],
  ["", "work"],
  ["../../etc; rm -rf ~", "etc-rm-rf"],
  ["one two three four five six seven eight nine ten", "one-two-three-four-five-six-seven-eight"],
  ["a".repeat(60), "a".repeat(40)],
])("%j has the slug %s", (text, expected) => {
  expect(slug(text)).toBe(expected);
});

test.each([
  ["01J9Z-ABCDEF", "baton/do-it-abcdef"],
  ["x", "baton/do-it-x"],
  ["child/3/plan~b", "baton/do-it-3planb"],
  ["é", "baton/do-it-run"],
])("run %s works on %s", (runId, expected) => {
  expect(branchName("Do it", runId)).toBe(expected);
});
