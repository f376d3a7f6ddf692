/** Runs the tests once and closes with one line that a program can read: `N passed, N failed, N skipped`. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { installBrowser } from "./browser.ts";

installBrowser();
const vitest = fileURLToPath(new URL("../node_modules/vitest/vitest.mjs", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "baton-test-"));
const file = join(folder, "report.json");
const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${file}`];

const { status } = spawnSync(process.execPath, [vitest, "run", ...reporters, ...process.argv.slice(2)], {
  stdio: "inherit",
});
const code = status ?? 1;
const report = read(file);
rmSync(folder, { recursive: true });

// A file that does not load, or an error outside of any test, fails the run without failing a test.
const failed = code === 0 ? report.numFailedTests : Math.max(1, report.numFailedTests);
const skipped = report.numPendingTests + report.numTodoTests;
console.log(`${report.numPassedTests} passed, ${failed} failed, ${skipped} skipped`);
process.exitCode = code;

function read(path: string): Record<`num${"Passed" | "Failed" | "Pending" | "Todo"}Tests`, number> {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch {
    return { numPassedTests: 0, numFailedTests: 0, numPendingTests: 0, numTodoTests: 0 };
  }
}
