/** The pictures of the documentation, taken anew when they are asked for: `BATON_PICTURES=1`. */

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "vitest";
import type { RunDocument } from "../../src/protocol/studio.ts";
import { ROOT } from "../scenarios/cli-harness.ts";
import { CHROMIUM, Studio } from "./studio.ts";

const FOLDER = join(ROOT, "docs", "studio");
const EXAMPLES = ["graph-semantics", "inbox-team"].flatMap((name) => [
  name === "inbox-team" ? `${name}.json` : `${name}-loadout.json`,
  `${name}-script.json`,
]);

describe.skipIf(CHROMIUM === undefined || process.env["BATON_PICTURES"] === undefined)("pictures", () => {
  test("of a run, an inbox and the approvals, in light and in dark", { timeout: 300_000 }, async () => {
    mkdirSync(FOLDER, { recursive: true });
    const studio = await Studio.open(EXAMPLES);
    const demo = await studio.ask<RunDocument>("/api/runs", {
      ...{ definition: "graph-semantics-loadout.json", script: "graph-semantics-script.json" },
      ...{ task: "Greet people by name", yes: true },
    });
    const inbox = await studio.ask<RunDocument>("/api/runs", {
      ...{ definition: "inbox-team.json", script: "inbox-team-script.json", yes: true },
      messages: [{ node: "lead", text: "Build a sign-up form and its service" }],
    });
    const pictures = {
      run: `/runs/${demo.run}?node=Socket-5&visit=1`,
      inbox: `/runs/${inbox.run}?tab=mail&node=lead`,
      approvals: "/approvals",
    };
    for (const colorScheme of ["light", "dark"] as const) {
      const { page } = await studio.page("/runs", { colorScheme, viewport: { width: 1280, height: 820 } });
      for (const [name, path] of Object.entries(pictures)) {
        await page.goto(studio.origin + path);
        await page.waitForTimeout(2000);
        await page.screenshot({ path: join(FOLDER, `${name}-${colorScheme}.png`) });
      }
    }
  });
});
