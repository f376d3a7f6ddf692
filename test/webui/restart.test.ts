/** The server of the studio is killed in the middle of a run and started again: the page goes on by itself. */

import { describe, expect, test } from "vitest";
import type { EventsPage } from "../../src/protocol/answers.ts";
import type { RunDocument } from "../../src/protocol/studio.ts";
import { CHROMIUM, Studio } from "./studio.ts";

const SLOW = 250;

/** A loadout whose builder and judge go round and round, slowly. */
const LOADOUT = {
  name: "Round-And-Round",
  entry: "Socket-1",
  sockets: {
    "Socket-1": { materia: "Build", edges: [{ when: "always", to: "Socket-2" }] },
    "Socket-2": {
      materia: "Judge",
      parse: "json",
      edges: [{ when: "not_satisfied", to: "Socket-1", maxTraversals: 20 }],
    },
  },
  materia: {
    Build: { tools: "none", prompt: "Build it." },
    Judge: { tools: "none", prompt: "Judge it." },
  },
};

const SCRIPT = {
  "Socket-1": Array.from({ length: 12 }, (_, index) => ({
    ...{ $: "turn", text: `attempt ${index + 1}`, delayMs: SLOW },
  })),
  "Socket-2": Array.from({ length: 12 }, (_, index) => ({ satisfied: index === 11, context: "again" })),
};

describe.skipIf(CHROMIUM === undefined)("a studio that dies and comes back", () => {
  test("leaves a page that neither loses an event nor shows one twice", { timeout: 240_000 }, async () => {
    const studio = await Studio.open([], { "round.json": LOADOUT, "round-script.json": SCRIPT });
    const { run } = await studio.ask<RunDocument>("/api/runs", {
      ...{ definition: "round.json", script: "round-script.json", task: "Go", yes: true },
    });
    const { page } = await studio.page(`/runs/${run}?tab=events`);
    await page.getByRole("combobox", { name: "Which events" }).selectOption("everything");
    await page
      .getByText(/attempt|Build/)
      .first()
      .waitFor();
    await page.waitForTimeout(SLOW * 3);

    await studio.kill("SIGKILL");
    await page.getByText("The studio does not answer").waitFor();
    await studio.start();
    await page.getByText("The studio does not answer").waitFor({ state: "detached" });
    await page.getByRole("banner").first().waitFor();
    await page.locator('[data-status="completed"]').first().waitFor({ timeout: 60_000 });

    const { events } = await studio.ask<EventsPage>(`/api/runs/${run}/events?limit=1000`);
    const shown = await page.getByRole("slider", { name: "Event of the log" }).getAttribute("max");
    expect(Number(shown)).toBe(events.length);
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
    expect(await page.getByRole("tab", { name: /Events/ }).textContent()).toContain(String(events.length));
    expect(await page.getByRole("tab", { name: /Timeline/ }).textContent()).toContain("24");
  });
});
