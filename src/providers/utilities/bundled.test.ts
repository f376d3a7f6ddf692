/** The bundled utilities as what they are: processes, on real folders and repositories. */

import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Json } from "../../base/json.ts";
import { LocalCommands } from "../command/local-commands.ts";
import { BUNDLED_UTILITIES, bundledUtility } from "./bundled.ts";

let cwd: string;

beforeEach(async () => {
  cwd = await realpath(await mkdtemp(join(tmpdir(), "utilities-")));
});

afterEach(() => rm(cwd, { recursive: true, force: true }));

interface Asked {
  readonly params?: Json;
  readonly state?: Json;
  readonly cwd?: string;
  readonly runId?: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
}

async function run(name: string, { env = process.env, ...asked }: Asked = {}) {
  const { argv, env: named } = bundledUtility(name)!;
  const base = { cwd, runDir: join(cwd, ".baton/runs/x"), request: "Add a login page", runId: "run-abc123" };
  const placed = { socketId: "Socket-1", materiaId: name, item: null, itemKey: null, cursor: null };
  const stdin = `${JSON.stringify({ ...base, ...placed, params: {}, state: {}, ...asked })}\n`;
  const limits = { timeoutMs: 15_000, maxOutputBytes: 1 << 20, signal: new AbortController().signal };
  const result = await new LocalCommands({ cwd, env }).run({ argv, stdin, env: named, ...limits });
  return { code: result.code, stderr: result.stderr, output: result.stdout && JSON.parse(result.stdout) };
}

function git(...args: readonly string[]): string {
  const author = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org", "-c", "commit.gpgsign=false"];
  return execFileSync("git", [...author, ...args], { cwd, encoding: "utf8", stdio: "pipe" }).trim();
}

function repository(): string {
  git("init", "--quiet", "--initial-branch=main");
  git("commit", "--quiet", "--allow-empty", "-m", "first");
  return git("rev-parse", "HEAD");
}

const text = (...path: readonly string[]) => readFile(join(cwd, ...path), "utf8");

describe("§9: every bundled utility", () => {
  test("there are four, and no others", () => {
    expect(BUNDLED_UTILITIES).toEqual([
      "Ignore-Artifacts",
      "Detect-VCS",
      "Blackbelt-Bootstrap",
      "Commit-Sigil",
    ]);
    expect(bundledUtility("toString")).toBeUndefined();
  });

  test.each(BUNDLED_UTILITIES)(
    "%s is a script that says in one sentence which parameter it does not know",
    async (name) => {
      const { code, stderr, output } = await run(name, { params: { "no such": 1 } });
      expect([code, output]).toEqual([1, ""]);
      expect(stderr).toMatch(/^params\.no such means nothing here; .*\.\n$/);
    },
  );
});

describe("Ignore-Artifacts", () => {
  const done = (file: string, added: readonly string[], present: readonly string[]) => ({
    state: { artifactIgnore: { file, added, present } },
  });

  test("makes the file, and leaves it alone the second time", async () => {
    expect((await run("Ignore-Artifacts")).output).toEqual(done(".gitignore", [".baton/"], []));
    expect(await text(".gitignore")).toBe(".baton/\n");
    expect((await run("Ignore-Artifacts")).output).toEqual(done(".gitignore", [], [".baton/"]));
    expect(await text(".gitignore")).toBe(".baton/\n");
  });

  test("takes other patterns and another file", async () => {
    await writeFile(join(cwd, ".dockerignore"), "a\r\n");
    const params = { file: ".dockerignore", patterns: ["a", "b"] };
    expect((await run("Ignore-Artifacts", { params })).output).toEqual(done(".dockerignore", ["b"], ["a"]));
    expect(await text(".dockerignore")).toBe("a\r\nb\r\n");
  });

  test("keeps it private in a git repository, and git then ignores what was meant", async () => {
    repository();
    await mkdir(join(cwd, "sub/out/x"), { recursive: true });
    await writeFile(join(cwd, "sub/out/x/file"), "");
    const asked = { params: { local: true, patterns: ["out/x", ".baton/"] }, cwd: join(cwd, "sub") };
    const { output } = await run("Ignore-Artifacts", asked);
    expect(output.state.artifactIgnore.added).toEqual(["/sub/out/x", ".baton/"]);
    expect(await text(".git/info/exclude")).toMatch(/\n\/sub\/out\/x\n\.baton\/\n$/);
    expect(git("status", "--porcelain")).toBe("");
    expect((await run("Ignore-Artifacts", asked)).output.state.artifactIgnore.added).toEqual([]);
  });

  test("outside of git, local means the file", async () => {
    const { output } = await run("Ignore-Artifacts", { params: { local: true } });
    expect(output).toEqual(done(".gitignore", [".baton/"], []));
  });

  test.each([
    ["a file outside of the project", { file: "../none" }, /"\.\.\/none" has "\.\."/],
    ["one that is there", { file: "../../etc/hosts" }, /"\.\.\/\.\.\/etc\/hosts" has "\.\."/],
    ["a folder", { file: "." }, /illegal operation on a directory/],
    ["a comment as pattern", { patterns: ["# x"] }, /"# x" is no ignore pattern: it is a comment/],
  ])("refuses %s", async (_, params, why) => {
    expect(await run("Ignore-Artifacts", { params })).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(why),
    });
  });

  test("refuses a link to the outside, and bytes that it would not give back", async () => {
    await symlink("/etc/hosts", join(cwd, ".gitignore"));
    expect(await run("Ignore-Artifacts")).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/leads out/),
    });
    await writeFile(join(cwd, "latin"), Buffer.from([0xe4, 0x0a]));
    const { code, stderr } = await run("Ignore-Artifacts", { params: { file: "latin" } });
    expect([code, stderr]).toEqual([1, expect.stringMatching(/not UTF-8/)]);
    expect(await readFile(join(cwd, "latin"))).toEqual(Buffer.from([0xe4, 0x0a]));
  });
});

describe("Detect-VCS", () => {
  const vcs = async (asked: Asked = {}) => (await run("Detect-VCS", asked)).output.state.vcs;

  test("none", async () => {
    expect(await vcs()).toEqual({ kind: "none", root: null, available: false });
  });

  test("a folder called .git is no repository", async () => {
    await mkdir(join(cwd, ".git"));
    expect((await vcs()).kind).toBe("none");
  });

  test("git, from a folder inside it, and from a worktree", async () => {
    repository();
    await mkdir(join(cwd, "a/b"), { recursive: true });
    expect(await vcs({ cwd: join(cwd, "a/b") })).toEqual({ kind: "git", root: cwd, available: true });
    git("worktree", "add", "--quiet", "tree");
    expect((await vcs({ cwd: join(cwd, "tree") })).root).toBe(join(cwd, "tree"));
  });

  test("jj wins over git in the same folder; the nearer one wins otherwise", async () => {
    repository();
    await mkdir(join(cwd, ".jj/repo"), { recursive: true });
    expect(await vcs()).toMatchObject({ kind: "jj", root: cwd });
    await mkdir(join(cwd, "inner"));
    git("init", "--quiet", "inner");
    expect(await vcs({ cwd: join(cwd, "inner") })).toMatchObject({ kind: "git", root: join(cwd, "inner") });
  });

  test("a program that does not run here is not available", async () => {
    repository();
    expect(await vcs({ env: { PATH: join(cwd, "nothing") } })).toMatchObject({
      kind: "git",
      available: false,
    });
  });
});

describe("Blackbelt-Bootstrap with git", () => {
  const branch = "baton/add-a-login-page-abc123";
  const boot = (asked: Asked = {}) => run("Blackbelt-Bootstrap", asked);
  const done = (more: object) => ({
    state: { blackbeltBootstrap: { kind: "git", root: cwd, branch, clean: true, created: true, ...more } },
  });

  test("makes a branch, and stays on it when it runs again, also with new commits and changes", async () => {
    const base = repository();
    expect((await boot()).output).toEqual(done({ base }));
    expect(git("symbolic-ref", "--short", "HEAD")).toBe(branch);
    git("commit", "--quiet", "--allow-empty", "-m", "work");
    await writeFile(join(cwd, "work"), "");
    expect((await boot()).output).toEqual(done({ base, clean: false, created: false }));
  });

  test("goes back to its branch", async () => {
    const base = repository();
    await boot();
    git("switch", "--quiet", "main");
    git("commit", "--quiet", "--allow-empty", "-m", "meanwhile");
    expect((await boot()).output).toEqual(done({ base, created: false }));
    expect(git("symbolic-ref", "--short", "HEAD")).toBe(branch);
  });

  test("works before the first commit, from a folder inside, and from a detached head", async () => {
    git("init", "--quiet");
    expect((await boot()).output).toEqual(done({ base: null }));
    git("commit", "--quiet", "--allow-empty", "-m", "first");
    git("switch", "--quiet", "--detach");
    await mkdir(join(cwd, "sub"));
    const { output } = await boot({ params: { branch: "mine" }, cwd: join(cwd, "sub") });
    expect(output).toEqual(done({ branch: "mine", base: git("rev-parse", "HEAD") }));
  });

  test("refuses uncommitted changes in one sentence and touches nothing, unless they are allowed", async () => {
    const base = repository();
    for (const name of ["a b", "c", "d", "ü"]) await writeFile(join(cwd, name), "");
    const { code, stderr } = await boot();
    expect(code).toBe(1);
    expect(stderr).toBe(
      `The working copy at ${cwd} has 4 uncommitted changes (a b, c, d, …): commit or stash them, or set params.allowDirty to true.\n`,
    );
    expect(git("branch", "--list", "--format=%(refname:short)")).toBe("main");
    expect((await boot({ params: { allowDirty: true } })).output).toEqual(done({ base, clean: false }));
    expect(existsSync(join(cwd, "a b"))).toBe(true);
  });

  test("what the run itself has written does not make it dirty", async () => {
    repository();
    await mkdir(join(cwd, ".baton/runs/x"), { recursive: true });
    await writeFile(join(cwd, ".baton/baton.db"), "");
    const { output } = await run("Ignore-Artifacts", { params: { patterns: ["dist/"] } });
    expect((await boot({ state: output.state })).output).toMatchObject(done({}));
    expect(await text(".gitignore")).toBe("dist/\n");
  });

  test.each(["-x", "a..b", "x y", "@{-1}", "a.lock"])("refuses %j as a branch", async (name) => {
    repository();
    expect(await boot({ params: { branch: name } })).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/cannot name a git branch/),
    });
  });

  test("refuses where there is no repository, and where its program does not run", async () => {
    expect((await boot()).stderr).toMatch(/^There is no git or jj repository at /);
    repository();
    expect((await boot({ env: { PATH: "" } })).stderr).toMatch(/the program git does not run here/);
  });

  test("runs nothing that the repository brings", async () => {
    repository();
    const hook = `#!/bin/sh\ntouch ${join(cwd, "ran")}\n`;
    for (const name of ["post-checkout", "reference-transaction"]) {
      await writeFile(join(cwd, ".git/hooks", name), hook, { mode: 0o755 });
    }
    await writeFile(join(cwd, ".git/monitor"), hook, { mode: 0o755 });
    git("config", "core.fsmonitor", join(cwd, ".git/monitor"));
    expect((await boot()).code).toBe(0);
    expect(existsSync(join(cwd, "ran"))).toBe(false);
  });
});

const hasJj = (process.env["PATH"] ?? "").split(":").some((folder) => existsSync(join(folder, "jj")));

describe.skipIf(!hasJj)("Blackbelt-Bootstrap with jj (skipped where jj is not installed)", () => {
  const jj = (...args: readonly string[]) =>
    execFileSync("jj", args, { cwd, encoding: "utf8", stdio: "pipe" });
  const boot = async (asked: Asked = {}) => run("Blackbelt-Bootstrap", asked);

  test("makes a bookmark, stays on it, and refuses other changes", async () => {
    jj("git", "init");
    const first = (await boot()).output.state.blackbeltBootstrap;
    expect(first).toMatchObject({ kind: "jj", root: cwd, clean: true, created: true });
    await writeFile(join(cwd, "work"), "");
    const again = (await boot()).output.state.blackbeltBootstrap;
    expect(again).toEqual({ ...first, clean: false, created: false });
    expect(await boot({ runId: "another" })).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/1 uncommitted change \(work\)/),
    });
  });
});

describe("Commit-Sigil", () => {
  const item = (title: string) => ({ title, context: "why" });

  test("passes the items on unchanged and reports on them", async () => {
    const workItems = [{ ...item("feat: a"), extra: { deep: [1.5, null] } }, item("b")];
    const { output } = await run("Commit-Sigil", { state: { workItems, other: 1 } });
    const context = expect.stringMatching(/WI-2 "b"/);
    expect(output).toEqual({ workItems, satisfied: false, context });
    const good = await run("Commit-Sigil", {
      state: { workItems: [item("story: b")] },
      params: { types: ["story"] },
    });
    expect(good.output).toMatchObject({ satisfied: true });
  });

  test("without items it says what to do", async () => {
    expect(await run("Commit-Sigil")).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/generator before/),
    });
  });
});
