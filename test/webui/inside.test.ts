/** What happens in the lanes of a loop and in a loadout inside is seen on the page of the run around it. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { RunDocument } from "../../src/protocol/studio.ts";
import { ROOT } from "../scenarios/cli-harness.ts";
import { lanes } from "../scenarios/lanes-stage.ts";
import { CHROMIUM, Studio } from "./studio.ts";

const items = ["One", "Two", "Three"].map((title) => ({ title, context: `Do ${title}.` }));
const SCRIPT = {
  "Socket-1": [{ workItems: items }],
  // Every lane plays it from its beginning.
  "Socket-2": [{ $: "turn", text: "built", ask: { title: "May I?", args: {} } }],
  "Socket-3": [{ satisfied: true, result: 1 }],
  "Socket-4": ["told"],
};

const cookbook = (name: string): unknown =>
  JSON.parse(readFileSync(join(ROOT, "examples", "cookbook", name), "utf8"));

describe.skipIf(CHROMIUM === undefined)("on the page of a run", () => {
  test("lanes unfold on the timeline, and light the nodes of the loop", { timeout: 120_000 }, async () => {
    const studio = await Studio.open([], {
      "lanes.json": { name: "lanes", ...lanes() },
      "lanes-script.json": SCRIPT,
    });
    const { run } = await studio.ask<RunDocument>("/api/runs", {
      ...{ definition: "lanes.json", script: "lanes-script.json", task: "All of it", yes: true },
    });
    const shown = await studio.page(`/runs/${run}`);
    const { page } = shown;
    await page.getByText("It waits for a person: Build asks “May I?”").waitFor();
    const visits = page.getByRole("list", { name: "Visits" });
    for (const title of ["One", "Two", "Three"]) await visits.getByText(title).waitFor();
    await page.getByRole("button", { name: /^Build agent .*asking ×3/ }).waitFor();
    await page.getByRole("button", { name: /^Keep agent .*idle/ }).waitFor();

    const { questions } = (await studio.ask<RunDocument>(`/api/runs/${run}`)).result;
    for (const { id } of questions) {
      await studio.ask(`/api/runs/${run}/commands`, { verb: "approve", question: id });
    }
    await page.getByRole("button", { name: /^Keep agent .*done ×3/ }).waitFor();
    await page.getByRole("button", { name: "Inside of Build" }).click();
    await visits.getByText("Two").waitFor({ state: "detached" });
    await page.getByRole("button", { name: /^Keep agent .*idle/ }).waitFor();
    await page.getByRole("button", { name: "Inside of Build" }).click();

    await visits.getByRole("button", { name: /Keep/ }).last().click();
    const inspector = page.getByRole("complementary", { name: "Inspector" });
    await inspector.getByRole("heading", { name: "Keep" }).waitFor();
    await inspector.getByText("WI-3 · Three").waitFor();
    expect(await inspector.getByRole("link", { name: /its own page/ }).getAttribute("href")).toContain(
      encodeURIComponent("~WI-3"),
    );
    expect(shown.faults).toEqual([]);
  });

  test("a loadout inside unfolds before it ran, and with what happened in each of its visits", {
    timeout: 120_000,
  }, async () => {
    const studio = await Studio.open([], {
      "outer.json": cookbook("7-a-loadout-inside.json"),
      "outer-script.json": { ...(cookbook("7-a-loadout-inside.script.json") as object) },
    });
    const { run } = await studio.ask<RunDocument>("/api/runs", {
      ...{ definition: "outer.json", script: "outer-script.json", task: "Both", yes: true },
    });
    const shown = await studio.page(`/runs/${run}?seq=1`);
    const { page } = shown;
    await page.getByRole("button", { name: "Unfold Do-One" }).click();
    await page.getByRole("button", { name: /^Check agent .*idle/ }).waitFor();
    await page.getByRole("slider", { name: "Event of the log" }).focus();
    await page.keyboard.press("End");
    await page.getByRole("button", { name: /^Check agent .*done ×2/ }).waitFor();
    const visits = page.getByRole("list", { name: "Visits" });
    await visits.evaluate("(list) => list.parentElement.scrollTo(0, 0)");
    // Plan, and two visits of Do-One with four inside of each.
    await shown.until("document.querySelectorAll('[aria-label=Visits] button[aria-pressed]').length >= 8");
    expect(shown.faults).toEqual([]);
  });
});
