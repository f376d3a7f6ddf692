/** The promise of the demo: offline and in seconds it shows a loop, a rework and an approval, and what it says is true. */
import { spawnSync } from "node:child_process";
import { existsSync, rmSync } from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import { CommandLine } from "./cli-harness.ts";

interface Shown {
  readonly status: string;
  readonly path: readonly string[];
  readonly folder: string;
  readonly db: string;
  readonly followUp: string;
  readonly diff: string;
  readonly next: readonly string[];
}

test("the demo runs the example for real, and the commands that it names work", async () => {
  const cli = new CommandLine();
  const { code, document } = await cli.json<Shown>("demo");
  onTestFinished(() => rmSync(document.folder, { recursive: true, force: true }));
  expect(code).toBe(0);
  expect(document.status).toBe("completed");
  expect(document.path.filter((entry) => entry === "Socket-4@WI-1")).toHaveLength(2);
  expect(document.followUp).toContain("Hello, undefined!");
  expect(document.diff).toContain("+++ b/src/greet.js");
  expect(document.diff).toContain("+++ b/GREETING.md");
  expect(document.diff).not.toContain(".baton/baton.db");
  expect(existsSync(document.db)).toBe(true);
  expect(document.next).toHaveLength(3);
  for (const call of document.next) {
    const { status, stdout } = spawnSync("sh", ["-c", call], { cwd: cli.cwd, encoding: "utf8" });
    expect({ call, status }).toEqual({ call, status: 0 });
    expect(stdout).not.toBe("");
  }
});

test("without a terminal it answers for the person and says so", async () => {
  const { stdout, stderr } = await new CommandLine().run("demo");
  const folder = /^A small git repository for the demo: (.*)$/m.exec(stderr)?.[1];
  onTestFinished(() => rmSync(folder ?? "", { recursive: true, force: true }));
  expect(stderr).toContain("the demo answers for you: yes");
  expect(stdout).toContain("What changed");
});
