/** What happens elsewhere while a page is open is seen on it, and never does what nobody meant. */

import { describe, expect, test } from "vitest";
import type { EventsPage } from "../../src/protocol/answers.ts";
import type { RunDocument } from "../../src/protocol/studio.ts";
import { CHROMIUM, type Shown, Studio } from "./studio.ts";

const LOADOUT = {
  name: "Careful",
  entry: "Socket-1",
  sockets: {
    "Socket-1": { materia: "Write", edges: [{ when: "always", to: "Socket-2" }] },
    "Socket-2": { materia: "Tell" },
  },
  materia: { Write: { tools: "coding", prompt: "Write it." }, Tell: { tools: "none", prompt: "Tell it." } },
};

const asks = (title: string) => ({
  "Socket-1": [{ $: "turn", text: "done", ask: { title, args: { command: `echo ${title}` } } }],
  "Socket-2": ["told"],
});

const FILES = { "careful.json": LOADOUT, "one.json": asks("First"), "two.json": asks("Second") };

const start = (studio: Studio, script: string) =>
  studio.ask<RunDocument>("/api/runs", { definition: "careful.json", script, task: script, yes: true });

async function asked(studio: Studio, run: string): Promise<string> {
  for (;;) {
    const { result } = await studio.ask<RunDocument>(`/api/runs/${run}`);
    if (result.questions[0] !== undefined) return result.questions[0].id;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

const answersIn = async (studio: Studio, run: string) =>
  (await studio.ask<EventsPage>(`/api/runs/${run}/events`)).events.flatMap((event) =>
    event.type === "task.answered" ? [event.value] : [],
  );

const addressOf = ({ page }: Shown) => new URL(page.url()).search;

describe.skipIf(CHROMIUM === undefined)("an open page", () => {
  test("keeps a question in sight that another tab answers, and never hands its key to the next one", {
    timeout: 120_000,
  }, async () => {
    const studio = await Studio.open([], FILES);
    const one = await start(studio, "one.json");
    const question = await asked(studio, one.run);
    const two = await start(studio, "two.json");
    await asked(studio, two.run);
    const shown = await studio.page("/approvals");
    const { page } = shown;
    await page.getByRole("heading", { name: "First" }).waitFor();
    await page.getByRole("button", { name: /^Second/ }).waitFor();
    await studio.ask(`/api/runs/${one.run}/commands`, { verb: "deny", question });
    await page.getByText("This question is not open any more").waitFor();
    await page.keyboard.press("a");
    await page.waitForTimeout(500);
    expect(await answersIn(studio, two.run)).toEqual([]);
    await page.getByRole("button", { name: "Next question" }).click();
    await page.getByRole("heading", { name: "Second" }).waitFor();
    await page.keyboard.press("a");
    await page.getByText("Nobody waits for you").waitFor();
    expect(await answersIn(studio, two.run)).toEqual([{ approved: true }]);
    expect(shown.faults).toEqual([]);
  });

  test("takes one answer for one press, however quick the second press is", {
    timeout: 120_000,
  }, async () => {
    const studio = await Studio.open([], FILES);
    const runs = [await start(studio, "one.json"), await start(studio, "two.json")];
    for (const { run } of runs) await asked(studio, run);
    const { page } = await studio.page("/approvals");
    await page.getByRole("heading", { name: "First" }).waitFor();
    const now = Date.now();
    await page.clock.setFixedTime(now);
    await page.keyboard.press("a");
    await page.getByRole("heading", { name: "Second" }).waitFor();
    for (let press = 0; press < 3; press++) await page.keyboard.press("a");
    await page.waitForTimeout(500); // what was sent would have arrived
    expect(await answersIn(studio, runs[1]!.run)).toEqual([]);
    await page.clock.setFixedTime(now + 600);
    await page.keyboard.press("a");
    await page.getByText("Nobody waits for you").waitFor();
    expect(await answersIn(studio, runs[1]!.run)).toEqual([{ approved: true }]);
  });

  test("hears that a run is new, is over, and was removed", { timeout: 120_000 }, async () => {
    const studio = await Studio.open([], FILES);
    const shown = await studio.page("/runs");
    const { page } = shown;
    await page.getByText("Nothing has run here yet").waitFor();
    const { run } = await start(studio, "one.json");
    const row = page.getByRole("list", { name: "Runs" }).getByRole("link", { name: /Careful/ });
    await row.getByText("waiting").waitFor();
    const question = await asked(studio, run);
    const other = await page.context().newPage();
    await other.goto(`${studio.origin}/runs/${run}`);
    await other.getByText("It waits for a person").waitFor();
    await studio.ask(`/api/runs/${run}/commands`, { verb: "approve", question });
    await row.getByText("completed").waitFor();
    await other.locator('header [data-status="completed"]').waitFor();
    expect((await studio.cli.run("runs", "prune", "--keep", "0")).code).toBe(0);
    await page.getByText("Nothing has run here yet").waitFor();
    await other.getByText("There is no such run").waitFor();
    expect(shown.faults).toEqual([]);
  });

  test("goes back and on through what was looked at", { timeout: 120_000 }, async () => {
    const studio = await Studio.open([], FILES);
    const { run } = await start(studio, "one.json");
    await asked(studio, run);
    const shown = await studio.page(`/runs/${run}`);
    const { page } = shown;
    await page.getByRole("button", { name: /^Write agent/ }).click();
    const inspector = page.getByRole("complementary", { name: "Inspector" });
    await inspector.getByRole("heading", { name: "Write" }).waitFor();
    await page.getByRole("button", { name: /^Tell agent/ }).click();
    await inspector.getByRole("heading", { name: "Tell" }).waitFor();
    const slider = page.getByRole("slider", { name: "Event of the log" });
    await slider.focus();
    for (let press = 0; press < 3; press++) await page.keyboard.press("ArrowLeft");
    await page.getByText("This is the past").waitFor();
    await expect.poll(() => addressOf(shown)).toContain("seq=");

    await page.goBack();
    await page.getByText("This is the past").waitFor({ state: "detached" });
    expect(addressOf(shown)).toBe("?node=Socket-2");
    await page.goBack();
    await inspector.getByRole("heading", { name: "Write" }).waitFor();
    await page.goForward();
    await inspector.getByRole("heading", { name: "Tell" }).waitFor();
    await page.goForward();
    await page.getByText("This is the past").waitFor();
    await page.goBack();
    await page.goBack();
    await page.goBack();
    await inspector.getByText("Choose a node").waitFor();
    expect(addressOf(shown)).toBe("");
    expect(shown.faults).toEqual([]);
  });

  test("of a run is worked by keys alone", { timeout: 120_000 }, async () => {
    const studio = await Studio.open([], FILES);
    const { run } = await start(studio, "one.json");
    await asked(studio, run);
    const shown = await studio.page(`/runs/${run}`);
    const { page } = shown;
    await page.getByRole("button", { name: /^Write agent/ }).waitFor();
    const seen: string[] = [];
    const focused = "document.activeElement";
    const named = `(${focused}.getAttribute("aria-label") ?? ${focused}.textContent).trim()`;
    for (let press = 0; press < 40; press++) {
      await page.keyboard.press("Tab");
      const name = await shown.read<string>(named);
      expect(await shown.read<number>(`${focused}.getBoundingClientRect().width`), name).toBeGreaterThan(0);
      seen.push(name);
      if (name.startsWith("Writeagent")) await page.keyboard.press("Enter");
    }
    const wanted = [
      "Skip to the content",
      "Decide",
      "Write",
      "Timeline",
      "Prompt",
      "Event of the log",
      "Live",
    ];
    for (const name of wanted) {
      expect(
        seen.find((one) => one.startsWith(name)),
        `${name} is not among ${seen.join(" | ")}`,
      ).toBeDefined();
    }
    await page.getByRole("complementary").getByRole("heading", { name: "Write" }).waitFor();
  });
});
