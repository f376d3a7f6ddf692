/** What stands beside the canvas: a run that begins from here, the prompt of a visit that was, and modules as they are. */

import { readFileSync, renameSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { RunDocument } from "../../src/protocol/studio.ts";
import { editAddress, Hand } from "./editor-hand.ts";
import { CHROMIUM, Studio } from "./studio.ts";

const LOADOUT = "graph-semantics-loadout.json";
const SCRIPT = "graph-semantics-script.json";

interface Held {
  readonly loadouts: { readonly Careful: object };
}

describe.skipIf(CHROMIUM === undefined)("beside the canvas", () => {
  test("a run is started from the editor", { timeout: 120_000 }, async () => {
    const studio = await Studio.open([LOADOUT, SCRIPT]);
    const shown = await studio.page(editAddress(LOADOUT));
    const { page } = shown;
    await page.getByRole("button", { name: "Start", exact: true }).click();
    const dialog = page.getByRole("dialog");
    await expect.poll(() => dialog.getByLabel("Definition").inputValue()).toBe(LOADOUT);
    await dialog.getByLabel("Task").fill("Greet people by name");
    await dialog.getByText("Script, inputs and budget").click();
    await dialog.getByLabel("Script").fill(SCRIPT);
    await dialog.getByText("What it may do").waitFor();
    await dialog.getByRole("button", { name: "Start", exact: true }).click();
    await page.getByText("It waits for a person").waitFor();
    expect(new URL(page.url()).pathname).toMatch(/^\/runs\/\w+$/);
    expect(shown.faults).toEqual([]);
  });

  test("the prompt of a materia is shown as a past visit would get it", { timeout: 120_000 }, async () => {
    const studio = await Studio.open([LOADOUT, SCRIPT]);
    const { run } = await studio.ask<RunDocument>("/api/runs", {
      ...{ definition: LOADOUT, script: SCRIPT, task: "Greet people by name", yes: true },
    });
    const status = async (): Promise<string> => (await studio.ask<RunDocument>(`/api/runs/${run}`)).status;
    await expect.poll(status, { timeout: 30_000 }).toBe("waiting");
    const shown = await studio.page(editAddress(LOADOUT));
    const { page } = shown;
    await page.getByRole("button", { name: /^Auto-Eval$/ }).click();
    const preview = page.getByRole("group", { name: "Preview with a past visit" });
    await preview.getByLabel("Run").selectOption({ index: 1 });
    await preview.getByText("You judge whether the current work item is done").first().waitFor();
    await page.getByLabel("Prompt", { exact: true }).first().fill("Say whether it is done, dear judge.");
    await preview.getByText("Say whether it is done, dear judge.").first().waitFor();
    expect(shown.faults).toEqual([]);
  });

  test("the loadout that a socket runs is opened from it, edited where it stands, and left again", {
    timeout: 120_000,
  }, async () => {
    const studio = await Studio.open(["cookbook/7-a-loadout-inside.json"], {}, async (folder) => {
      renameSync(join(folder, "cookbook", "7-a-loadout-inside.json"), join(folder, "inside.json"));
    });
    const file = join(studio.cli.cwd, "inside.json");
    const before = JSON.parse(readFileSync(file, "utf8")) as Held;
    const shown = await studio.page(editAddress("inside.json"));
    const { page } = shown;
    const hand = new Hand(page);
    await page.getByRole("button", { name: "Open Careful, which Socket-2 runs" }).click();
    await page.getByRole("button", { name: /^Check, Socket-2/ }).waitFor();
    await hand.side.getByLabel("Name", { exact: true }).fill("With care");
    await hand.side.getByRole("button", { name: "Back to the loadout around it" }).click();
    await page.getByRole("heading", { name: "A-Loadout-Inside" }).waitFor();
    await hand.save();
    await hand.saved();
    const { Careful } = before.loadouts;
    expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({
      ...before,
      loadouts: { Careful: { ...Careful, name: "With care" } },
    });
    expect(shown.faults).toEqual([]);
  });

  test("a module is drawn for looking, and a bundled loadout opens as a copy", {
    timeout: 120_000,
  }, async () => {
    const studio = await Studio.open(["stategraph-hello.ts"]);
    const shown = await studio.page("/definitions");
    const { page } = shown;
    await page.goto(studio.origin + editAddress("stategraph-hello.ts"));
    await page.getByText("StateGraph").first().waitFor();
    expect(await page.getByRole("button", { name: "Save", exact: true }).count()).toBe(0);
    await page.goto(studio.origin + editAddress("bundled:Full-Auto"));
    await page
      .getByRole("button", { name: /Socket-1/ })
      .first()
      .waitFor();
    await page.getByRole("button", { name: /^Save/ }).first().click();
    await page.getByRole("dialog").waitFor();
    expect(shown.faults).toEqual([]);
  });
});
