/**
 * The pictures of the documentation: taken anew when they are asked for with `BATON_PICTURES=1`. Otherwise they have to
 * be there, and the pages have to show what the pictures show.
 */

import { mkdirSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { CommandLine, ROOT } from "../scenarios/cli-harness.ts";
import { EXAMPLES, PICTURE_FILES, PICTURED_AT, recordPictured } from "./picture-runs.ts";
import { CHROMIUM, Studio } from "./studio.ts";

const FOLDER = join(ROOT, "docs", "studio");
const MOST = 200_000;
const IS_TAKING = process.env["BATON_PICTURES"] !== undefined;
const SCHEMES = ["light", "dark"] as const;

interface Picture {
  readonly path: string;
  /** What has to be there before it is taken. */
  readonly shows: (page: Page) => Promise<void>;
}

const PICTURES: Readonly<Record<string, Picture>> = {
  run: {
    path: "/runs/greeting?node=Socket-5&visit=1",
    async shows(page) {
      await page.getByRole("button", { name: /^Auto-Eval agent Loop consumer/ }).waitFor();
      await page.getByText("It waits for a person").waitFor();
      await page.getByText("wants not satisfied; the output says satisfied: false").waitFor();
      await page.getByRole("list", { name: "Visits" }).getByText("Maintain").waitFor();
    },
  },
  runs: {
    path: "/runs",
    async shows(page) {
      const list = page.getByRole("list", { name: "Runs" });
      for (const task of ["Greet people by name", "Shorten the essay", "Shorten the handbook"]) {
        await list.getByText(task).waitFor();
      }
      await list.getByText("budget exhausted").waitFor();
      await list.getByText(/^failed/).waitFor();
    },
  },
  approvals: {
    path: "/approvals?run=release",
    async shows(page) {
      await page.getByRole("heading", { name: "Publish greetings 1.2.0" }).waitFor();
      await page.getByText("npm publish --tag next").waitFor();
      await page.getByText('"version": "1.2.0"').waitFor();
      await page.getByText("Is the draft good enough to be sent?").waitFor();
    },
  },
};

async function opened(studio: Studio, colorScheme: (typeof SCHEMES)[number]): Promise<Page> {
  const { page } = await studio.page("/runs", {
    ...{ colorScheme, viewport: { width: 1280, height: 800 }, locale: "en-GB", timezoneId: "UTC" },
    reducedMotion: "reduce",
  });
  await page.clock.setFixedTime(PICTURED_AT);
  await page.route("**/api/project", async (route) => {
    const response = await route.fetch();
    const project = { ...((await response.json()) as object), name: "greetings" };
    await route.fulfill({ response, json: project });
  });
  return page;
}

describe.skipIf(CHROMIUM === undefined)("the pictures", () => {
  test("show what the pages show, and are small", { timeout: 200_000 }, async () => {
    const studio = await Studio.open(EXAMPLES, PICTURE_FILES, (folder) =>
      recordPictured(new CommandLine(PICTURE_FILES), folder),
    );
    mkdirSync(FOLDER, { recursive: true });
    for (const colorScheme of SCHEMES) {
      const page = await opened(studio, colorScheme);
      for (const [name, { path, shows }] of Object.entries(PICTURES)) {
        const file = join(FOLDER, `${name}-${colorScheme}.png`);
        if (IS_TAKING || colorScheme === "light") {
          await page.goto(studio.origin + path);
          await shows(page);
        }
        if (IS_TAKING) {
          await page.mouse.move(640, 799);
          await page.waitForTimeout(600); // what fades has faded
          await page.screenshot({ path: file });
        }
        expect(statSync(file).size, file).toBeLessThan(MOST);
      }
    }
  });
});
