/** A person draws a loadout, changes it, takes steps back, and saves it without losing anybody's work. */

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ROOT } from "../scenarios/cli-harness.ts";
import { editAddress, Hand, openEditor } from "./editor-hand.ts";
import { CHROMIUM, Studio } from "./studio.ts";

const NAME = "graph-semantics-loadout.json";
const EXAMPLE = readFileSync(join(ROOT, "examples", NAME), "utf8");

interface Drawn {
  readonly name: string;
  readonly $schema: string;
  readonly materia: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly layout?: unknown;
}

describe.skipIf(CHROMIUM === undefined)("the loadout editor", () => {
  test("draws the example from an empty canvas", { timeout: 240_000 }, async () => {
    const wanted = JSON.parse(EXAMPLE) as Drawn;
    const studio = await Studio.open([]);
    const shown = await studio.page("/definitions");
    const { page } = shown;
    await page.getByRole("button", { name: "New definition" }).click();
    await page.getByLabel("Path").fill("drawn.json");
    await page.getByRole("button", { name: "Draw it" }).click();
    await page.getByText("Nothing is here yet").waitFor();
    const hand = new Hand(page);
    await hand.type("Name", wanted.name);
    await hand.type("Address of the schema", wanted.$schema);
    for (const [id, materia] of Object.entries(wanted.materia)) await hand.materia(id, materia);

    // The first is dragged to a place, the others are added with the plus beside them.
    const [first = "", ...others] = Object.keys(wanted.materia);
    const palette = page.getByRole("navigation", { name: "Palette" });
    const canvas = page.getByRole("region", { name: "Canvas" });
    await palette
      .getByRole("button", { name: first, exact: true })
      .dragTo(canvas, { targetPosition: { x: 200, y: 60 } });
    await hand.socket("Socket-1");
    for (const id of others) await palette.getByRole("button", { name: `Add ${id}`, exact: true }).click();
    await hand.socket("Socket-7");
    // What was dragged has a place of its own; the rest is laid out again when that is forgotten.
    await page.keyboard.press("Escape");
    await hand.press("Tidy up");

    await hand.socket("Socket-3");
    await hand.type("Into", "workItems");
    await hand.type("From", "$.workItems");
    await hand.press("Add assignment");
    for (const id of ["Socket-1", "Socket-2", "Socket-3", "Socket-5", "Socket-6"]) {
      await hand.socket(id);
      await hand.choose("Parse", "json");
    }
    await shown.still();
    const from = page.locator('[data-node="Socket-1"] .react-flow__handle.source');
    await from.dragTo(page.locator('[data-node="Socket-2"]'));
    await page.getByRole("button", { name: "Edge from Socket-1 to Socket-2: always" }).waitFor();
    await hand.edge("Socket-2", "always", "Socket-3");
    await hand.edge("Socket-3", "always", "Socket-4");
    await hand.edge("Socket-4", "always", "Socket-5");
    await hand.edge("Socket-5", "satisfied", "Socket-6");
    await hand.edge("Socket-5", "not_satisfied", "Socket-4", 3);
    await hand.edge("Socket-6", "always", "Socket-4", 3);

    await shown.still();
    await hand.socket("Socket-4");
    for (const id of ["Socket-5", "Socket-6"]) {
      await page.locator(`[data-node="${id}"] > button`).click({ modifiers: ["Shift"] });
    }
    await hand.press("Make a loop of them");
    await hand.side.getByRole("heading", { name: "Loop workItemIteration" }).waitFor();
    await hand.socket("Socket-6");
    await hand.side.getByLabel("Moves its loop on to the next item").check();
    await hand.choose("Advance when", "satisfied");
    await page.getByRole("button", { name: /^Loop workItemIteration/ }).click();
    await hand.choose("New exit when", "satisfied");
    await hand.choose("New exit to", "Socket-7");
    await hand.press("Add exit");

    await page.getByText(/Every run ends, after at most/).waitFor();
    await page.getByRole("list", { name: "Issues" }).waitFor({ state: "detached" });
    await page.getByRole("button", { name: /^Auto-Plan, Socket-3, agent, Generator/ }).waitFor();
    await page.getByRole("button", { name: /^Build, Socket-4, agent, Loop consumer/ }).waitFor();
    await hand.save();
    await hand.saved();
    const { layout: _, ...drawn } = JSON.parse(
      readFileSync(join(studio.cli.cwd, "drawn.json"), "utf8"),
    ) as Drawn;
    expect(drawn).toEqual(wanted);
    expect(shown.faults).toEqual([]);
    expect(shown.foreign).toEqual([]);
  });

  test("changes an exit in the exits of its loop and nowhere else, and goes back and forth", {
    timeout: 120_000,
  }, async () => {
    const { studio, shown, page, hand } = await openEditor(NAME, [NAME]);
    await page.getByRole("button", { name: /^Exit of loop workItemIteration/ }).click();
    await hand.choose("To", "end");
    await page
      .getByRole("button", {
        name: "Exit of loop workItemIteration from Socket-6 to end: when done satisfied",
      })
      .waitFor();
    await page.keyboard.press("Control+z");
    await page
      .getByRole("button", {
        name: "Exit of loop workItemIteration from Socket-6 to Socket-7: when done satisfied",
      })
      .waitFor();
    await hand.saved();
    await page.getByRole("button", { name: /^Redo/ }).click();
    await hand.save();
    await hand.saved();
    const file = join(studio.cli.cwd, NAME);
    const exit = '"targetSocketId": "Socket-7"';
    expect(EXAMPLE.split(exit).length).toBe(2);
    expect(readFileSync(file, "utf8")).toBe(EXAMPLE.replace(exit, '"targetSocketId": "end"'));

    await page.getByRole("button", { name: /^Exit of loop workItemIteration/ }).press("Delete");
    await page
      .getByRole("button", { name: /^Exit of loop workItemIteration/ })
      .waitFor({ state: "detached" });
    await hand.save();
    await hand.saved();
    const before = JSON.parse(EXAMPLE) as Record<string, unknown>;
    const after = JSON.parse(readFileSync(file, "utf8")) as Record<
      string,
      Record<string, Record<string, unknown>>
    >;
    expect(after["sockets"]).toEqual(before["sockets"]);
    expect(after["loops"]?.["workItemIteration"]?.["exits"]).toEqual([]);
    for (let step = 0; step < 2; step++) await page.keyboard.press("Control+z");
    await hand.save();
    await hand.saved();
    expect(readFileSync(file, "utf8")).toBe(EXAMPLE);
    expect(shown.faults).toEqual([]);
  });

  test("loses nobody's work when the file changed on disk", { timeout: 120_000 }, async () => {
    const studio = await Studio.open([NAME]);
    const { page } = await studio.page(editAddress(NAME));
    const file = join(studio.cli.cwd, NAME);
    const hand = new Hand(page);
    await hand.type("Name", "Mine");
    const theirs = EXAMPLE.replace('"name": "Graph-Semantics"', '"name": "Theirs"');
    writeFileSync(file, theirs);
    await hand.save();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("Somebody wrote the file").waitFor();
    expect(await dialog.textContent()).toContain('"name": "Theirs"');
    expect(await dialog.textContent()).toContain('"name": "Mine"');
    expect(readFileSync(file, "utf8")).toBe(theirs);
    await dialog.getByRole("button", { name: "Keep mine" }).click();
    await hand.saved();
    expect(readFileSync(file, "utf8")).toBe(EXAMPLE.replace('"name": "Graph-Semantics"', '"name": "Mine"'));

    writeFileSync(file, theirs); // nothing is changed here now, so theirs is taken over
    await page.getByRole("heading", { name: "Theirs" }).waitFor();
    await hand.type("Name", "Again mine");
    writeFileSync(file, EXAMPLE);
    await page.getByRole("button", { name: "Compare" }).click();
    await dialog.getByRole("button", { name: "Take theirs" }).click();
    await page.getByRole("heading", { name: "Graph-Semantics" }).waitFor();
    await page.getByRole("button", { name: /^Undo/ }).click();
    await page.getByRole("heading", { name: "Again mine" }).waitFor(); // taking theirs can be undone
    await hand.save();
    await hand.saved();
    expect(readFileSync(file, "utf8")).toContain("Again mine");
  });

  test("says what is wrong in the margin, and keeps the canvas while the JSON is broken", {
    timeout: 120_000,
  }, async () => {
    const wrong = EXAMPLE.replace(
      '"when": "satisfied", "to": "Socket-6"',
      '"when": "satisfied", "to": "Socket-66"',
    );
    const endless = JSON.stringify({
      ...{ name: "Endless", entry: "Socket-1", materia: {} },
      sockets: {
        "Socket-1": { materia: "Build", edges: [{ when: "always", to: "Socket-2" }] },
        "Socket-2": { materia: "Narrate", edges: [{ when: "always", to: "Socket-1" }] },
      },
    });
    const studio = await Studio.open([], { "wrong.json": wrong, "endless.json": endless });
    const shown = await studio.page(editAddress("wrong.json"));
    const { page } = shown;
    const issue = page.getByRole("list", { name: "Issues" }).getByRole("button", { name: /Socket-66/ });
    await issue.click();
    await page.getByRole("heading", { name: "Edge 1 of Socket-5" }).waitFor();
    await new Hand(page).choose("To", "Socket-6");
    await issue.waitFor({ state: "detached" });
    await page.getByText(/Every run ends/).waitFor();

    await page.getByRole("tab", { name: "JSON" }).click();
    const editor = page.getByRole("textbox", { name: "JSON of the definition" });
    await editor.press("Control+End");
    await page.keyboard.type("x");
    await page.getByText("The JSON cannot be read: line").waitFor();
    await page.getByRole("button", { name: /^Build, Socket-4/ }).waitFor();
    await page.keyboard.press("Backspace");
    await page.getByText("The JSON cannot be read").waitFor({ state: "detached" });

    await page.goto(studio.origin + editAddress("endless.json"));
    await page.getByText("A run may never end: Socket-1 → Socket-2 → Socket-1").waitFor();
    await page.getByRole("button", { name: /^Build, Socket-1.*on a way that may never end/ }).waitFor();
    await page.getByRole("button", { name: "Simulate" }).click();
    await page.getByRole("button", { name: "Play" }).click();
    await page.getByText(/100 runs kept every rule|A run broke a rule/).waitFor();
    expect(shown.faults).toEqual([]);
  });
});
