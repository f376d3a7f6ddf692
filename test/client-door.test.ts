/** The door `batonjs/client` is for browsers: nothing behind it reaches a module of Node or one from outside. */
import { readFileSync } from "node:fs";
import { posix } from "node:path";
import { expect, test } from "vitest";
import { parseAst } from "vitest/node";

interface Declaration {
  readonly type: string;
  readonly importKind?: "type" | "value";
  readonly exportKind?: "type" | "value";
  readonly source?: { readonly value: string } | null;
}

/** What a file needs when it runs; a declaration of types alone is gone by then. */
function neededBy(path: string): readonly string[] {
  const text = readFileSync(new URL(`../src/${path}`, import.meta.url), "utf8");
  const { body } = parseAst(text, { lang: "ts" }) as unknown as { readonly body: readonly Declaration[] };
  const declared = body
    .filter(({ importKind, exportKind }) => importKind !== "type" && exportKind !== "type")
    .flatMap(({ source }) => (source ? [source.value] : []));
  const awaited = [...text.matchAll(/\bimport\(\s*["']([^"']+)["']/g)].map(([, name]) => name!);
  return [...declared, ...awaited];
}

function reachedFrom(door: string): {
  readonly files: readonly string[];
  readonly modules: readonly string[];
} {
  const files = [door];
  const modules: string[] = [];
  for (const file of files) {
    for (const name of neededBy(file)) {
      const path = posix.join(posix.dirname(file), name);
      if (!name.startsWith(".")) modules.push(`${file}: ${name}`);
      else if (!files.includes(path)) files.push(path);
    }
  }
  return { files, modules };
}

test("the client reaches only files of its own", () => {
  const { files, modules } = reachedFrom("client.ts");
  expect(modules).toEqual([]);
  expect(files).toContain("dialects/loadout/prove/prove.ts");
  expect(files.filter((file) => /^(cli|providers|journals|engines|server)\//.test(file))).toEqual([]);
});

test("nothing that it reaches names what only Node has", () => {
  for (const file of reachedFrom("client.ts").files) {
    const text = readFileSync(new URL(`../src/${file}`, import.meta.url), "utf8");
    expect(`${file}: ${/\b(process\.|Buffer\.|require\(|__dirname)/.exec(text)?.[0]}`).toBe(
      `${file}: undefined`,
    );
  }
});

test("the door of the server is found out by the same walk", () => {
  expect(reachedFrom("server.ts").modules).toContain("server/app.ts: hono");
});
