/** A run that stands still or is over says so in its graph, its banner and the list, and nothing seems to go on in it. */

import { describe, expect, test } from "vitest";
import { CHROMIUM, Studio } from "./studio.ts";

const agent = (prompt: string) => ({ tools: "none", prompt });
const WHY = "The converter cannot read this. ".repeat(30);

const FILES = {
  "round.json": {
    ...{ name: "Round", entry: "Socket-1" },
    sockets: {
      "Socket-1": { materia: "Edit", edges: [{ when: "always", to: "Socket-2" }] },
      "Socket-2": {
        ...{ materia: "Judge", parse: "json" },
        edges: [{ when: "not_satisfied", to: "Socket-1", maxTraversals: 2 }],
      },
    },
    materia: { Edit: agent("Edit it."), Judge: agent("Is it good?") },
  },
  "round-script.json": {
    "Socket-1": ["one", "two", "three"],
    "Socket-2": Array.from({ length: 3 }, () => ({ satisfied: false, context: "Not yet." })),
  },
  "ask.json": {
    ...{ name: "Ask", entry: "Socket-1", sockets: { "Socket-1": { materia: "Who" } } },
    materia: { Who: { type: "human", prompt: "Which one?" } },
  },
  "convert.json": {
    ...{ name: "Convert", entry: "Socket-1", sockets: { "Socket-1": { materia: "Convert" } } },
    materia: {
      Convert: {
        type: "utility",
        command: ["node", "-e", `console.error(${JSON.stringify(WHY)}); process.exit(3)`],
      },
    },
  },
};

describe.skipIf(CHROMIUM === undefined)("a run that has stopped", () => {
  test("shows where it failed, and counts no passage that was refused", { timeout: 120_000 }, async () => {
    const studio = await Studio.open([], FILES);
    const script = ["--script", "round-script.json", "--yes", "--run-id", "round"];
    expect((await studio.cli.run("run", "round.json", "Go", ...script)).code).toBe(1);
    const shown = await studio.page("/runs/round?tab=events");
    const { page } = shown;
    await page.getByRole("button", { name: /^Judge agent .*failed ×3/ }).waitFor();
    await page.getByRole("button", { name: /^Edit agent .*done ×3/ }).waitFor();
    await page.getByText("not satisfied, ≤ 2 · ×2", { exact: true }).waitFor();
    // Lines call nodes what the graph calls them.
    await page
      .getByRole("list", { name: "Events" })
      .getByText("→ Edit: satisfied is false")
      .first()
      .waitFor();
    expect(shown.faults).toEqual([]);
  });

  test("keeps what helps in sight, however long the reason is", { timeout: 120_000 }, async () => {
    const studio = await Studio.open([], FILES);
    await studio.cli.run("run", "convert.json", "Go", "--yes", "--run-id", "convert");
    const shown = await studio.page("/runs/convert", { viewport: { width: 400, height: 820 } });
    const { page } = shown;
    const again = page.getByRole("button", { name: "Try again" });
    await again.waitFor();
    const banner = page.getByRole("alert");
    const folded = (await banner.boundingBox())?.height ?? 0;
    expect(folded).toBeLessThan(240);
    await page.getByRole("button", { name: "Show all of it" }).click();
    await expect.poll(async () => (await banner.boundingBox())?.height ?? 0).toBeGreaterThan(folded);
    expect(shown.faults).toEqual([]);
  });

  test("asks nobody any more once it is cancelled", { timeout: 120_000 }, async () => {
    const studio = await Studio.open([], FILES);
    await studio.cli.run("run", "ask.json", "Go", "--yes", "--run-id", "ask");
    const shown = await studio.page("/runs/ask");
    const { page } = shown;
    await page.getByRole("button", { name: /^Who human .*asking/ }).waitFor();
    await studio.ask("/api/runs/ask/commands", { verb: "cancel", reason: "Not today." });
    await page.getByRole("button", { name: /^Who human .*cancelled/ }).waitFor();
    expect(await page.locator('[data-status="asking"]').count()).toBe(0);
    await page.goto(`${studio.origin}/runs`);
    const row = page.getByRole("list", { name: "Runs" }).getByRole("link");
    await row.getByText("cancelled").waitFor();
    expect(await row.getByText("question").count()).toBe(0);
    expect(shown.faults).toEqual([]);
  });
});
