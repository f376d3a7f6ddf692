/** The first load of the list of runs is small, what it does not need is not in it, and what it is made of is named. */

import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { CHROMIUM, Studio } from "./studio.ts";

const MOST = 300_000;

describe.skipIf(CHROMIUM === undefined)("the first load", () => {
  test("is less than 300 kB compressed and asks nobody but the studio", { timeout: 120_000 }, async () => {
    const studio = await Studio.open([]);
    const shown = await studio.page("/runs");
    const { page } = shown;
    const sizes: number[] = [];
    page.on("response", async (response) => {
      if (/\.(js|css)$/.test(new URL(response.url()).pathname)) {
        sizes.push(gzipSync(await response.body()).length);
      }
    });
    await page.reload();
    await page.getByText("Nothing has run here yet").waitFor();
    expect(sizes.length).toBeGreaterThan(0);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(MOST);
    const loaded = await shown.read<string[]>("performance.getEntriesByType('resource').map((e) => e.name)");
    expect(loaded.filter((name) => /elk|canvas|markdown|codemirror/i.test(name))).toEqual([]);
    await page.getByRole("button", { name: "About" }).click();
    const link = page.getByRole("link", { name: "Licences of what it is made of" });
    const response = await page.request.get(
      new URL((await link.getAttribute("href")) ?? "", page.url()).href,
    );
    const licences = await response.text();
    expect(response.headers()["content-type"]).toContain("text/plain");
    for (const name of ["react", "react-dom", "elkjs", "@xyflow/react", "dompurify"]) {
      expect(licences).toContain(`## ${name} - `);
    }
    expect(licences).toContain("Eclipse Public License");
    expect(shown.foreign).toEqual([]);
    expect(shown.faults).toEqual([]);
  });
});
