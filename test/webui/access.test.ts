/** No page has a serious fault in the eyes of axe, in light and in dark, wide and narrow. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { AxeResults } from "axe-core";
import { describe, expect, test } from "vitest";
import type { RunDocument } from "../../src/protocol/studio.ts";
import { ROOT } from "../scenarios/cli-harness.ts";
import { CHROMIUM, Studio } from "./studio.ts";

const AXE = readFileSync(join(ROOT, "node_modules", "axe-core", "axe.min.js"), "utf8");

/** A look, and which rules it can break that another one does not. */
const LOOKS = [
  ["light", 1280, {}],
  ["dark", 1280, { runOnly: ["color-contrast", "link-in-text-block"] }],
  ["light", 400, { rules: { "color-contrast": { enabled: false } } }],
] as const;

describe.skipIf(CHROMIUM === undefined)("every page", () => {
  test("is fit for a screen reader and has enough contrast", { timeout: 400_000 }, async () => {
    const names = ["graph-semantics", "inbox-team"].flatMap((name) =>
      name === "inbox-team"
        ? [`${name}.json`, `${name}-script.json`]
        : [`${name}-loadout.json`, `${name}-script.json`],
    );
    const studio = await Studio.open(names);
    const demo = await studio.ask<RunDocument>("/api/runs", {
      ...{ definition: "graph-semantics-loadout.json", script: "graph-semantics-script.json", yes: true },
    });
    const inbox = await studio.ask<RunDocument>("/api/runs", {
      ...{ definition: "inbox-team.json", script: "inbox-team-script.json", yes: true },
      messages: [{ node: "lead", text: "Build a sign-up form" }],
    });
    const paths = [
      ...["/runs", "/runs?start=1&definition=graph-semantics-loadout.json", "/runs?search=nothing"],
      ...[`/runs/${demo.run}`, `/runs/${demo.run}?node=Socket-5&visit=1&tab=events`],
      ...[`/runs/${demo.run}?seq=40&side=state`, `/runs/${inbox.run}?tab=mail&node=lead`, "/runs/unknown"],
      ...["/approvals", "/definitions", "/definitions/edit?path=inbox-team.json", "/nowhere"],
      `/compare?left=${demo.run}&right=${inbox.run}`,
    ];
    const found: string[] = [];
    for (const [colorScheme, width, rules] of LOOKS) {
      const shown = await studio.page("/runs", {
        colorScheme,
        viewport: { width, height: 820 },
        bypassCSP: true,
      });
      for (const path of paths) {
        await shown.page.goto(studio.origin + path);
        await shown.settled();
        await shown.page.addScriptTag({ content: AXE });
        const { violations } = await shown.read<AxeResults>(`axe.run(${JSON.stringify(rules)})`);
        for (const { id, impact, nodes } of violations) {
          if (impact !== "serious" && impact !== "critical") continue;
          for (const { html, failureSummary = "" } of nodes.slice(0, 4)) {
            found.push(
              `${colorScheme} ${width} ${path}: ${id} ${html.slice(0, 160)} ${failureSummary.slice(0, 240)}`,
            );
          }
        }
        const isWide = await shown.read<boolean>("document.documentElement.scrollWidth > innerWidth + 1");
        if (isWide) found.push(`${colorScheme} ${width} ${path}: wider than the window`);
      }
      expect(shown.faults).toEqual([]);
    }
    expect(found).toEqual([]);
  });
});
