/** The editors' pages are fit for everybody, hold no script of anybody, and change a running graph by command only. */

import { describe, expect, test } from "vitest";
import type { RunDocument } from "../../src/protocol/studio.ts";
import { faultsOf } from "./axe.ts";
import { editAddress } from "./editor-hand.ts";
import { CHROMIUM, type Shown, Studio } from "./studio.ts";

const IMG = '<img src=x onerror="window.hit=1">';
const HOSTILE = {
  name: IMG,
  entry: "Socket-1",
  sockets: {
    "Socket-1": { materia: IMG, parse: "json", edges: [{ when: "always", to: "Socket-2" }] },
    "Socket-2": { materia: "Long", edges: [{ when: "always", to: "Socket-1" }] },
  },
  loops: { [`<script>window.hit=2</script>`]: { sockets: ["Socket-1", "Socket-2"], exits: [] } },
  materia: {
    [IMG]: {
      tools: "none",
      prompt: IMG,
      label: IMG,
      color: "red;background:url(http://127.0.0.1:9/)",
      group: IMG,
    },
    Long: {
      tools: "none",
      prompt: "x",
      label: "A name so long that nobody would ever write it down like this",
    },
    __proto__x: { type: "utility", command: [IMG], description: "<style>*{display:none}</style>" },
  },
};

describe.skipIf(CHROMIUM === undefined)("the editors", () => {
  test("have no serious fault in the eyes of axe, in light and dark, wide and narrow", {
    timeout: 300_000,
  }, async () => {
    const studio = await Studio.open(["graph-semantics-loadout.json", "inbox-team.json"]);
    const found: string[] = [];
    for (const [colorScheme, width] of [
      ["light", 1280],
      ["dark", 900],
      ["light", 400],
    ] as const) {
      const shown = await studio.page("/definitions", {
        colorScheme,
        viewport: { width, height: 820 },
      });
      const { page } = shown;
      const look = async (where: string): Promise<void> => {
        for (const fault of await faultsOf(shown)) found.push(`${colorScheme} ${width} ${where}: ${fault}`);
      };
      await page.getByRole("button", { name: "New definition" }).click();
      await look("new");
      await page.goto(`${studio.origin}${editAddress("empty.json")}&new=loadout`);
      await page.getByText("Nothing is here yet").waitFor();
      await look("empty");
      await page.goto(studio.origin + editAddress("graph-semantics-loadout.json"));
      for (const name of [
        /^Maintain, Socket-6/,
        /^Edge from Socket-5 to Socket-4/,
        /^Exit of loop/,
        /^Loop work/,
        /^Auto-Plan( Generator)?$/,
      ]) {
        await page.getByRole("button", { name }).first().press("Enter");
        await look(String(name));
      }
      await page.getByRole("tab", { name: "JSON" }).click();
      await look("json");
      await page.goto(studio.origin + editAddress("inbox-team.json"));
      await page.getByRole("button", { name: /^lead, / }).press("Enter");
      await look("inbox");
      await page.getByRole("button", { name: /^Edge to-frontend/ }).press("Enter");
      await look("inbox edge");
      expect(shown.faults).toEqual([]);
    }
    expect(found).toEqual([]);
  });

  test("show script-like strings as the text that they are", { timeout: 120_000 }, async () => {
    const studio = await Studio.open([], { "bad.json": HOSTILE });
    const shown = await studio.page(editAddress("bad.json"));
    const { page } = shown;
    for (const name of [
      /^<img.*Socket-1/,
      /^Edge from Socket-1/,
      /^Loop <script>/,
      /^<img src=x onerror="window.hit=1">$/,
    ]) {
      await page.getByRole("button", { name }).first().click();
      await shown.still();
      await expectInert(shown);
    }
    await page.getByRole("tab", { name: "JSON" }).click();
    await page.getByRole("textbox", { name: "JSON of the definition" }).waitFor();
    await expectInert(shown);
    await page.goto(studio.origin + editAddress("<img src=x onerror=window.hit=1>.json"));
    await shown.still();
    await expectInert(shown);
    expect(shown.faults).toEqual([]);
  });

  test("change the graph of a run that is under way by a recorded command", {
    timeout: 120_000,
  }, async () => {
    const studio = await Studio.open(["inbox-team.json", "inbox-team-script.json"]);
    const { run } = await studio.ask<RunDocument>("/api/runs", {
      ...{ definition: "inbox-team.json", script: "inbox-team-script.json", yes: true },
      messages: [{ node: "lead", text: "Build a sign-up form" }],
    });
    const shown = await studio.page(`/runs/${run}`);
    const { page } = shown;
    await page.getByRole("link", { name: "Edit the graph" }).click();
    const side = page.getByRole("complementary", { name: "What is chosen" });
    await page.getByRole("button", { name: "Add verifier" }).click();
    await side.getByRole("heading", { name: "judge-2" }).waitFor();
    await side.getByLabel("Prompt").fill("Look at it again.");
    await page.getByRole("button", { name: /^Edge from-backend/ }).click();
    await side.getByLabel("Direction").selectOption("bidirectional");
    await page.getByRole("button", { name: "Record 2 changes" }).click();
    await page.getByRole("button", { name: "Record 0 changes" }).waitFor();
    const { definition } = await studio.ask<RunDocument>(`/api/runs/${run}`);
    const { nodes, edges } = definition as unknown as {
      readonly nodes: Readonly<Record<string, unknown>>;
      readonly edges: readonly { readonly id: string; readonly direction: string }[];
    };
    expect(nodes["judge-2"]).toMatchObject({ kind: "verifier", prompt: "Look at it again." });
    expect(edges.find(({ id }) => id === "from-backend")?.direction).toBe("bidirectional");
    expect(shown.faults).toEqual([]);
  });
});

async function expectInert(shown: Shown): Promise<void> {
  expect(await shown.read("window.hit ?? null")).toBeNull();
  expect(await shown.read("document.querySelectorAll('#root :is(img, iframe, script)').length")).toBe(0);
  expect(shown.foreign).toEqual([]);
}
