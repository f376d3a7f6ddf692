import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { chmod, mkdir, mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Worktree } from "../../agent/worktree.ts";
import { GitWorktrees } from "./git-worktrees.ts";

let top: string;
let repo: string;
const trees = new GitWorktrees();

beforeEach(async () => {
  top = await realpath(await mkdtemp(join(tmpdir(), "worktrees-")));
  repo = join(top, "repo");
  await mkdir(repo);
});

afterEach(() => rm(top, { recursive: true, force: true }));

function git(cwd: string, ...args: readonly string[]): string {
  const named = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org"];
  return execFileSync("git", [...named, ...args], { cwd, encoding: "utf8", stdio: "pipe" }).trim();
}

/** A repository with one commit. */
function init(): void {
  git(repo, "init", "--quiet", "--initial-branch=main");
  writeFileSync(join(repo, "a.txt"), "one\n");
  git(repo, "add", ".");
  git(repo, "commit", "--quiet", "--message", "First");
}

async function base(): Promise<string> {
  const begun = await trees.begin(repo, [".baton"]);
  if (!begun.ok) throw new Error(begun.why);
  return begun.commit;
}

async function tree(name: string): Promise<Worktree> {
  return {
    cwd: repo,
    folder: join(repo, ".baton", "lanes", name),
    branch: `baton/${name}`,
    base: await base(),
  };
}

const read = (folder: string, file = "a.txt") => readFileSync(join(folder, file), "utf8");

describe("work begins", () => {
  test("at the commit of a clean repository, whatever lies in its own paths", async () => {
    init();
    await mkdir(join(repo, ".baton"));
    writeFileSync(join(repo, ".baton", "baton.db"), "");
    expect(await trees.begin(repo, [".baton"])).toEqual({ ok: true, commit: git(repo, "rev-parse", "HEAD") });
  });

  test("not without a repository, a commit, or with changes that are not committed", async () => {
    expect(await trees.begin(repo, [])).toMatchObject({
      ok: false,
      why: expect.stringContaining("git init"),
    });
    git(repo, "init", "--quiet");
    expect(await trees.begin(repo, [])).toMatchObject({
      ok: false,
      why: expect.stringContaining("no commit"),
    });
    writeFileSync(join(repo, "a.txt"), "one\n");
    git(repo, "add", ".");
    git(repo, "commit", "--quiet", "--message", "First");
    writeFileSync(join(repo, "b.txt"), "new");
    expect(await trees.begin(repo, [])).toMatchObject({
      ok: false,
      why: expect.stringMatching(/^b\.txt is not committed/),
    });
  });
});

test("a worktree is found again, with what was done in it, and a folder within it stands for the person's", async () => {
  init();
  await mkdir(join(repo, "packages"));
  writeFileSync(join(repo, "packages", "p.txt"), "p");
  git(repo, "add", ".");
  git(repo, "commit", "--quiet", "--message", "Packages");
  const lane = { ...(await tree("l")), cwd: join(repo, "packages") };
  const folder = await trees.open(lane);
  expect(folder).toBe(join(lane.folder, "packages"));
  writeFileSync(join(folder, "p.txt"), "changed");
  expect(await trees.open(lane)).toBe(folder);
  expect(read(folder, "p.txt")).toBe("changed");
  expect(read(join(repo, "packages"), "p.txt")).toBe("p");
});

test("a worktree whose folder is gone comes back on its branch, with its commits", async () => {
  init();
  const lane = await tree("l");
  await trees.open(lane);
  writeFileSync(join(lane.folder, "a.txt"), "two\n");
  const sealed = await trees.seal(lane, "Two");
  await rm(lane.folder, { recursive: true });
  await trees.open(lane);
  expect(read(lane.folder)).toBe("two\n");
  expect(await trees.seal(lane, "Again")).toEqual(sealed);
});

test("a worktree that was begun and not made is made anew; other things in its place are put aside", async () => {
  init();
  const lane = await tree("l");
  await trees.open(lane);
  const own = git(lane.folder, "rev-parse", "--absolute-git-dir");
  writeFileSync(join(own, "locked"), "initializing");
  await rm(join(lane.folder, "a.txt"));
  await trees.open(lane);
  expect(read(lane.folder)).toBe("one\n");
  const other = await tree("other");
  await mkdir(other.folder);
  writeFileSync(join(other.folder, "mine.txt"), "mine");
  await trees.open(other);
  expect(read(other.folder)).toBe("one\n");
  const aside = readdirSync(join(repo, ".baton", "lanes")).find((name) => name.startsWith("other-aside-"));
  expect(read(join(repo, ".baton", "lanes", aside ?? ""), "mine.txt")).toBe("mine");
});

test("sealing commits all changes, runs no hooks, and gives nothing when nothing was done", async () => {
  init();
  const hook = join(repo, ".git", "hooks", "pre-commit");
  writeFileSync(hook, "#!/bin/sh\nexit 1\n");
  await chmod(hook, 0o755);
  const lane = await tree("l");
  await trees.open(lane);
  expect(await trees.seal(lane, "Nothing")).toEqual({ kind: "sealed", commit: null });
  writeFileSync(join(lane.folder, "new.txt"), "new");
  const sealed = await trees.seal(lane, "New");
  expect(sealed).toEqual({ kind: "sealed", commit: git(lane.folder, "rev-parse", "HEAD") });
  expect(git(lane.folder, "log", "-1", "--format=%s")).toBe("New");
});

describe("two lanes", () => {
  async function lanes(first: string, second: string) {
    init();
    const [one, two, joined] = [await tree("one"), await tree("two"), await tree("join")];
    for (const each of [one, two, joined]) await trees.open(each);
    writeFileSync(join(one.folder, "a.txt"), first);
    writeFileSync(join(two.folder, second === "" ? "b.txt" : "a.txt"), second || "two\n");
    const commits: string[] = [];
    for (const each of [one, two]) {
      const sealed = await trees.seal(each, `Work of ${each.branch}`);
      if (sealed.kind === "unresolved" || sealed.commit === null) throw new Error("sealed");
      commits.push(sealed.commit);
    }
    const merge = (index: number) => trees.merge(joined, commits[index] as string, `Merge ${index}`);
    return { one, two, joined, merge };
  }

  test("are merged aside, landed at once, and removed; each step may be taken again", async () => {
    const { one, two, joined, merge } = await lanes("changed\n", "");
    expect(await merge(0)).toEqual({ kind: "merged" });
    expect(await merge(1)).toEqual({ kind: "merged" });
    expect(await merge(1)).toEqual({ kind: "merged" });
    expect(read(repo)).toBe("one\n");
    expect(await trees.close(one)).toBe(false);
    expect(existsSync(one.folder)).toBe(true);
    expect(await trees.land(joined)).toEqual({ ok: true });
    expect(await trees.land(joined)).toEqual({ ok: true });
    expect([read(repo), read(repo, "b.txt")]).toEqual(["changed\n", "two\n"]);
    for (const each of [one, two, joined, one]) expect(await trees.close(each)).toBe(true);
    expect(git(repo, "branch", "--format=%(refname:short)")).toBe("main");
    expect(git(repo, "worktree", "list", "--porcelain").match(/^worktree /gm)).toHaveLength(1);
  });

  test("that conflict leave no trace in the join; the conflict is brought to the lane and resolved there", async () => {
    const { two, joined, merge } = await lanes("changed\n", "also changed\n");
    await merge(0);
    expect(await merge(1)).toEqual({ kind: "conflict", files: ["a.txt"] });
    expect([read(joined.folder), git(joined.folder, "status", "--porcelain")]).toEqual(["changed\n", ""]);
    const conflict = { kind: "conflict", files: ["a.txt"] };
    expect(await trees.bring(two, joined)).toEqual(conflict);
    expect(await trees.bring(two, joined)).toEqual(conflict);
    expect(await trees.seal(two, "No")).toEqual({ kind: "unresolved", files: ["a.txt"] });
    writeFileSync(join(two.folder, "a.txt"), "changed, also\n");
    const sealed = await trees.seal(two, "Both");
    if (sealed.kind !== "sealed" || sealed.commit === null) throw new Error("sealed");
    expect(await trees.merge(joined, sealed.commit, "Merge")).toEqual({ kind: "merged" });
    await trees.land(joined);
    expect(read(repo)).toBe("changed, also\n");
  });

  test("land on top of what was committed meanwhile, and not over changes that nobody committed", async () => {
    const { joined, merge } = await lanes("changed\n", "");
    await merge(0);
    writeFileSync(join(repo, "c.txt"), "mine");
    git(repo, "add", ".");
    git(repo, "commit", "--quiet", "--message", "Meanwhile");
    writeFileSync(join(repo, "a.txt"), "in the middle of something\n");
    expect(await trees.land(joined)).toMatchObject({ ok: false, why: expect.stringContaining("a.txt") });
    expect(read(repo)).toBe("in the middle of something\n");
    git(repo, "checkout", "--quiet", "a.txt");
    expect(await trees.land(joined)).toEqual({ ok: true });
    expect([read(repo), read(repo, "c.txt")]).toEqual(["changed\n", "mine"]);
  });

  test("are kept when they have changes that nobody committed", async () => {
    const { one, joined, merge } = await lanes("changed\n", "");
    await merge(0);
    await trees.land(joined);
    writeFileSync(join(one.folder, "left.txt"), "left");
    expect(await trees.close(one)).toBe(false);
    expect(read(one.folder, "left.txt")).toBe("left");
  });
});
