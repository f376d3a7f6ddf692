/** What axe finds wrong with a page as it stands. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { AxeResults } from "axe-core";
import { ROOT } from "../scenarios/cli-harness.ts";
import type { Shown } from "./studio.ts";

const AXE = readFileSync(join(ROOT, "node_modules", "axe-core", "axe.min.js"), "utf8");

/** Every serious fault once the page has come to rest, each a line; and whether the page is wider than its window. */
export async function faultsOf(shown: Shown, options: object = {}): Promise<readonly string[]> {
  await shown.still();
  // Not as a script of the page, which its policy would refuse.
  if (!(await shown.read<boolean>("'axe' in window"))) await shown.read(AXE);
  const asked = JSON.stringify({ ...options, resultTypes: ["violations"] });
  const { violations } = await shown.read<AxeResults>(`axe.run(${asked})`);
  const serious = violations.filter(({ impact }) => impact === "serious" || impact === "critical");
  const lines = serious.flatMap(({ id, nodes }) =>
    nodes
      .slice(0, 4)
      .map(({ html, failureSummary = "" }) => `${id} ${html.slice(0, 160)} ${failureSummary.slice(0, 240)}`),
  );
  const isWide = await shown.read<boolean>("document.documentElement.scrollWidth > innerWidth + 1");
  return isWide ? [...lines, "wider than the window"] : lines;
}
