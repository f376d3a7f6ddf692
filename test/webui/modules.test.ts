/** A module is drawn before it ever ran, with what is inside of it, and only where its code may run. */

import { execFileSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { CHROMIUM, Studio } from "./studio.ts";

const MODULE = `
import { END, START, StateGraph, field } from "batonjs";
const said = { said: field<string>() };
const team = new StateGraph(said)
  .addNode("write", () => ({ said: "a draft" })).addEdge(START, "write").addEdge("write", END).compile();
export default new StateGraph(said)
  .addNode("team", team).addEdge(START, "team").addEdge("team", END).compile();
`;

describe.skipIf(CHROMIUM === undefined)("a module that never ran", () => {
  test("is drawn, and its sub-graphs unfold", { timeout: 120_000 }, async () => {
    const studio = await Studio.open([], { "team.ts": MODULE });
    const shown = await studio.page("/definitions/edit?path=team.ts");
    const { page } = shown;
    await page.getByRole("button", { name: /^team graph/ }).waitFor();
    await page.getByRole("button", { name: "Unfold team" }).click();
    await page.getByRole("button", { name: /^write node/ }).waitFor();
    await page.getByRole("button", { name: "Fold team", exact: true }).click();
    await page.getByRole("button", { name: /^write node/ }).waitFor({ state: "detached" });
    expect(shown.faults).toEqual([]);
  });

  test("that came with a repository says what to run first, and is drawn then", {
    timeout: 120_000,
  }, async () => {
    const studio = await Studio.open([], { "team.ts": MODULE }, async (folder) => {
      for (const args of [["init"], ["add", "team.ts"]]) execFileSync("git", args, { cwd: folder });
    });
    const shown = await studio.page("/definitions/edit?path=team.ts");
    const { page } = shown;
    await page.getByText("came with its repository, and drawing it would run its code").waitFor();
    const [, call = ""] =
      /(\S+ trust team\.ts)$/.exec((await page.locator("code").first().textContent()) ?? "") ?? [];
    expect(call).not.toBe("");
    expect((await studio.cli.run("trust", "team.ts")).code).toBe(0);
    await page.getByRole("button", { name: "I have allowed it" }).click();
    await page.getByRole("button", { name: /^team graph/ }).waitFor();
    expect(shown.faults).toEqual([]);
  });

  test("that cannot be loaded says why beside its code", { timeout: 120_000 }, async () => {
    const studio = await Studio.open([], { "team.ts": `${MODULE}\nthrow new Error("out of paper");` });
    const { page } = await studio.page("/definitions/edit?path=team.ts");
    await page.getByRole("alert").getByText("out of paper").waitFor();
    await page.getByRole("region", { name: "Code" }).getByText("StateGraph").waitFor();
  });
});
