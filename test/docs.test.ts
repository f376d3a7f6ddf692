/**
 * The documentation is true: every `ts` block of the docs and the README compiles and runs. Where a block says `// →`,
 * those lines are what it prints.
 */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { inspect } from "node:util";
import { afterAll, afterEach, describe, expect, test, vi } from "vitest";
import { mistakesIn } from "./compiling.ts";

const ROOT = fileURLToPath(new URL("../", import.meta.url));

interface Block {
  readonly name: string;
  readonly code: string;
  /** Where it is written, so that it can be compiled and imported. */
  readonly path: string;
}

// Ignored by git, and below the root, so that packages are found as they are for the sources.
mkdirSync(`${ROOT}coverage`, { recursive: true });
const folder = mkdtempSync(`${ROOT}coverage/docs-`);
const pages = readdirSync(`${ROOT}docs`, { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".md"))
  .map((name) => `docs/${name.replaceAll("\\", "/")}`);
const blocks = ["README.md", ...pages.sort()].flatMap(blocksOf);

function blocksOf(page: string): Block[] {
  const text = readFileSync(`${ROOT}${page}`, "utf8");
  return [...text.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code = ""], index) => {
    const line = text.slice(0, text.indexOf(code)).split("\n").length;
    const path = `${folder}/${page.replaceAll("/", "-")}-${index}.ts`;
    writeFileSync(path, code);
    return { name: `${page}:${line}`, code, path };
  });
}

/** What a block says that it prints. */
function promised(code: string): string[] {
  return [...code.matchAll(/^\s*\/\/ → (.*)$/gm)].map(([, text = ""]) => text);
}

afterEach(() => vi.restoreAllMocks());
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("all blocks compile", () => {
  // A block shows a part of a program: what it does not use further is no mistake.
  expect(mistakesIn(folder, { noUnusedLocals: false, noUnusedParameters: false })).toEqual([]);
}, 60_000);

describe("each block runs, and prints what it says", () => {
  test.each(blocks.map(({ name, code, path }) => [name, code, path] as const))(
    "%s",
    async (_name, code, path) => {
      const printed: string[] = [];
      vi.spyOn(console, "log").mockImplementation((...values: unknown[]) => {
        const texts = values.map((value) =>
          typeof value === "string" ? value : inspect(value, { breakLength: 1000 }),
        );
        printed.push(texts.join(" "));
      });
      await import(path);
      const expected = promised(code);
      if (expected.length > 0) expect(printed).toEqual(expected);
    },
  );
});

test("there is a page for each concept, and each has a block", () => {
  const concepts = [
    ...["state", "nodes", "edges", "send-and-command", "persistence", "people"],
    ...["streaming", "sub-graphs", "turn-pace", "functional"],
  ];
  for (const concept of concepts) {
    expect(blocks.some(({ name }) => name.startsWith(`docs/graph/${concept}.md:`))).toBe(true);
  }
});

test("no page links to a file that is not there", () => {
  const missing = ["README.md", ...pages].flatMap((page) => {
    const text = readFileSync(`${ROOT}${page}`, "utf8");
    const links = [...text.matchAll(/\]\(([^)#:]+)(?:#[^)]*)?\)/g)].map(([, link = ""]) => link);
    return links
      .filter((link) => !exists(new URL(link, new URL(page, `file://${ROOT}`))))
      .map((link) => `${page}: ${link}`);
  });
  expect(missing).toEqual([]);
});

function exists(url: URL): boolean {
  try {
    readdirSync(url);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ENOTDIR";
  }
}
