/** The examples of docstrings are true: each compiles with what the doors export, and runs; `// x` behind an `await` is what it gives. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, test } from "vitest";
import { mistakesIn } from "./compiling.ts";

const ROOT = fileURLToPath(new URL("../", import.meta.url));

// Ignored by git, and below the root, so that packages are found as they are for the sources.
mkdirSync(`${ROOT}coverage`, { recursive: true });
const folder = mkdtempSync(`${ROOT}coverage/docstrings-`);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const read = (path: string) => readFileSync(`${ROOT}${path}`, "utf8");
const files = readdirSync(`${ROOT}src`, { recursive: true, encoding: "utf8" }).map((name) => `src/${name}`);
const sources = files.filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts")).sort();

/** The door that exports a name: the first that does. */
const doors = new Map<string, string>();
for (const path of sources.filter((name) => /^src\/\w+\.ts$/.test(name))) {
  const door = path === "src/index.ts" ? "batonjs" : `batonjs/${path.slice(4, -3)}`;
  for (const [, list = ""] of read(path).matchAll(/export (?:type )?\{([^}]*)\}/g))
    for (const [, name = ""] of list.matchAll(/(\w+)\s*(?:,|$)/g))
      if (!doors.has(name) || door === "batonjs") doors.set(name, door);
}

function importsFor(code: string): string {
  const names = new Set([...code.matchAll(/\b[A-Za-z_]\w*\b/g)].map(([name]) => name));
  const known = [...names].flatMap((name) => doors.get(name) ?? []);
  const isLine = (door: string) => [...names].filter((name) => doors.get(name) === door).join(", ");
  return [...new Set(known)].map((door) => `import { ${isLine(door)} } from "${door}";\n`).join("");
}

const examples = sources.flatMap((source) =>
  [...read(source).matchAll(/^( *) \* @example\n(.*?)\n *\*\//gms)].map(([, , body = ""], index) => {
    const code = body.replaceAll(/^ *\* ?/gm, "");
    const path = `${folder}/${source.replaceAll("/", "-").slice(0, -3)}-${index}.ts`;
    const isResult = /^await (.*); \/\/ (.*)$/gm;
    writeFileSync(
      path,
      `${importsFor(code)}${code.replaceAll(isResult, "export const gives = await $1;")}\nexport {};\n`,
    );
    const gives = [...code.matchAll(isResult)].map(([, , text = ""]) => text);
    return { source, path, gives };
  }),
);

test("there are some, and all compile", () => {
  expect(examples.length).toBeGreaterThan(6);
  const lax = { noUnusedLocals: false, noUnusedParameters: false, verbatimModuleSyntax: false };
  expect(mistakesIn(folder, lax)).toEqual([]);
}, 60_000);

describe("each runs, and gives what it says", () => {
  test.each(examples.map(({ source, ...example }) => [source, example] as const))(
    "%s",
    async (_, { path, gives }) => {
      const made = (await import(path)) as { readonly gives?: unknown };
      expect(gives.length === 0 ? [] : [made.gives]).toEqual(
        gives.map((text) => new Function(`return (${text})`)()),
      );
    },
  );
});
