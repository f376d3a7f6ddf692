/** A person works on the canvas of a loadout: drags, swaps, takes away, makes loops and breaks them, and takes it all back. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ROOT } from "../scenarios/cli-harness.ts";
import { editAddress, Hand } from "./editor-hand.ts";
import { CHROMIUM, Studio } from "./studio.ts";

const NAME = "graph-semantics-loadout.json";
const EXAMPLE = readFileSync(join(ROOT, "examples", NAME), "utf8");
const LOOP = "workItemIteration";
const EXIT = /^Exit of loop workItemIteration/;

interface Held {
  readonly sockets: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly loops?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

async function opened(): Promise<{ readonly hand: Hand; readonly file: () => string; faults: string[] }> {
  const studio = await Studio.open([NAME]);
  const shown = await studio.page(editAddress(NAME));
  await shown.page.locator("[data-node]").first().waitFor();
  return {
    hand: new Hand(shown.page),
    file: () => readFileSync(join(studio.cli.cwd, NAME), "utf8"),
    faults: shown.faults,
  };
}

describe.skipIf(CHROMIUM === undefined)("the canvas of a loadout", () => {
  test("takes what is dragged onto a socket in the place of what it held, and gives it all back", {
    timeout: 120_000,
  }, async () => {
    const { hand, file, faults } = await opened();
    const { page, side } = hand;
    const palette = page.getByRole("navigation", { name: "Palette" });
    const dragged = palette.getByRole("button", { name: "Commit-Sigil Generator", exact: true });
    await dragged.dragTo(page.locator('[data-node="Socket-7"]'));
    await page.getByRole("button", { name: "Commit-Sigil, Socket-7, utility, Generator" }).waitFor();
    await hand.save();
    await hand.saved();
    expect(file()).toBe(EXAMPLE.replace('"materia": "Narrate"', '"materia": "Commit-Sigil"'));

    await hand.socket("Socket-7");
    await side.getByLabel("Materia", { exact: true }).selectOption("Narrate");
    await hand.save();
    await hand.saved();
    expect(file()).toBe(EXAMPLE);

    // What a loop needs cannot be taken out of it, and the reason is told.
    const press = (id: string) => page.locator(`[data-node="${id}"] > button`).press("Delete");
    await press("Socket-4"); // what has the focus is chosen first: Socket-7, which was chosen, stays
    await side.getByRole("heading", { name: "Socket-4", exact: true }).waitFor();
    await press("Socket-4");
    await page.getByText("No edges lead around").waitFor();
    for (let twice = 0; twice < 2; twice++) await press("Socket-7");
    await page.locator('[data-node="Socket-7"]').waitFor({ state: "detached" });
    expect(await page.getByRole("button", { name: EXIT }).count()).toBe(0);
    await page.keyboard.press("Control+z");
    await page.locator('[data-node="Socket-7"]').waitFor();
    await page.getByRole("button", { name: EXIT }).waitFor();
    await hand.saved();
    expect(faults).toEqual([]);
  });

  test("makes a loop of what is chosen, breaks and deletes it, and its exits go with it", {
    timeout: 120_000,
  }, async () => {
    const { hand, file, faults } = await opened();
    const { page } = hand;
    const region = page.getByRole("button", { name: /^Loop / });
    await region.click();
    await hand.press("Break");
    await region.waitFor({ state: "detached" });
    expect(await page.getByRole("button", { name: EXIT }).count()).toBe(0);
    expect(await page.getByText("Loop consumer").count()).toBe(0);

    await hand.socket("Socket-4");
    for (const id of ["Socket-5", "Socket-6"]) {
      await page.locator(`[data-node="${id}"] > button`).click({ modifiers: ["Shift"] });
    }
    await hand.type("Name of the loop", "Schleife über 🚀 <script>");
    await hand.press("Make a loop of them");
    await hand.side.getByRole("heading", { name: "Loop Schleife über 🚀 <script>" }).waitFor();
    await hand.press("Add exit");
    await page.getByRole("button", { name: /^Exit of loop Schleife über/ }).waitFor();
    await hand.save();
    await hand.saved();
    const { loops, sockets } = JSON.parse(file()) as Held;
    expect(loops).toEqual({
      "Schleife über 🚀 <script>": {
        sockets: ["Socket-4", "Socket-5", "Socket-6"],
        consumes: { from: "Socket-3", output: "workItems" },
        exits: [
          { id: "exit:Socket-6:satisfied", from: "Socket-6", condition: "satisfied", targetSocketId: "end" },
        ],
      },
    });
    expect(sockets["Socket-6"]).not.toHaveProperty("advance");

    await page.getByRole("button", { name: /^Loop Schleife/ }).click();
    await hand.press("Delete the loop with its sockets");
    await page.locator('[data-node="Socket-5"]').waitFor({ state: "detached" });
    expect(await page.locator("[data-node]").count()).toBe(4);

    // Back to the first byte, on to the last, and back again.
    const undo = page.getByRole("button", { name: /^Undo/ });
    const redo = page.getByRole("button", { name: /^Redo/ });
    const all = async (button: typeof undo): Promise<void> => {
      while (await button.isEnabled()) await button.click();
    };
    await all(undo);
    await page.getByRole("button", { name: EXIT }).waitFor();
    await all(redo);
    await page.locator('[data-node="Socket-5"]').waitFor({ state: "detached" });
    await all(undo);
    await hand.save();
    await hand.saved();
    expect(file()).toBe(EXAMPLE);
    expect(faults).toEqual([]);
  });

  test("is worked on with keys alone: chosen together, moved, undone", { timeout: 120_000 }, async () => {
    const { hand, file, faults } = await opened();
    const { page, side } = hand;
    const face = (id: string) => page.locator(`[data-node="${id}"] > button`);
    await face("Socket-4").press("Enter");
    await face("Socket-5").press("Shift+Enter");
    await side.getByRole("heading", { name: "2 sockets" }).waitFor();
    await face("Socket-5").press("Escape");
    await side.getByRole("heading", { name: "Loadout" }).waitFor();
    const before = await page.locator('.react-flow__node[data-id="Socket-7"]').getAttribute("style");
    for (const key of ["ArrowRight", "ArrowRight", "ArrowDown"]) await face("Socket-7").press(key);
    const moved = page.locator('.react-flow__node[data-id="Socket-7"]');
    await expect.poll(() => moved.getAttribute("style")).not.toBe(before);
    await hand.save();
    await hand.saved();
    const { layout } = JSON.parse(file()) as { readonly layout: object };
    expect(Object.keys(layout)).toEqual(["Socket-7"]);
    const undo = page.getByRole("button", { name: /^Undo/ });
    while (await undo.isEnabled()) await undo.click(); // presses without a pause are one step, others are not
    await expect.poll(() => moved.getAttribute("style")).toBe(before);
    await hand.save();
    await hand.saved();
    expect(file()).toBe(EXAMPLE);
    expect(faults).toEqual([]);
  });

  test("has a form for the list that a loop goes through", { timeout: 120_000 }, async () => {
    const { hand, file, faults } = await opened();
    const { page, side } = hand;
    await page.getByRole("button", { name: /^Loop / }).click();
    await hand.choose("Works on the items of", "list");
    await side.getByLabel("List", { exact: true }).fill("files");
    await side.getByText("does not say where the items").waitFor(); // refused while it is typed
    await hand.type("List", "state.files");
    await hand.type("Each item is called", "file");
    await hand.type("Cursor", "fileIndex");
    await page.getByRole("button", { name: "Loop workItemIteration, each file" }).waitFor();
    await hand.save();
    await hand.saved();
    const list = JSON.parse(file()) as Held;
    expect(list.loops?.[LOOP]).toMatchObject({
      iterator: { items: "state.files", as: "file", cursor: "fileIndex" },
    });
    expect(list.loops?.[LOOP]).not.toHaveProperty("consumes");
    expect(list.sockets).toEqual((JSON.parse(EXAMPLE) as Held).sockets);
    expect(faults).toEqual([]);
  });

  test("follows the JSON and is followed by it, and holds on to its last state through a mistake", {
    timeout: 120_000,
  }, async () => {
    const { hand, file, faults } = await opened();
    const { page } = hand;
    await hand.socket("Socket-7");
    await page.getByRole("tab", { name: "JSON" }).click();
    const editor = page.getByRole("textbox", { name: "JSON of the definition" });
    await editor.focus();
    const selected = await page.evaluate<string>("String(getSelection())");
    expect(selected).toContain('"materia": "Narrate"');
    await editor.press("Home"); // into the line that is marked
    await page.keyboard.insertText('"Socket-8": { "materia": "Build", ');
    await page.getByText("The JSON cannot be read: line").waitFor();
    await page.getByRole("button", { name: /^Narrate, Socket-7/ }).waitFor();
    await page.getByRole("button", { name: /^Narrate, Socket-7/ }).press("Delete");
    await page.getByText("Mend it first").waitFor(); // nothing else changes a text that cannot be read
    await page.getByRole("button", { name: /^Undo/ }).click();
    await page.getByText("The JSON cannot be read").waitFor({ state: "detached" });
    await hand.saved();

    await page.getByRole("button", { name: /^Narrate, Socket-7/ }).press("Delete");
    await expect.poll(() => editor.textContent()).not.toContain("Socket-7");
    await page.getByRole("button", { name: /^Undo/ }).click();
    await expect.poll(() => editor.textContent()).toContain("Socket-7");
    expect(file()).toBe(EXAMPLE);
    expect(faults).toEqual([]);
  });
});
