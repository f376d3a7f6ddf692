import { mkdir, mkdtemp, readdir, readFile, realpath, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { LocalWorkspace } from "./local-workspace.ts";

let home: string;
let root: string;
let outside: string;
let workspace: LocalWorkspace;

beforeEach(async () => {
  home = await realpath(await mkdtemp(join(tmpdir(), "workspace-")));
  root = join(home, "root");
  outside = join(home, "root-beside");
  await mkdir(root);
  await mkdir(outside);
  workspace = new LocalWorkspace(root);
});

afterEach(() => rm(home, { recursive: true, force: true }));

describe("inside the folder", () => {
  test("it makes the folders above a file and leaves nothing else behind", async () => {
    await workspace.write("a/b/c.txt", "ä");
    await workspace.write("./a//b/d..txt", "");
    expect(await readFile(join(root, "a/b/c.txt"), "utf8")).toBe("ä");
    expect((await readdir(join(root, "a/b"))).sort()).toEqual(["c.txt", "d..txt"]);
  });

  test("it replaces a file, whose permissions stay", async () => {
    await writeFile(join(root, "run.sh"), "old", { mode: 0o755 });
    await workspace.write("run.sh", "new");
    expect(await readFile(join(root, "run.sh"), "utf8")).toBe("new");
    expect((await stat(join(root, "run.sh"))).mode & 0o777).toBe(0o755);
    expect(await readdir(root)).toEqual(["run.sh"]);
  });

  test("a link that stays inside is followed and stays a link", async () => {
    await mkdir(join(root, "real"));
    await writeFile(join(root, "real/file"), "old");
    await symlink("real", join(root, "folder"));
    await symlink("real/file", join(root, "link"));
    await workspace.write("folder/new", "1");
    await workspace.write("link", "2");
    expect(await readFile(join(root, "real/new"), "utf8")).toBe("1");
    expect(await readFile(join(root, "real/file"), "utf8")).toBe("2");
    expect(await realpath(join(root, "link"))).toBe(join(root, "real/file"));
  });

  test("the folder itself may be reached over a link", async () => {
    await symlink(root, join(home, "alias"));
    await new LocalWorkspace(join(home, "alias")).write("x", "1");
    expect(await readFile(join(root, "x"), "utf8")).toBe("1");
  });
});

describe("what leaves the folder is refused, and nothing is written", () => {
  afterEach(async () => {
    expect(await readdir(outside)).toEqual([]);
  });

  test.each([
    ["../x", /".."/],
    ["a/../../x", /".."/],
    ["a/../x", /".."/],
    ["/etc/x", /absolute/],
    ["a\0b", /NUL/],
    ["", /names no file/],
    [".", /names no file/],
    ["a/", /names no file/],
  ])("%j", async (path, why) => {
    await expect(workspace.write(path, "x")).rejects.toThrow(why);
    expect(await readdir(root)).toEqual([]);
  });

  test("a parent that is a link to the outside, at any depth", async () => {
    await mkdir(join(root, "a"));
    await symlink(outside, join(root, "a/out"));
    await expect(workspace.write("a/out/x", "x")).rejects.toThrow(/leads out of the working folder/);
    await expect(workspace.write("a/out/deep/er/x", "x")).rejects.toThrow(/leads out of the working folder/);
  });

  test("a chain of links that ends outside", async () => {
    await symlink(outside, join(root, "second"));
    await symlink("second", join(root, "first"));
    await expect(workspace.write("first/x", "x")).rejects.toThrow(/leads out of the working folder/);
  });

  test("a file that is a link to the outside", async () => {
    const secret = join(home, "secret");
    await writeFile(secret, "kept");
    await symlink(secret, join(root, "link"));
    await expect(workspace.write("link", "x")).rejects.toThrow(/leads out of the working folder/);
    expect(await readFile(secret, "utf8")).toBe("kept");
  });

  test("a link that leads nowhere, as file and as folder", async () => {
    await symlink(join(outside, "missing"), join(root, "link"));
    await expect(workspace.write("link", "x")).rejects.toThrow(/leads nowhere/);
    await expect(workspace.write("link/x", "x")).rejects.toThrow(/leads nowhere/);
  });

  test("a link to the folder itself as the file", async () => {
    await symlink(".", join(root, "self"));
    await expect(workspace.write("self", "x")).rejects.toThrow();
    expect(await readdir(root)).toEqual(["self"]);
  });
});

describe("what is no place for a file", () => {
  test("a folder", async () => {
    await mkdir(join(root, "folder"));
    await expect(workspace.write("folder", "x")).rejects.toThrow(/is a folder/);
  });

  test("a path through a file", async () => {
    await writeFile(join(root, "file"), "kept");
    await expect(workspace.write("file/x", "x")).rejects.toThrow(/is a file and no folder/);
    expect(await readFile(join(root, "file"), "utf8")).toBe("kept");
  });
});
