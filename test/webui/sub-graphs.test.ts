/** What happens inside of a node is seen in the graph and on the timeline around it, at every moment. */

import { describe, expect, test } from "vitest";
import type { RunDocument } from "../../src/protocol/studio.ts";
import { CHROMIUM, Studio } from "./studio.ts";

const MODULE = `
import { END, START, StateGraph, field, interrupt } from "batonjs";
const said = { said: field<string>() };
const team = new StateGraph(said)
  .addNode("write", () => ({ said: "a draft" }))
  .addNode("review", () => ({ said: interrupt<string>("What about this draft?") }))
  .addSequence(["write", "review"]).addEdge(START, "write").addEdge("review", END).compile();
export default new StateGraph(said)
  .addNode("team", team).addNode("print", () => ({}))
  .addEdge(START, "team").addEdge("team", "print").addEdge("print", END).compile();
`;

describe.skipIf(CHROMIUM === undefined)("a sub-graph", () => {
  test("unfolds with what happened inside, and folds again", { timeout: 120_000 }, async () => {
    const studio = await Studio.open([], { "sub.ts": MODULE });
    const { run } = await studio.ask<RunDocument>("/api/runs", { definition: "sub.ts", yes: true });
    const shown = await studio.page(`/runs/${run}`);
    const { page } = shown;
    await page.getByRole("button", { name: "Unfold team" }).click();
    const visits = page.getByRole("list", { name: "Visits" });
    await visits.getByText("write").waitFor();
    await page.getByRole("button", { name: /^write node .*done/ }).waitFor();
    await page.getByRole("button", { name: /^review node .*asking/ }).click();
    const inspector = page.getByRole("complementary", { name: "Inspector" });
    await inspector.getByText("What about this draft?").waitFor();
    expect(await inspector.getByRole("link", { name: /its own page/ }).getAttribute("href")).toContain(
      encodeURIComponent(`${run}/1/team`),
    );

    const question = { verb: "answer", question: "1/team:0", value: "fine" };
    await studio.ask(`/api/runs/${run}/commands`, question);
    await page.getByRole("button", { name: /^review node .*done/ }).waitFor();
    await page.getByRole("slider", { name: "Event of the log" }).focus();
    await page.keyboard.press("Home");
    await page.getByText("This is the past: event 1 of").waitFor();
    await page.getByRole("button", { name: /^write node .*idle/ }).waitFor();
    await page.keyboard.press("End");
    await page.getByRole("button", { name: "Inside of team" }).click();
    await visits.getByText("write").waitFor({ state: "detached" });
    expect(shown.faults).toEqual([]);
  });
});
