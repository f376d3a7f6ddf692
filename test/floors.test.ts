/** The floors of src: who may import whom, and the laws of a source file that no compiler holds. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { posix } from "node:path";
import { describe, expect, test } from "vitest";
import { parseAst } from "vitest/node";

/** What a floor may import besides itself: other floors ("x/*": those below x), and modules from outside. */
type Permit = { readonly floors: readonly string[]; readonly modules?: readonly string[] };

const BELOW_ENGINES = [
  ...["base", "kernel", "agent", "views", "dialects", "dialects/*"],
  ...["run", "protocol", "providers", "journals", "journals/*"],
];

/** A file stands on the most exact floor that holds it. Only the outermost ones reach everything ("*"). */
const PERMITS: Readonly<Record<string, Permit>> = {
  base: { floors: [] },
  kernel: { floors: ["base"] },
  agent: { floors: ["base"] },
  views: { floors: ["base", "kernel"] },
  dialects: { floors: ["base", "kernel", "agent"] },
  "dialects/graph": { floors: ["base", "kernel", "agent", "dialects"] },
  "dialects/loadout": { floors: ["base", "kernel", "agent", "dialects"] },
  "dialects/inbox": { floors: ["base", "kernel", "agent", "dialects"] },
  run: { floors: ["base", "kernel", "agent"], modules: ["node:timers", "node:timers/promises"] },
  protocol: { floors: ["base", "kernel", "views"] },
  providers: { floors: ["base", "kernel", "agent", "run"], modules: ["node:*"] },
  "providers/acp": {
    floors: ["base", "kernel", "agent", "run", "providers", "providers/command"],
    modules: ["node:*", "@agentclientprotocol/sdk/*"],
  },
  "providers/mcp": {
    floors: ["base", "agent", "providers"],
    modules: ["node:*", "@modelcontextprotocol/sdk/*"],
  },
  "providers/pi": { floors: ["base", "agent", "providers"], modules: ["node:*"] },
  "providers/model": {
    floors: ["base", "kernel", "agent", "run", "providers"],
    modules: ["node:*", "ai"],
  },
  journals: { floors: ["base", "kernel", "run"] },
  "journals/sqlite": { floors: ["base", "kernel", "run", "journals"], modules: ["node:*"] },
  engines: { floors: BELOW_ENGINES, modules: ["node:*"] },
  stategraph: {
    floors: ["base", "kernel", "agent", "run", "journals", "engines", "dialects", "dialects/graph"],
  },
  history: { floors: [...BELOW_ENGINES, "engines", "stategraph"], modules: ["node:*"] },
  telemetry: { floors: ["base", "kernel", "run", "history"], modules: ["@opentelemetry/api"] },
  server: {
    floors: ["base", "kernel", "views", "run", "protocol"],
    modules: ["node:*", "hono", "@hono/node-server"],
  },
  /** In a browser there is neither a file nor a module from outside. */
  client: { floors: ["base", "kernel", "views", "dialects", "dialects/*", "protocol"] },
  cli: { floors: ["*"], modules: ["node:*", "commander"] },
  testing: { floors: ["*"], modules: ["node:*"] },
};

/** The files that lie in src itself: lists of exports, which everything may stand behind and nothing imports. */
const DOOR = "door";

const SIZES = [
  { floor: "", lines: 400, functionLines: Number.POSITIVE_INFINITY },
  { floor: "kernel", lines: 250, functionLines: 40 },
];

/** No await here. */
const AT_ONCE = ["base", "kernel"];
/** Neither a clock nor chance here: what these floors answer depends on what they are given alone. */
const PURE = ["base", "kernel", "agent", "views", "dialects"];

type Node = {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [key: string]: unknown;
};
type Source = {
  readonly path: string;
  readonly floor: string | undefined;
  readonly text: string;
  readonly body: readonly Node[];
  readonly nodes: readonly Node[];
  readonly imports: readonly string[];
};
type Files = Readonly<Record<string, string>>;
type Rule = (source: Source, all: ReadonlyMap<string, Source>) => string[];

const RULES: Readonly<Record<string, Rule>> = {
  "every file stands on a floor": ({ floor }) => (floor ? [] : ["stands on no floor that the table knows"]),

  "a relative import names a file": ({ path, imports }, all) =>
    imports.filter(isRelative).flatMap((name) => {
      if (!name.endsWith(".ts")) return [`imports "${name}", which does not end in .ts`];
      if (posix.basename(name) === "index.ts") return [`imports "${name}", an index`];
      return all.has(target(path, name)) ? [] : [`imports "${name}", which is no source file`];
    }),

  "imports point down": ({ path, floor, imports }) =>
    imports.filter(isRelative).flatMap((name) => {
      const other = floorOf(target(path, name));
      return other === undefined || mayImport(floor, other)
        ? []
        : [`imports "${name}": ${floor} may not import ${other}`];
    }),

  "modules from outside stay where they are needed": ({ floor, imports }) =>
    imports
      .filter((name) => !isRelative(name) && !covers(PERMITS[floor ?? ""]?.modules ?? [], name))
      .map((name) => `imports "${name}": ${floor} may not`),

  "a door holds no logic": ({ floor, body }) =>
    floor === DOOR && !body.every(isListing) ? ["is a door and holds more than exports from elsewhere"] : [],

  "files and functions stay readable": ({ path, text, nodes }) =>
    SIZES.filter((size) => isWithin(path, size.floor)).flatMap((size) => [
      ...(lines(text) > size.lines ? [`has ${lines(text)} lines, more than ${size.lines}`] : []),
      ...nodes
        .filter((node) => /Function/.test(node.type) && node.body)
        .map((node) => text.slice(node.start, node.end))
        .filter((code) => lines(code) > size.functionLines)
        .map((code) => `has a function of ${lines(code)} lines: ${code.slice(0, code.indexOf("\n"))}`),
    ]),

  "pure floors ask neither the clock nor chance": ({ path, text, nodes }) =>
    nodes
      .filter((node) => (isEffect(node, text) && isOn(path, PURE)) || (isWait(node) && isOn(path, AT_ONCE)))
      .map((node) => `is pure and says: ${text.slice(node.start, node.end).split("\n")[0]}`),

  "no import goes in a circle": ({ path }, all) => {
    const circle = pathBack(path, all);
    return circle ? [`is in a circle: ${circle.join(" → ")}`] : [];
  },
};

describe("src", () => {
  const all = scan(readSources());
  test.each(Object.keys(RULES))("%s", (name) => {
    expect(broken(name, all)).toEqual([]);
  });
});

describe("the rules themselves", () => {
  const long = (count: number): string => "//\n".repeat(count);
  const body = (code: string): string => `export function f() {\n${code}\n}\n`;
  const base = { "base/json.ts": "export type Json = null;" };
  const rows: [rule: string, file: string, text: string][] = [
    ["every file stands on a floor", "utils/x.ts", ""],
    ["a relative import names a file", "kernel/a.ts", 'import "../base/json.js";'],
    ["a relative import names a file", "kernel/a.ts", 'import "../base";'],
    ["a relative import names a file", "kernel/a.ts", 'import "../base/index.ts";'],
    ["a relative import names a file", "kernel/a.ts", 'import "../base/missing.ts";'],
    ["imports point down", "base/a.ts", 'import type { Plan } from "../kernel/plan.ts";'],
    ["imports point down", "agent/a.ts", 'export type A = import("../kernel/plan.ts").Plan;'],
    ["imports point down", "run/a.ts", 'export * from "../dialects/shared.ts";'],
    ["imports point down", "dialects/graph/a.ts", 'await import("../loadout/check.ts");'],
    ["imports point down", "dialects/a.ts", 'import "./graph/check.ts";'],
    ["imports point down", "stategraph/a.ts", 'import "../journals/sqlite/store.ts";'],
    ["imports point down", "cli/a.ts", 'import "../kernel.ts";'],
    ["modules from outside stay where they are needed", "kernel/a.ts", 'import "node:fs";'],
    ["modules from outside stay where they are needed", "engines/a.ts", 'import { z } from "zod";'],
    ["modules from outside stay where they are needed", "journals/a.ts", 'import "node:sqlite";'],
    ["modules from outside stay where they are needed", "index.ts", 'export * from "commander";'],
    ["a door holds no logic", "index.ts", "export const one = 1;"],
    ["a door holds no logic", "index.ts", 'import "./base/json.ts";'],
    ["files and functions stay readable", "cli/a.ts", long(401)],
    ["files and functions stay readable", "kernel/a.ts", long(251)],
    ["files and functions stay readable", "kernel/a.ts", body(long(40))],
    ["pure floors ask neither the clock nor chance", "base/a.ts", "export const now = Date.now();"],
    ["pure floors ask neither the clock nor chance", "views/a.ts", "export const now = new Date();"],
    ["pure floors ask neither the clock nor chance", "dialects/graph/a.ts", "export const r = Math.random;"],
    ["pure floors ask neither the clock nor chance", "kernel/a.ts", "export const f = async () => {};"],
    ["no import goes in a circle", "base/a.ts", 'import type { A } from "./a.ts";'],
  ];
  test.each(rows)("%s: seen in %s, %s", (rule, file, text) => {
    expect(broken(rule, scan({ ...base, [file]: text }))).toHaveLength(1);
  });

  test("what is allowed passes all of them", () => {
    const all = scan({
      ...base,
      "index.ts": 'export type { Json } from "./base/json.ts";\nexport * from "./kernel/plan.ts";\n',
      "kernel/plan.ts": `import type { Json } from "../base/json.ts";\n${body("// import 'zod'\n".repeat(37))}`,
      "dialects/shared.ts": 'export type { Json } from "../base/json.ts";\nexport const day = new Date(0);',
      "dialects/graph/check.ts":
        'import type { Json } from "../shared.ts";\nexport const f = async () => {};',
      "journals/sqlite/store.ts": 'import { DatabaseSync } from "node:sqlite";',
      "cli/main.ts": 'import { Command } from "commander";\nawait import("../dialects/graph/check.ts");',
    });
    expect(Object.keys(RULES).flatMap((name) => broken(name, all))).toEqual([]);
  });
});

function broken(name: string, all: ReadonlyMap<string, Source>): string[] {
  const rule = RULES[name]!;
  return [...all.values()].flatMap((source) => rule(source, all).map((what) => `src/${source.path} ${what}`));
}

function readSources(): Files {
  const root = new URL("../src/", import.meta.url);
  const names = existsSync(root) ? readdirSync(root, { recursive: true, encoding: "utf8" }) : [];
  const paths = names.map((name) => name.replaceAll("\\", "/"));
  const sources = paths.filter((path) => path.endsWith(".ts") && !path.endsWith(".test.ts"));
  return Object.fromEntries(sources.sort().map((path) => [path, readFileSync(new URL(path, root), "utf8")]));
}

function scan(files: Files): ReadonlyMap<string, Source> {
  const entries = Object.entries(files).map(([path, text]): [string, Source] => {
    const program = parseAst(text, { lang: "ts" }) as unknown as Node;
    const nodes = inside(program);
    const imports = nodes.flatMap(importOf);
    return [path, { path, floor: floorOf(path), text, body: program.body as Node[], nodes, imports }];
  });
  return new Map(entries);
}

/** All nodes of the tree below, in no particular order. */
function inside(root: Node): Node[] {
  const found: Node[] = [];
  const open: unknown[] = [root];
  while (open.length > 0) {
    const value = open.pop();
    if (typeof value !== "object" || value === null) continue;
    if ("type" in value && "start" in value) found.push(value as Node);
    for (const child of Object.values(value)) open.push(child);
  }
  return found;
}

/** The module that a node names: import and export declarations, `import()` and `import("…").Type` alike. */
function importOf(node: Node): string[] {
  const named = /^(Import(Declaration|Expression)|Export(All|Named)Declaration|TSImportType)$/.test(
    node.type,
  );
  const source = named ? (node.source as { value?: unknown } | null) : null;
  return typeof source?.value === "string" ? [source.value] : [];
}

function floorOf(path: string): string | undefined {
  if (!path.includes("/")) return DOOR;
  const holding = Object.keys(PERMITS).filter((floor) => isWithin(path, floor));
  return holding.sort((a, b) => b.length - a.length)[0];
}

function mayImport(floor: string | undefined, other: string): boolean {
  if (floor === other && floor !== DOOR) return true;
  if (other === DOOR) return false;
  return floor === DOOR || covers(PERMITS[floor ?? ""]?.floors ?? [], other);
}

function covers(patterns: readonly string[], name: string): boolean {
  return patterns.some((pattern) =>
    pattern.endsWith("*") ? name.startsWith(pattern.slice(0, -1)) : name === pattern,
  );
}

function isListing({ type, source, exportKind, importKind }: Node): boolean {
  if (type === "ImportDeclaration") return importKind === "type";
  return (
    type === "ExportAllDeclaration" ||
    (type === "ExportNamedDeclaration" && (!!source || exportKind === "type"))
  );
}

function isWait(node: Node): boolean {
  return node.type === "AwaitExpression" || node.async === true || node.await === true;
}

function isEffect(node: Node, text: string): boolean {
  const code = text.slice(node.start, node.end);
  if (node.type === "MemberExpression") return code === "Date.now" || code === "Math.random";
  return node.type === "NewExpression" && /^new Date(\(\))?$/.test(code);
}

/** The shortest way from a file through its imports back to itself. */
function pathBack(start: string, all: ReadonlyMap<string, Source>): string[] | undefined {
  const trails = [[start]];
  const seen = new Set<string>();
  for (const trail of trails) {
    const here = trail.at(-1)!;
    for (const name of all.get(here)?.imports.filter(isRelative) ?? []) {
      const next = target(here, name);
      if (next === start) return [...trail, start];
      if (!seen.has(next)) trails.push([...trail, next]);
      seen.add(next);
    }
  }
  return undefined;
}

function target(path: string, name: string): string {
  return posix.join(posix.dirname(path), name);
}

function isRelative(name: string): boolean {
  return name.startsWith(".");
}

function isWithin(path: string, floor: string): boolean {
  return floor === "" || path.startsWith(`${floor}/`);
}

function isOn(path: string, floors: readonly string[]): boolean {
  return floors.some((floor) => isWithin(path, floor));
}

function lines(text: string): number {
  return text.replace(/\n$/, "").split("\n").length;
}
