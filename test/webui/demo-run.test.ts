/** A person starts the demo from the page, decides what is asked, sees the rework and why, goes back, forks and compares. */

import { describe, expect, test } from "vitest";
import type { RunDocument, RunsPage } from "../../src/protocol/studio.ts";
import { CHROMIUM, Studio } from "./studio.ts";

const DEMO = ["graph-semantics-loadout.json", "graph-semantics-script.json"];

describe.skipIf(CHROMIUM === undefined)("the demo run in the studio", () => {
  test("is started, approved, looked into, scrubbed, forked and compared", { timeout: 240_000 }, async () => {
    const studio = await Studio.open(DEMO);
    const shown = await studio.page("/runs");
    const { page } = shown;

    await page.getByText("Nothing has run here yet").waitFor();
    await page.getByRole("button", { name: "Start a run" }).first().click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Definition").selectOption("graph-semantics-loadout.json");
    await dialog.getByLabel("Task").fill("Greet people by name");
    await dialog.getByText("Script, inputs and budget").click();
    await dialog.getByLabel("Script").fill("graph-semantics-script.json");
    await dialog.getByText("What it may do").waitFor();
    await dialog.getByRole("button", { name: "Start", exact: true }).click();

    await page.getByText("It waits for a person").waitFor();
    expect(new URL(page.url()).pathname).toMatch(/^\/runs\/\w+$/);
    expect(await page.title()).toMatch(/^\(1\) /);

    await page.getByRole("link", { name: "Decide" }).click();
    await page.getByRole("heading", { name: "Write GREETING.md" }).waitFor();
    await page.keyboard.press("a");
    await page.getByText("Nobody waits for you").waitFor();

    await page.getByRole("link", { name: "Runs", exact: true }).click();
    await page.getByRole("list", { name: "Runs" }).getByText("completed").waitFor();
    await page.getByRole("link", { name: /Graph-Semantics/ }).click();
    await page.getByRole("button", { name: /^Auto-Eval agent Loop consumer done/ }).click();
    await page.getByLabel("Visit", { exact: true }).selectOption("1");
    const why = page.getByRole("region", { name: "Why it went on like this" });
    await why.getByText("Socket-4").first().waitFor();
    expect(await why.textContent()).toContain("wants not satisfied; the output says satisfied: false");
    expect(await why.textContent()).toContain('gives "Hello, undefined!"');
    expect(await why.textContent()).toContain("wants satisfied; the output says satisfied: false");

    await page.getByText("Prompt", { exact: true }).click();
    await page.getByText("You judge whether the current work item is done").waitFor();

    const scrubber = page.getByRole("slider", { name: "Event of the log" });
    await scrubber.focus();
    await page.keyboard.press("Home");
    await page.getByText("This is the past: event 1 of").waitFor();
    expect(await page.getByRole("list", { name: "Visits" }).count()).toBe(0);
    await page.keyboard.press("ArrowRight");
    await page.getByText("event 2 of").waitFor();
    await page.getByRole("button", { name: /^Ignore-Artifacts utility .*running/ }).waitFor();
    await page.keyboard.press("End");
    await page.getByRole("button", { name: "Newest", exact: true }).waitFor();

    const link = new URL(page.url());
    link.searchParams.set("seq", "40");
    await page.goto(link.href);
    await page.getByText("This is the past: event 40 of").waitFor();
    await page.getByRole("button", { name: "Fork from here" }).click();
    await page.getByRole("button", { name: "Fork", exact: true }).click();
    await page.getByText(/fork of \w+ at 40/).waitFor();
    const fork = new URL(page.url()).pathname.split("/").at(-1);

    await page.getByRole("button", { name: "Compare" }).click();
    await page.getByRole("dialog").getByRole("link").first().click();
    await page.getByRole("region", { name: "First difference" }).waitFor();
    expect(new URL(page.url()).searchParams.get("left")).toBe(fork);

    await page.goBack();
    await page.getByRole("button", { name: "Resume" }).first().click();
    await page
      .getByText(/It waits for a person|completed/)
      .first()
      .waitFor();
    const { runs } = await studio.ask<RunsPage>("/api/runs");
    expect(runs.map(({ run }) => run)).toContain(fork);
    expect(shown.faults).toEqual([]);
    expect(shown.foreign).toEqual([]);
  });

  test("a letter that nobody got is shown with the reason", { timeout: 120_000 }, async () => {
    const nodes = { lead: { kind: "orchestrator" }, coder: { kind: "task" } };
    const pair = { name: "pair", nodes, edges: [{ from: "lead", to: "coder" }] };
    const sends = [{ to: "nobody", message: "Are you there?" }];
    const script = { lead: [{ $: "turn", text: "Off.", sends }, "Well."], coder: [] };
    const studio = await Studio.open([], { "pair.json": pair, "pair-script.json": script });
    const { run } = await studio.ask<RunDocument>("/api/runs", {
      ...{ definition: "pair.json", script: "pair-script.json", yes: true },
      messages: [{ node: "lead", text: "Begin." }],
    });
    const { page } = await studio.page(`/runs/${run}?tab=mail`);
    const lost = page.getByRole("listitem").filter({ hasText: "not delivered" });
    await lost.getByText("nobody", { exact: true }).waitFor();
    expect(await lost.textContent()).toContain("[unknown_target]");
  });

  test("an inbox graph is started with a message, and its letters are read", {
    timeout: 240_000,
  }, async () => {
    const studio = await Studio.open(["inbox-team.json", "inbox-team-script.json"]);
    const shown = await studio.page("/runs?start=1&definition=inbox-team.json");
    const { page } = shown;
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Message to lead").fill("Build a sign-up form");
    await dialog.getByText("Script, inputs and budget").click();
    await dialog.getByLabel("Script").fill("inbox-team-script.json");
    await dialog.getByRole("button", { name: "Start", exact: true }).click();
    await page.getByRole("tab", { name: /Mail/ }).click();
    await page.getByText("Build a sign-up form that posts name and e-mail.").waitFor();
    await page.getByRole("button", { name: /^frontend agent task/ }).click();
    const inspector = page.getByRole("complementary", { name: "Inspector" });
    await inspector.getByText("handoff #1").waitFor();
    expect(shown.faults).toEqual([]);
  });
});
