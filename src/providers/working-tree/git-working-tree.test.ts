import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, mkdir, mkdtemp, readFile, readlink, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { GitWorkingTree } from "./git-working-tree.ts";

const GIT = ["-c", "user.name=t", "-c", "user.email=t@t", "-c", "init.defaultBranch=main"];

async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), "baton-tree-"));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  return path;
}

/** A repository with files, some of them committed, and a tree that compares it. */
async function repository(files: Readonly<Record<string, string>> = { "a.txt": "one\n" }) {
  const cwd = await folder();
  const store = await folder();
  const git = (...args: string[]) =>
    execFileSync("git", [...GIT, ...args], { cwd, encoding: "utf8", stdio: "pipe" });
  const write = async (path: string, content: string) => {
    await mkdir(dirname(join(cwd, path)), { recursive: true });
    await writeFile(join(cwd, path), content);
  };
  const read = (path: string) => readFile(join(cwd, path), "utf8");
  git("init", "-q");
  for (const [path, content] of Object.entries(files)) await write(path, content);
  git("add", "-A");
  git("commit", "-q", "-m", "begin");
  const notes: string[] = [];
  const options = { cwd, store, note: (sentence: string) => notes.push(sentence) };
  return { cwd, store, git, write, read, notes, options, tree: new GitWorkingTree(options) };
}

async function marked(tree: GitWorkingTree, at?: string) {
  const mark = await tree.mark(at);
  if (mark === undefined) throw new Error("nothing was marked");
  return mark;
}

describe("changes", () => {
  test("files that are changed, added and removed are told, also those that git does not know", async () => {
    const { tree, write, cwd } = await repository({ "a.txt": "one\n", "b.txt": "two\n", "c.txt": "three\n" });
    await write("mine.txt", "not committed\n");
    const mark = await marked(tree);
    expect(await tree.changes(mark)).toBeUndefined();
    await write("a.txt", "ONE\n");
    await rm(join(cwd, "b.txt"));
    await write("new/füü.txt", "new\n");
    const changes = await tree.changes(mark);
    expect(changes?.paths).toEqual(["a.txt", "b.txt", "new/füü.txt"]);
    expect(changes?.diff).toContain("--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-one\n+ONE\n");
    expect(changes?.diff).toContain("deleted file mode");
    expect(changes?.diff).toContain("+++ b/new/füü.txt\n@@ -0,0 +1 @@\n+new\n");
    expect(changes?.diff).not.toContain("not committed");
  });

  test("a commit that the turn makes hides nothing, and a change that was there before is none", async () => {
    const { tree, write, git } = await repository();
    await write("a.txt", "mine\n");
    const mark = await marked(tree);
    await write("b.txt", "its\n");
    git("add", "-A");
    git("commit", "-q", "-m", "all of it");
    expect((await tree.changes(mark))?.paths).toEqual(["b.txt"]);
  });

  test("ignored files do not count, unless they are tracked all the same", async () => {
    const { tree, write, git, cwd, store } = await repository({ ".gitignore": "*.log\ndist/\n" });
    await write("dist/tracked.js", "1");
    git("add", "-f", "dist/tracked.js");
    git("commit", "-q", "-m", "tracked");
    await writeFile(join(cwd, ".git/info/exclude"), "private\n");
    const own = new GitWorkingTree({ cwd, store, own: [join(cwd, ".baton")] });
    const mark = await marked(own);
    for (const path of ["x.log", "dist/other.js", "private", ".baton/db"]) await write(path, "x");
    expect(await own.changes(mark)).toBeUndefined();
    await write("dist/tracked.js", "2");
    expect((await own.changes(mark))?.paths).toEqual(["dist/tracked.js"]);
    expect((await tree.changes(mark))?.paths).toContain(".baton/db");
  });

  test("index, HEAD, stash and objects of the repository stay as they are, and no hook and no filter runs", async () => {
    const { tree, write, git, cwd } = await repository({
      "a.txt": "one\n",
      ".gitattributes": "*.txt filter=bad\n",
    });
    git("config", "filter.bad.clean", "touch CLEANED; cat");
    git("config", "core.fsmonitor", join(cwd, ".git/hooks/monitor"));
    for (const hook of ["post-index-change", "post-checkout", "monitor"]) {
      await mkdir(join(cwd, ".git/hooks"), { recursive: true });
      await writeFile(join(cwd, ".git/hooks", hook), "#!/bin/sh\ntouch HOOKED\n");
      await chmod(join(cwd, ".git/hooks", hook), 0o755);
    }
    await write("staged.txt", "staged\n");
    git(
      "-c",
      "filter.bad.clean=cat",
      "-c",
      "core.fsmonitor=false",
      "-c",
      "core.hooksPath=/dev/null",
      "add",
      "staged.txt",
    );
    const look = async () => ({
      index: (await readFile(join(cwd, ".git/index"))).toString("base64"),
      head: await readFile(join(cwd, ".git/HEAD"), "utf8"),
      objects: execFileSync("find", [".git/objects", "-type", "f"], { cwd, encoding: "utf8" }),
    });
    const before = await look();
    const mark = await marked(tree);
    await write("a.txt", "two\n");
    await write("b.txt", "two\n");
    await tree.changes(mark);
    await tree.restore(mark, ["a.txt", "b.txt"]);
    expect(await look()).toEqual(before);
    expect(existsSync(join(cwd, "HOOKED"))).toBe(false);
    expect(existsSync(join(cwd, "CLEANED"))).toBe(false);
  });

  test("a mark is as good in a later process; one that is gone is told", async () => {
    const { tree, write, options, store } = await repository();
    await write("mine.txt", "not committed\n");
    const mark = JSON.parse(JSON.stringify(await marked(tree)));
    await write("a.txt", "two\n");
    expect((await new GitWorkingTree(options).changes(mark))?.paths).toEqual(["a.txt"]);
    await rm(store, { recursive: true });
    await expect(new GitWorkingTree(options).changes(mark)).rejects.toThrow("not known any more");
    await expect(tree.changes({ tree: "--help" })).rejects.toThrow("none of git's");
  });

  test("paths are relative to the folder of the run, wherever in the repository that is", async () => {
    const { write, cwd, store } = await repository({ "app/a.txt": "one\n", "b.txt": "two\n" });
    const tree = new GitWorkingTree({ cwd: join(cwd, "app"), store });
    const mark = await marked(tree);
    await write("app/a.txt", "changed\n");
    await write("b.txt", "changed\n");
    expect((await tree.changes(mark))?.paths).toEqual(["a.txt", "../b.txt"]);
  });

  test("a worktree is compared by itself", async () => {
    const { tree, write, git, cwd } = await repository();
    const other = join(await folder(), "other");
    git("worktree", "add", "-q", "--detach", other);
    const [here, there] = [await marked(tree), await marked(tree, other)];
    await write("a.txt", "here\n");
    await writeFile(join(other, "b.txt"), "there\n");
    expect((await tree.changes(here))?.paths).toEqual(["a.txt"]);
    expect((await tree.changes(there, other))?.paths).toEqual(["b.txt"]);
    expect(git("-C", cwd, "status", "--short")).toBe(" M a.txt\n");
  });

  test("repositories within the repository do not stop it, with commits or without", async () => {
    const { tree, write, git, cwd } = await repository();
    git("init", "-q", join(cwd, "empty"));
    git("init", "-q", join(cwd, "full"));
    git("-C", join(cwd, "full"), "commit", "-q", "--allow-empty", "-m", "x");
    const mark = await marked(tree);
    await write("a.txt", "two\n");
    expect((await tree.changes(mark))?.paths).toEqual(["a.txt"]);
  });

  test("a diff that nobody could read is told as a list of its files", async () => {
    const { tree, write } = await repository();
    const mark = await marked(tree);
    await write("big.txt", "0123456789 line\n".repeat(400_000));
    const changes = await tree.changes(mark);
    expect(changes?.paths).toEqual(["big.txt"]);
    expect(changes?.diff).toMatch(/^The diff is longer than \d+ bytes/);
    expect(changes?.diff).toContain("big.txt");
    expect(changes?.diff.length).toBeLessThan(1000);
  });
});

describe("restore", () => {
  test("puts back exactly the named paths, byte for byte, and leaves everything else", async () => {
    const { tree, write, read, git, cwd } = await repository({
      "a.txt": "one\r\ntwo\n",
      "dir/b.txt": "b\n",
      ".gitattributes": "* text=auto eol=lf\n",
    });
    await write("a.txt", "mine\r\nnot committed\n");
    await write("mine/new.txt", "untracked\r\n");
    await chmod(join(cwd, "dir/b.txt"), 0o755);
    await symlink("dir/b.txt", join(cwd, "link"));
    const mark = await marked(tree);
    await write("a.txt", "broken");
    await rm(join(cwd, "mine"), { recursive: true });
    await rm(join(cwd, "dir"), { recursive: true });
    await write("dir", "a file now");
    await rm(join(cwd, "link"));
    await write("added/deep.txt", "x");
    await write("docs/kept.md", "y");
    const { paths = [] } = (await tree.changes(mark)) ?? {};
    await tree.restore(
      mark,
      paths.filter((path) => path !== "docs/kept.md"),
    );
    expect(await read("a.txt")).toBe("mine\r\nnot committed\n");
    expect(await read("mine/new.txt")).toBe("untracked\r\n");
    expect((await stat(join(cwd, "dir/b.txt"))).mode & 0o111).toBe(0o111);
    expect(await readlink(join(cwd, "link"))).toBe("dir/b.txt");
    expect(existsSync(join(cwd, "added/deep.txt"))).toBe(false);
    expect(await read("docs/kept.md")).toBe("y");
    expect((await tree.changes(mark))?.paths).toEqual(["docs/kept.md"]);
    expect(git("diff", "--cached", "--name-only")).toBe("");
  });

  test("a folder in the place of a file gives way, and a path that did not change is left alone", async () => {
    const { tree, write, read, cwd } = await repository({ "a.txt": "one\n", "b.txt": "two\n" });
    const mark = await marked(tree);
    await rm(join(cwd, "a.txt"));
    await write("a.txt/inside.txt", "x");
    const { mtimeMs } = await stat(join(cwd, "b.txt"));
    await tree.restore(mark, ["a.txt", "a.txt/inside.txt", "b.txt", "never.txt"]);
    expect(await read("a.txt")).toBe("one\n");
    expect((await stat(join(cwd, "b.txt"))).mtimeMs).toBe(mtimeMs);
  });
});

test("outside of a repository nothing is marked, and that is said once", async () => {
  const cwd = await folder();
  const notes: string[] = [];
  const tree = new GitWorkingTree({ cwd, store: await folder(), note: (sentence) => notes.push(sentence) });
  expect(await tree.mark()).toBeUndefined();
  expect(await tree.mark()).toBeUndefined();
  expect(notes).toEqual([`${cwd} is in no git repository, so turns get no diffs.`]);
});

test("pictures that are taken at the same time do not get in each other's way", async () => {
  const { tree, options } = await repository();
  const other = new GitWorkingTree(options);
  const marks = await Promise.all([tree, other, tree, other].map((each) => each.mark()));
  expect(new Set(marks.map((mark) => JSON.stringify(mark))).size).toBe(1);
});
