/** The promise of trust: commands that came with a repository do not run before a person has allowed them. */
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { CommandLine, inARow, program } from "./cli-harness.ts";

const FILES = {
  "commands.json": inARow({ touch: program("require('node:fs').writeFileSync('touched', '')") }),
  "harmless.json": inARow({ look: { type: "utility", utility: "Detect-VCS" } }, "json"),
};

describe("a loadout that came with a repository", () => {
  const cloned = (): CommandLine => {
    const cli = new CommandLine(FILES);
    for (const args of [
      ["init", "--quiet"],
      ["add", "--all"],
    ])
      spawnSync("git", args, { cwd: cli.cwd });
    return cli;
  };

  test("does not run its commands unasked; trusted once, it runs until it changes", async () => {
    const cli = cloned();
    const refused = await cli.json<{ error: { message: string; hint: string } }>("run", "commands.json");
    expect(refused).toMatchObject({ code: 2, document: { error: { code: "not_trusted" } } });
    expect(refused.document.error.hint).toContain("trust");
    expect(existsSync(join(cli.cwd, "touched"))).toBe(false);
    expect((await cli.run("trust", "commands.json")).code).toBe(0);
    expect((await cli.run("run", "commands.json")).code).toBe(0);
    expect(existsSync(join(cli.cwd, "touched"))).toBe(true);
    expect(
      Object.keys(JSON.parse(readFileSync(join(cli.cwd, "home/baton/trusted.json"), "utf8"))),
    ).toHaveLength(1);
    writeFileSync(join(cli.cwd, "commands.json"), `${JSON.stringify(FILES["commands.json"])}\n`);
    expect((await cli.run("run", "commands.json")).code).toBe(2);
  });

  test("runs with --yes, which remembers nothing", async () => {
    const cli = cloned();
    expect((await cli.run("run", "commands.json", "--yes")).code).toBe(0);
    expect((await cli.run("run", "commands.json")).code).toBe(2);
  });

  test("is not asked about when it runs nothing of its own", async () => {
    expect((await cloned().run("run", "harmless.json")).code).toBe(0);
  });
});

test("a loadout that the person put there is not asked about", async () => {
  const cli = new CommandLine(FILES);
  expect((await cli.run("run", "commands.json")).code).toBe(0);
  spawnSync("git", ["init", "--quiet"], { cwd: cli.cwd });
  expect((await cli.run("run", "commands.json")).code).toBe(0);
});
