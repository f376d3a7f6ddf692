import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { LocalReading } from "./local-reading.ts";

let outside: string;
let reading: LocalReading;
const { signal } = new AbortController();

beforeAll(() => {
  outside = mkdtempSync(join(tmpdir(), "baton-reading-"));
  const root = join(outside, "root");
  for (const folder of ["src", ".git", "node_modules"]) mkdirSync(join(root, folder), { recursive: true });
  writeFileSync(join(outside, "secret"), "heron");
  writeFileSync(join(root, "src", "a.txt"), "one\nheron\nthree");
  writeFileSync(join(root, ".git", "b.txt"), "heron");
  writeFileSync(join(root, "node_modules", "c.txt"), "heron");
  writeFileSync(join(root, "binary"), Buffer.from([104, 0, 105]));
  writeFileSync(join(root, "long.txt"), `heron\n${"x".repeat(300_000)}`);
  symlinkSync(join(root, "src"), join(root, "inner"));
  symlinkSync(outside, join(root, "out"));
  reading = new LocalReading(root);
});
afterAll(() => rmSync(outside, { recursive: true, force: true }));

describe("reading", () => {
  test("gives a file, or some of its lines; links inside are followed", async () => {
    expect(await reading.read("src/a.txt")).toBe("one\nheron\nthree");
    expect(await reading.read("src/a.txt", { from: 2, count: 1 })).toBe("heron");
    expect(await reading.read("./inner/a.txt", { from: 3 })).toBe("three");
  });

  test.each([
    ["../secret", /has ".." in it/],
    ["/etc/passwd", /is absolute/],
    ["out/secret", /leads out of the working folder/],
    ["none", /There is no "none"/],
    ["src", /is no ordinary file/],
    ["binary", /is no text/],
    ["a\0b", /NUL/],
  ])("refuses %j with a sentence (1)", async (path, sentence) => {
    await expect(reading.read(path)).rejects.toThrow(sentence);
  });

  test("says when a file is longer than what it gives (2)", async () => {
    expect(await reading.read("long.txt")).toMatch(/\[The file is longer: 262144 bytes were read\.\]$/);
    expect(await reading.whole("long.txt")).toBeUndefined();
  });
});

test("a list is sorted, and folders end with a slash", async () => {
  expect(await reading.list()).toEqual([
    ".git/",
    "binary",
    "inner",
    "long.txt",
    "node_modules/",
    "out",
    "src/",
  ]);
  await expect(reading.list("src/a.txt")).rejects.toThrow(/no folder/);
  await expect(reading.list("out")).rejects.toThrow(/leads out/);
});

test("a search follows no links, leaves out what nobody means, and says what it did not look at (2, 3)", async () => {
  expect(await reading.search({ text: "heron", signal })).toEqual([
    "long.txt:1: heron",
    "long.txt: [Only its first 262144 bytes were searched.]",
    "src/a.txt:2: heron",
  ]);
  expect(await reading.search({ text: "heron", path: "src", signal })).toEqual(["src/a.txt:2: heron"]);
  expect(await reading.search({ text: "stork", path: "src", signal })).toEqual([]);
});
