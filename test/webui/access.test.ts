/** No page has a serious fault in the eyes of axe, in light and in dark, wide and narrow, and none breaks the policy. */

import { describe, expect, test } from "vitest";
import type { RunDocument } from "../../src/protocol/studio.ts";
import { faultsOf } from "./axe.ts";
import { CHROMIUM, type Shown, Studio } from "./studio.ts";

/** A look, and which rules it can break that another one does not. */
const LOOKS = [
  ["light", 1280, {}],
  ["dark", 1280, { runOnly: ["color-contrast", "link-in-text-block"] }],
  ["light", 400, { rules: { "color-contrast": { enabled: false } } }],
] as const;

/** What breaks a page as it is open: it is opened once, and then looked at in every way. */
async function faultsAt(shown: Shown, path: string): Promise<string[]> {
  const found: string[] = [];
  for (const [colorScheme, width, rules] of LOOKS) {
    await shown.page.setViewportSize({ width, height: 820 });
    await shown.page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    for (const fault of await faultsOf(shown, rules)) found.push(`${colorScheme} ${width} ${path}: ${fault}`);
  }
  return found;
}

describe.skipIf(CHROMIUM === undefined)("every page", () => {
  test("is fit for a screen reader, has enough contrast, and keeps to its policy", {
    timeout: 400_000,
  }, async () => {
    const names = ["graph-semantics", "inbox-team"].flatMap((name) =>
      name === "inbox-team"
        ? [`${name}.json`, `${name}-script.json`]
        : [`${name}-loadout.json`, `${name}-script.json`],
    );
    const studio = await Studio.open([...names, "stategraph-hello.ts"]);
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
      ...["/definitions/edit?path=graph-semantics-loadout.json"],
      ...["/definitions/edit?path=stategraph-hello.ts", `/compare?left=${demo.run}&right=${inbox.run}`],
    ];
    const found: string[] = [];
    const look = async (share: readonly string[]) => {
      const shown = await studio.page("/runs", { reducedMotion: "reduce" });
      for (const path of share) {
        await shown.page.goto(studio.origin + path);
        await shown.settled();
        found.push(...(await faultsAt(shown, path)));
      }
      // A fault is also what the policy refused.
      expect(shown.faults).toEqual([]);
    };
    const half = Math.ceil(paths.length / 2);
    await Promise.all([look(paths.slice(0, half)), look(paths.slice(half))]);
    expect(found).toEqual([]);
  });
});
