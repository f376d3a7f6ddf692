/** Type checking a graph of 200 nodes stays cheap: counted in the work of the compiler, not in time. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const TSC = fileURLToPath(new URL("../../node_modules/typescript/bin/tsc", import.meta.url));

/** A graph in one chain, each node of which goes on to the next by an edge, a goto and a path. */
function source(size: number): string {
  const name = (index: number) => (index === size ? "END" : `"n${index}"`);
  const nodes = Array.from(
    { length: size },
    (_, index) =>
      `  .addNode("n${index}", ({ sum }) => new Command({ update: { sum: sum + 1 }, goto: ${name(index + 1)} }), { ends: [${name(index + 1)}] })`,
  );
  const edges = Array.from({ length: size }, (_, index) =>
    index % 2 === 0
      ? `  .addEdge("n${index}", ${name(index + 1)})`
      : `  .addConditionalEdges("n${index}", ({ sum }) => (sum > 3 ? ${name(index + 1)} : "n0"))`,
  );
  return `import { Command, END, field, START, StateGraph } from "batonjs";
export const app = new StateGraph({ sum: field<number>({ default: 0 }) })
${nodes.join("\n")}
  .addEdge(START, "n0")
${edges.join("\n")}
  .compile();
export const result: Promise<{ readonly sum: number }> = app.invoke({ sum: 1 });
`;
}

/** What the compiler had to do for a graph of this size, as it tells itself. */
function diagnose(size: number): { readonly types: number; readonly instantiations: number } {
  const folder = mkdtempSync(`${ROOT}node_modules/.large-graph-`);
  try {
    writeFileSync(`${folder}/graph.ts`, source(size));
    const paths = { batonjs: [`${ROOT}src/index.ts`] };
    const compilerOptions = {
      noEmit: true,
      types: ["node"],
      typeRoots: [`${ROOT}node_modules/@types`],
      paths,
    };
    const config = { extends: `${ROOT}tsconfig.json`, compilerOptions, include: ["graph.ts"] };
    writeFileSync(`${folder}/tsconfig.json`, JSON.stringify(config));
    const printed = execFileSync(process.execPath, [TSC, "-p", folder, "--extendedDiagnostics"], {
      encoding: "utf8",
    });
    const count = (what: string) => Number(new RegExp(`^${what}:\\s+(\\d+)`, "m").exec(printed)?.[1]);
    return { types: count("Types"), instantiations: count("Instantiations") };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test("peer.17 200 nodes cost a bounded number of types and instantiations, and it compiles without an error", () => {
  const [small, large] = [diagnose(2), diagnose(200)];
  expect(small.instantiations).toBeGreaterThan(0);
  expect(large.instantiations - small.instantiations).toBeLessThan(60_000);
  expect(large.types - small.types).toBeLessThan(30_000);
});
