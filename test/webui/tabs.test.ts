/** Ten tabs work as one does: they share what a browser has few of, and each of them hears what happens. */

import { describe, expect, test } from "vitest";
import type { RunDocument } from "../../src/protocol/studio.ts";
import { CHROMIUM, Studio } from "./studio.ts";

const TABS = 10;

describe.skipIf(CHROMIUM === undefined)("ten tabs", () => {
  test("show a run, and all hear of its end", { timeout: 120_000 }, async () => {
    const studio = await Studio.open(["graph-semantics-loadout.json", "graph-semantics-script.json"]);
    const { run } = await studio.ask<RunDocument>("/api/runs", {
      ...{ definition: "graph-semantics-loadout.json", script: "graph-semantics-script.json", yes: true },
    });
    const first = await studio.page(`/runs/${run}`);
    const context = first.page.context();
    const pages = [first.page];
    while (pages.length < TABS) pages.push(await context.newPage());
    await Promise.all(pages.slice(1).map((page) => page.goto(`${studio.origin}/runs/${run}`)));
    for (const page of pages) await page.getByText("It waits for a person").waitFor();
    await studio.ask(`/api/runs/${run}/commands`, { verb: "approve", question: "9/Socket-4:0" });
    for (const page of pages) {
      await page.locator('header [data-status="completed"]').waitFor();
      await expect.poll(() => page.title(), { timeout: 20_000 }).not.toMatch(/^\(/);
      const last = await page.getByRole("slider", { name: "Event of the log" }).getAttribute("max");
      expect(last).toBe(
        await first.page.getByRole("slider", { name: "Event of the log" }).getAttribute("max"),
      );
    }
    await pages[0]?.close();
    await studio.ask("/api/runs", { definition: "graph-semantics-loadout.json", ...SCRIPTED });
    for (const page of pages.slice(1)) {
      await expect.poll(() => page.title(), { timeout: 20_000 }).toMatch(/^\(1\) /);
    }
    expect(first.faults).toEqual([]);
  });
});

const SCRIPTED = { script: "graph-semantics-script.json", yes: true };
