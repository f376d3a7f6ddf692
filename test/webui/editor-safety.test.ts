/** What could go wrong around an editor: leaving too soon, files that vanish or break, names of every kind, and many sockets. */

import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ROOT } from "../scenarios/cli-harness.ts";
import { editAddress, Hand, openEditor } from "./editor-hand.ts";
import { CHROMIUM, Studio } from "./studio.ts";

const NAME = "graph-semantics-loadout.json";
const EXAMPLE = readFileSync(join(ROOT, "examples", NAME), "utf8");

const SOCKETS = 300;
const LARGE = {
  ...{ name: "Large", entry: "Socket-1" },
  sockets: Object.fromEntries(
    Array.from({ length: SOCKETS }, (_, index) => {
      const to = index + 1 === SOCKETS ? "end" : `Socket-${index + 2}`;
      return [`Socket-${index + 1}`, { materia: "Build", edges: [{ when: "always", to }] }];
    }),
  ),
};

interface Renders {
  readonly nodes: number;
  readonly edges: number;
}

describe.skipIf(CHROMIUM === undefined)("an editor", () => {
  test("asks before changes are lost, from whichever page one leaves, and not when none would be", {
    timeout: 120_000,
  }, async () => {
    const { studio, shown, page, hand } = await openEditor(NAME, [NAME]);
    const asked: string[] = [];
    page.on("dialog", (dialog) => {
      asked.push(dialog.type());
      void dialog.accept();
    });
    await hand.type("Name", "Mine");
    await page.getByRole("link", { name: "Runs", exact: true }).click();
    await page.getByRole("heading", { name: "Runs" }).waitFor();
    await page.getByRole("link", { name: "Definitions", exact: true }).click();
    await page.getByText(`${NAME} · not saved`).click();
    await page.getByRole("heading", { name: "Mine" }).waitFor(); // nothing was lost on the way
    await page.getByRole("link", { name: "Approvals", exact: true }).click();
    await page.reload();
    expect(asked).toEqual(["beforeunload"]);
    await page.goto(`${studio.origin}${editAddress("fresh.json")}&new=loadout`);
    await page.getByText("Nothing is here yet").waitFor();
    await page.reload(); // a canvas that nobody has touched is no loss
    await page.getByText("Nothing is here yet").waitFor();
    await hand.type("Name", "Begun");
    await page.getByRole("link", { name: "Definitions", exact: true }).first().click();
    await page.getByRole("link", { name: /^fresh.json/ }).click();
    await page.getByRole("heading", { name: "Begun" }).waitFor();
    expect(asked).toEqual(["beforeunload"]);
    expect(shown.faults).toEqual([]);
  });

  test("says so when its file is gone, and when it cannot be read any more", {
    timeout: 120_000,
  }, async () => {
    const { studio, page, hand } = await openEditor(NAME, [NAME]);
    const file = join(studio.cli.cwd, NAME);
    await page.getByRole("button", { name: /^Build, Socket-4/ }).waitFor();
    writeFileSync(file, EXAMPLE.replace('"entry"', 'entry"'));
    await page.getByText("The JSON cannot be read: line").waitFor();
    await page.getByRole("button", { name: /^Build, Socket-4/ }).waitFor();
    writeFileSync(file, EXAMPLE);
    await page.getByText("The JSON cannot be read").waitFor({ state: "detached" });
    await hand.type("Name", "Mine");
    rmSync(file);
    await hand.save();
    const again = page.getByRole("button", { name: "Write it again" });
    await again.waitFor();
    expect(await page.getByText("not saved").count()).toBe(1);
    await again.click();
    await hand.saved();
    await again.waitFor({ state: "detached" });
    expect(readFileSync(file, "utf8")).toBe(EXAMPLE.replace('"Graph-Semantics"', '"Mine"'));
  });

  test("holds names of every kind, and tells of a materia that nobody knows", {
    timeout: 120_000,
  }, async () => {
    const odd = "Überprüfung 🧩 <script>window.hit=1</script>";
    const studio = await Studio.open([], {
      "odd.json": EXAMPLE.replaceAll('"Narrate"', JSON.stringify(odd)),
      "unknown.json": EXAMPLE.replace('"materia": "Narrate"', '"materia": "Nobody"'),
    });
    const shown = await studio.page(editAddress("odd.json"));
    const { page } = shown;
    const hand = new Hand(page);
    await page.getByRole("button", { name: `${odd}, Socket-7, agent` }).waitFor();
    await page.getByRole("button", { name: odd, exact: true }).first().click();
    await hand.type("Name", "Größe ß 🚀");
    await hand.type("Label", '"; alert(1) //');
    await page.getByRole("button", { name: /^"; alert\(1\) \/\/, Socket-7 · Größe ß 🚀/ }).waitFor();
    await hand.save();
    await hand.saved();
    const saved = readFileSync(join(studio.cli.cwd, "odd.json"), "utf8");
    expect(saved.startsWith(EXAMPLE.slice(0, EXAMPLE.indexOf('"Narrate"')))).toBe(true);
    expect(Object.keys((JSON.parse(saved) as { materia: object }).materia).at(-1)).toBe("Größe ß 🚀");
    expect(await page.evaluate("window.hit ?? null")).toBeNull();

    await page.goto(studio.origin + editAddress("unknown.json"));
    const issue = page.getByRole("list", { name: "Issues" }).getByRole("button", { name: /Nobody/ });
    await issue.click();
    await hand.side.getByRole("heading", { name: "Socket-7", exact: true }).waitFor();
    await hand.choose("Materia", "Build");
    await issue.waitFor({ state: "detached" });
    expect(shown.faults).toEqual([]);
  });

  test("draws only what changed of three hundred sockets", { timeout: 180_000 }, async () => {
    const { shown, page, hand } = await openEditor("large.json", [], { "large.json": LARGE });
    await page.locator(`[data-node="Socket-${SOCKETS}"]`).waitFor({ timeout: 60_000 });
    await shown.still();
    const drawn = async (act: () => Promise<unknown>): Promise<Renders> => {
      const before = await page.evaluate<Renders>("({ ...window.__baton.renders })");
      await act();
      await shown.still();
      const after = await page.evaluate<Renders>("({ ...window.__baton.renders })");
      return { nodes: after.nodes - before.nodes, edges: after.edges - before.edges };
    };
    const few = (renders: Renders): void => {
      expect(renders.nodes).toBeLessThanOrEqual(12);
      expect(renders.edges).toBeLessThanOrEqual(24);
    };
    few(await drawn(() => hand.socket("Socket-2")));
    few(await drawn(() => hand.choose("Parse", "json")));
    few(
      await drawn(() => hand.drag(page.locator('.react-flow__node[data-id="Socket-3"]'), { x: 160, y: 0 })),
    );
    few(await drawn(() => page.keyboard.press("Control+z")));
    await page.getByRole("tab", { name: "JSON" }).click();
    const editor = page.getByRole("textbox", { name: "JSON of the definition" });
    few(
      await drawn(async () => {
        await editor.press("Control+End");
        await page.keyboard.type(" ");
      }),
    );
    expect(await page.evaluate<number>("document.querySelectorAll('*').length")).toBeLessThan(9000);
    expect(shown.faults).toEqual([]);
  });
});
