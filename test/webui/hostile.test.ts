/** Whatever an agent, a model, a file or a person can put into a text stays text. */

import { describe, expect, test } from "vitest";
import type { RunDocument } from "../../src/protocol/studio.ts";
import { CHROMIUM, type Shown, Studio } from "./studio.ts";

const IMG = '<img src=x onerror="window.hit=1">';
const SCRIPT_TAG = "<script>window.hit=2</script>";
const LINK = "[click](javascript:window.hit=3)";
const FRAME = '<iframe srcdoc="<script>parent.hit=4</script>"></iframe>';
const STYLE = '<style>*{display:none}</style><a href="javascript:window.hit=5">x</a>';
const PICTURE = "![p](http://127.0.0.1:9/leak.png)";
const COVER = '<p style="position:fixed;inset:0;background:url(http://127.0.0.1:9/)">all</p>';
const ALL = [IMG, SCRIPT_TAG, LINK, FRAME, STYLE, PICTURE, COVER].join("\n\n");

const LOADOUT = {
  name: `Bad ${IMG}`,
  entry: "Socket-1",
  sockets: {
    "Socket-1": {
      materia: "Write",
      parse: "json",
      assign: { said: "$.said" },
      edges: [{ when: "always", to: "Socket-2" }],
    },
    "Socket-2": { materia: "Ask", edges: [{ when: "always", to: "Socket-3" }] },
    "Socket-3": { materia: "Person", parse: "json" },
  },
  materia: {
    Write: {
      tools: "none",
      prompt: ALL,
      label: `Write ${IMG}`,
      color: "red;background:url(http://127.0.0.1:9/)",
    },
    Ask: { tools: "coding", prompt: ALL, label: `Ask ${SCRIPT_TAG}` },
    Person: {
      type: "human",
      prompt: ALL,
      label: IMG,
      schema: { type: "object", title: IMG, properties: {} },
    },
  },
};

const SCRIPT = {
  "Socket-1": [{ said: ALL, context: ALL }],
  "Socket-2": [
    { $: "turn", text: ALL, ask: { title: ALL, args: { command: ALL, diff: `@@ -1 +1 @@\n+${ALL}` } } },
  ],
};

async function expectInert(shown: Shown): Promise<void> {
  expect(await shown.read("window.hit ?? null")).toBeNull();
  expect(await shown.read("document.querySelectorAll('#root :is(img, iframe, script, style)').length")).toBe(
    0,
  );
  expect(await shown.read("document.querySelectorAll('[style*=fixed]').length")).toBe(0);
  const links = await shown.read<string[]>("[...document.querySelectorAll('a[href]')].map((a) => a.href)");
  expect(links.filter((href) => !/^https?:/.test(href))).toEqual([]);
  expect(shown.foreign).toEqual([]);
}

describe.skipIf(CHROMIUM === undefined)("a hostile text", () => {
  test("is inert wherever it is shown", { timeout: 240_000 }, async () => {
    const studio = await Studio.open([], { "bad.json": LOADOUT, "bad-script.json": SCRIPT });
    const { run } = await studio.ask<RunDocument>("/api/runs", {
      ...{ definition: "bad.json", script: "bad-script.json", task: ALL, yes: true },
    });
    const shown = await studio.page("/runs");
    const { page } = shown;
    await page.getByText("waiting").first().waitFor();
    await expectInert(shown);

    await page.goto(`${studio.origin}/runs/${run}?node=Socket-1&tab=events`);
    await page.getByRole("button", { name: /^Write </ }).waitFor();
    for (const name of ["Prompt", "Written", "Notes"]) {
      await page.locator("summary", { hasText: name }).first().click();
    }
    await shown.still();
    await expectInert(shown);
    await page.getByRole("tab", { name: "State" }).click();
    await page.getByText("State after event").waitFor();
    await expectInert(shown);
    await page.goto(`${studio.origin}/runs/${run}?node=Socket-2`);
    await page.getByText("Asked a person").waitFor();
    await expectInert(shown);

    await page.goto(`${studio.origin}/approvals`);
    await page.getByRole("button", { name: "Approve" }).waitFor();
    await expectInert(shown);
    await page.keyboard.press("a");
    await page.getByRole("button", { name: "Answer" }).waitFor();
    await shown.still();
    await expectInert(shown);

    for (const path of [
      "/definitions",
      "/definitions/edit?path=bad.json",
      `/compare?left=${run}&right=${run}`,
    ]) {
      await page.goto(studio.origin + path);
      await shown.still();
      await expectInert(shown);
    }
    // Reading a text to purify it meets its styles; the policy refuses them, and then they are removed.
    const isStyle = /^(Applying inline style|Refused to apply inline style)|style-src-attr 'none'/;
    expect(shown.faults.filter((fault) => !isStyle.test(fault))).toEqual([]);
  });
});
