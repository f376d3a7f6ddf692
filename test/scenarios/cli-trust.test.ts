/** The promise of trust: commands that came with a repository do not run before a person has allowed them. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { markImported } from "../../src/cli/runs/imported.ts";
import { importRun } from "../../src/history/bundle/import.ts";
import { CommandLine, inARow, program } from "./cli-harness.ts";
import { studioOver } from "./studio-stage.ts";

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

describe("what a repository says of itself", { timeout: 120_000 }, () => {
  const git = (cwd: string, ...args: string[]) => spawnSync("git", args, { cwd });

  test("is not believed: a folder in it that looks like a repository neither answers nor runs anything", async () => {
    const cli = new CommandLine();
    const inner = join(cli.cwd, "inner");
    for (const folder of ["objects", "refs"]) mkdirSync(join(inner, folder), { recursive: true });
    const monitor = `touch ${join(cli.cwd, "touched")};:`;
    const core = ["repositoryformatversion = 0", "bare = false", "worktree = .", `fsmonitor = "${monitor}"`];
    writeFileSync(join(inner, "config"), `[core]\n\t${core.join("\n\t")}\n`);
    writeFileSync(join(inner, "HEAD"), "ref: refs/heads/main\n");
    for (const folder of ["objects", "refs"]) writeFileSync(join(inner, folder, ".keep"), "");
    writeFileSync(join(inner, "x.json"), JSON.stringify(FILES["commands.json"]));
    git(cli.cwd, "init", "--quiet");
    git(cli.cwd, "add", "--all");
    expect((await cli.run("run", "inner/x.json")).code).toBe(2);
    expect(existsSync(join(cli.cwd, "touched"))).toBe(false);
  });

  test.each([
    [":!pattern.json", "a name that git might take for a pattern"],
    ["linked/deep.json", "a file below a link"],
    ["link.json", "a link to a file"],
  ])("%s is asked about: %s", async (named) => {
    const cli = new CommandLine();
    const repo = join(cli.cwd, "repo");
    mkdirSync(repo);
    const text = JSON.stringify(FILES["commands.json"]);
    for (const name of [":!pattern.json", "deep.json"]) writeFileSync(join(repo, name), text);
    git(repo, "init", "--quiet");
    git(repo, "--literal-pathspecs", "add", "--all");
    symlinkSync(repo, join(cli.cwd, "linked"));
    symlinkSync(join(repo, "deep.json"), join(cli.cwd, "link.json"));
    const path = named.startsWith(":") ? join(repo, named) : named;
    expect(await cli.json("run", path)).toMatchObject({
      code: 2,
      document: { error: { code: "not_trusted" } },
    });
  });

  test("a program that it has under the name of an agent is not started", async () => {
    const cli = new CommandLine({ "ask.json": inARow({ a: { prompt: "Do it.", tools: "none" } }) });
    const folder = join(cli.cwd, "node_modules", ".bin");
    mkdirSync(folder, { recursive: true });
    const script = `#!/bin/sh\ntouch ${join(cli.cwd, "touched")}\n`;
    for (const name of ["claude-agent-acp", "pi", "goose", "opencode", "gemini"])
      writeFileSync(join(folder, name), script, { mode: 0o755 });
    git(cli.cwd, "init", "--quiet");
    git(cli.cwd, "add", "--all", "--force");
    await cli.run("run", "ask.json", "--agent", "goose");
    await cli.run("doctor");
    expect(existsSync(join(cli.cwd, "touched"))).toBe(false);
  });
});

describe("going on with a run", { timeout: 120_000 }, () => {
  const git = (cwd: string, ...args: string[]) => spawnSync("git", args, { cwd });
  const refused = { code: 2, document: { error: { code: "not_trusted" } } };

  /** A run that was recorded and that nobody has driven, as a bundle. */
  async function bundled(): Promise<{ cli: CommandLine; bundle: Buffer }> {
    const cli = new CommandLine(FILES);
    await cli.run("run", "commands.json", "--run-id", "r", "--detach");
    await cli.run("export", "r", "--out", "r.baton");
    return { cli, bundle: readFileSync(join(cli.cwd, "r.baton")) };
  }

  test("that came in a bundle runs its commands only when that is allowed", async () => {
    const { cli, bundle } = await bundled();
    const elsewhere = new CommandLine();
    writeFileSync(join(elsewhere.cwd, "r.baton"), bundle);
    await elsewhere.run("import", "r.baton");
    expect(await elsewhere.json("resume", "r")).toMatchObject(refused);
    const forked = await elsewhere.run("fork", "r", "--at", "1", "--run-id", "f");
    expect(forked.code).toBe(0);
    expect(await elsewhere.json("resume", "f")).toMatchObject(refused);
    expect(existsSync(join(cli.cwd, "touched"))).toBe(false);
    expect((await elsewhere.run("resume", "r", "--yes")).code).toBe(0);
    expect(existsSync(join(cli.cwd, "touched"))).toBe(true);
  });

  test("that came in a bundle is left alone by a studio", async () => {
    const { cli, bundle } = await bundled();
    const stage = await studioOver();
    const { run } = await importRun(stage.journal, bundle);
    markImported({ folder: join(stage.folder, ".baton") }, run);
    stage.conductor.begin();
    await expect.poll(() => stage.faults.map(String).join()).toContain("started elsewhere");
    expect(await stage.ask("POST", "/api/runs/r/commands", { verb: "resume" })).toMatchObject({
      body: { error: { code: "not_trusted" } },
    });
    expect(existsSync(join(cli.cwd, "touched"))).toBe(false);
  });

  test("that lies in a database of the repository is asked about", async () => {
    const { cli } = await bundled();
    git(cli.cwd, "init", "--quiet");
    git(cli.cwd, "add", "--force", ".baton/baton.db");
    expect(await cli.json("resume", "r")).toMatchObject(refused);
    expect(existsSync(join(cli.cwd, "touched"))).toBe(false);
  });

  test("whose config sets up agents in another way than when it was started is asked about", async () => {
    const cli = new CommandLine({
      "ask.json": inARow({ a: { prompt: "Do it.", tools: "none", agent: "mine" } }),
    });
    const config = join(cli.cwd, ".baton", "config.json");
    const mine = (code: string) =>
      writeFileSync(
        config,
        JSON.stringify({ agents: { mine: { kind: "command", command: [process.execPath, "-e", code] } } }),
      );
    mkdirSync(join(cli.cwd, ".baton"));
    mine("console.log('said')");
    git(cli.cwd, "init", "--quiet");
    git(cli.cwd, "add", "--force", ".baton/config.json");
    for (const run of ["same", "other"]) {
      expect((await cli.run("run", "ask.json", "--run-id", run, "--detach", "--yes")).code).toBe(0);
    }
    expect((await cli.run("resume", "same")).code).toBe(0);
    mine("require('node:fs').writeFileSync('touched', '')");
    expect(await cli.json("resume", "other")).toMatchObject(refused);
    expect(existsSync(join(cli.cwd, "touched"))).toBe(false);
  });

  test("a module that the log of somebody else names is not loaded by a replay", async () => {
    const graph = `
      import { writeFileSync } from "node:fs";
      import { END, START, StateGraph } from "batonjs";
      writeFileSync("loaded", "");
      export default new StateGraph({ n: {} }).addNode("a", () => ({ n: 1 }))
        .addEdge(START, "a").addEdge("a", END).compile();`;
    const cli = new CommandLine({ "graph.ts": graph });
    await cli.run("run", "graph.ts", "--run-id", "r");
    await cli.run("export", "r", "--out", "r.baton");
    await cli.run("import", "r.baton", "--run-id", "theirs");
    rmSync(join(cli.cwd, "loaded"));
    expect((await cli.run("replay", "theirs")).code).toBe(0);
    expect(existsSync(join(cli.cwd, "loaded"))).toBe(false);
  });
});
