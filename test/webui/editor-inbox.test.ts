/** A person draws an inbox graph: who is in it, where they lie, and what goes between them; of a file, and of a run. */

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { RunDocument } from "../../src/protocol/studio.ts";
import { ROOT } from "../scenarios/cli-harness.ts";
import { editAddress, Hand, openEditor } from "./editor-hand.ts";
import { CHROMIUM, Studio } from "./studio.ts";

const NAME = "inbox-team.json";
const SCRIPT = "inbox-team-script.json";
const TEAM = readFileSync(join(ROOT, "examples", NAME), "utf8");

describe.skipIf(CHROMIUM === undefined)("the inbox graph editor", () => {
  test("keeps a node where it was put, and the file as it is", { timeout: 120_000 }, async () => {
    const { studio, shown, page, hand } = await openEditor(NAME, [NAME]);
    const judge = page.locator('.react-flow__node[data-id="judge"]');
    await judge.waitFor();
    await shown.still();
    const before = await judge.getAttribute("style");
    await hand.drag(judge, { x: -90, y: -150 });
    const moved = await judge.getAttribute("style");
    expect(moved).not.toBe(before);
    const lead = await page.locator('.react-flow__node[data-id="lead"]').getAttribute("style");
    expect(await page.getByText("not saved").count()).toBe(0);

    await page.reload();
    await judge.waitFor();
    await expect.poll(() => judge.getAttribute("style")).toBe(moved);
    expect(await page.locator('.react-flow__node[data-id="lead"]').getAttribute("style")).toBe(lead);
    await page.locator('[data-node="judge"] > button').press("Enter");
    await hand.type("Name", "proof-reader");
    const renamed = page.locator('.react-flow__node[data-id="proof-reader"]');
    await expect.poll(() => renamed.getAttribute("style")).toBe(moved);
    await hand.save();
    await hand.saved();
    const file = join(studio.cli.cwd, NAME);
    expect(readFileSync(file, "utf8")).toBe(TEAM.replaceAll('"judge"', '"proof-reader"'));
    await hand.type("Label", "Prüferin 🧐 <script>");
    await page.getByRole("button", { name: "Prüferin 🧐 <script>, proof-reader · verifier" }).waitFor();

    await page.keyboard.press("Escape");
    await page.locator('[data-node="lead"] > button').press("Escape");
    await hand.press("Tidy up");
    await expect.poll(() => renamed.getAttribute("style")).not.toBe(moved);
    expect(await page.evaluate<number>("localStorage.length")).toBe(0);
    expect(shown.faults).toEqual([]);
  });

  test("closes the way that may never end, in words and on the canvas", { timeout: 120_000 }, async () => {
    const studio = await Studio.open([NAME], {
      "both.json": {
        nodes: { a: { kind: "orchestrator" }, b: { kind: "task" } },
        edges: [{ from: "a", to: "b" }],
      },
      "self.json": { nodes: { a: { kind: "orchestrator" } }, edges: [{ from: "a", to: "a" }] },
      "ends.json": { nodes: { a: { kind: "orchestrator" }, b: { kind: "task" } }, edges: [] },
    });
    const shown = await studio.page(editAddress(NAME));
    const { page } = shown;
    await page.getByText("A run may never end: lead → frontend → lead").waitFor();
    await page.getByRole("button", { name: "lead, orchestrator, on a way that may never end" }).waitFor();
    await page.getByRole("button", { name: "backend, task", exact: true }).waitFor();
    for (const [file, said] of [
      ["both.json", "A run may never end: a → b → a"],
      ["self.json", "A run may never end: a → a"],
      ["ends.json", "Every run ends."],
    ] as const) {
      await page.goto(studio.origin + editAddress(file));
      await page.getByText(said, { exact: true }).waitFor();
    }
    expect(shown.faults).toEqual([]);
  });

  test("draws a team from nothing: dragged, connected, and put in one direction", {
    timeout: 120_000,
  }, async () => {
    const studio = await Studio.open([]);
    const shown = await studio.page(`${editAddress("team.json")}&new=inbox`);
    const { page } = shown;
    const hand = new Hand(page);
    const palette = page.getByRole("navigation", { name: "Palette" });
    const canvas = page.getByRole("region", { name: "Canvas" });
    await page.locator('[data-node="lead"]').waitFor();
    await palette
      .getByRole("button", { name: /^task/ })
      .dragTo(canvas, { targetPosition: { x: 200, y: 420 } });
    await hand.side.getByRole("heading", { name: "worker" }).waitFor();
    await palette.getByRole("button", { name: "Add verifier", exact: true }).click();
    await hand.side.getByRole("heading", { name: "judge" }).waitFor();
    await shown.still();
    await page
      .locator('[data-node="lead"] .react-flow__handle.source')
      .dragTo(page.locator('[data-node="worker"]'));
    await page.getByRole("button", { name: "Edge lead-worker between lead and worker: handoff" }).click();
    await hand.choose("Type", "report");
    await hand.choose("Direction", "directional");
    await hand.side.getByLabel(/^Auto/).check();
    await hand.save();
    await hand.saved();
    expect(JSON.parse(readFileSync(join(studio.cli.cwd, "team.json"), "utf8"))).toEqual({
      name: "team",
      nodes: { lead: { kind: "orchestrator" }, worker: { kind: "task" }, judge: { kind: "verifier" } },
      edges: [{ from: "lead", to: "worker", type: "report", direction: "directional", auto: true }],
    });
    expect(shown.faults).toEqual([]);
  });

  test("loses nothing of a run's graph that was changed elsewhere meanwhile", {
    timeout: 120_000,
  }, async () => {
    const studio = await Studio.open([NAME, SCRIPT]);
    const { run } = await studio.ask<RunDocument>("/api/runs", {
      ...{ definition: NAME, script: SCRIPT, yes: true },
      messages: [{ node: "lead", text: "Build a sign-up form" }],
    });
    const shown = await studio.page(`/runs/${run}`);
    const { page } = shown;
    await page.getByRole("link", { name: "Edit the graph" }).click();
    const hand = new Hand(page);
    await page.locator('[data-node="frontend"]').waitFor();
    await page.locator('[data-node="frontend"] > button').press("Enter");
    await hand.type("Prompt", "Build what people like to see.");
    const edits = [{ type: "set_node", id: "backend", node: { kind: "task", prompt: "Elsewhere" } }];
    await studio.ask(`/api/runs/${run}/commands`, { verb: "edit", edits });
    // Looked at again, it is another graph; what was changed here stays.
    await page.getByRole("link", { name: "Back to the run" }).click();
    await page.getByRole("link", { name: "Edit the graph" }).click();
    await page.getByText("changed elsewhere meanwhile").waitFor();
    await page.getByRole("button", { name: "Record 1 change" }).click();
    await page.getByRole("button", { name: "Record 0 changes" }).waitFor();
    const { definition } = await studio.ask<RunDocument>(`/api/runs/${run}`);
    expect(definition).toMatchObject({
      nodes: {
        frontend: { prompt: "Build what people like to see." },
        backend: { prompt: "Elsewhere" },
      },
    });
    await expect.poll(() => page.evaluate<string>("document.body.textContent")).not.toContain("meanwhile");
    expect(shown.faults).toEqual([]);
  });

  test("mends a file that is no JSON, without the typing being interrupted", {
    timeout: 120_000,
  }, async () => {
    const broken = TEAM.replace('"mode": "auto",', '"mode": "auto"');
    const studio = await Studio.open([], {});
    writeFileSync(join(studio.cli.cwd, "broken.json"), broken);
    const shown = await studio.page(editAddress("broken.json"));
    const { page } = shown;
    await page.getByText("The JSON cannot be read: line 4.").waitFor();
    const editor = page.getByRole("textbox", { name: "JSON of the definition" });
    await editor.press("Control+Home");
    for (let line = 0; line < 2; line++) await page.keyboard.press("ArrowDown");
    await page.keyboard.press("End");
    await page.keyboard.type(",");
    await page.locator('[data-node="judge"]').waitFor();
    await page.keyboard.type(" "); // the typing goes on in the same place
    await expect.poll(() => editor.textContent()).toContain('"mode": "auto", ');
    await page.keyboard.press("Backspace");
    const hand = new Hand(page);
    await hand.save();
    await hand.saved();
    expect(readFileSync(join(studio.cli.cwd, "broken.json"), "utf8")).toBe(TEAM);
    expect(shown.faults).toEqual([]);
  });
});
