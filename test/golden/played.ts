/** The StateGraph examples, played in this process: the threads that each kept, and the graphs that they are of. */
import { readdirSync } from "node:fs";
import { vi } from "vitest";
import type { RunId } from "../../src/base/names.ts";
import { CompiledGraph } from "../../src/dialects/graph/compile.ts";
import { MemoryJournal } from "../../src/journals/memory.ts";
import type { Batch, Journal } from "../../src/run/journal.ts";

const EXAMPLES = new URL("../../examples/", import.meta.url);

/** Their files; the one beside them says where they keep their threads. */
export const MODULES: readonly string[] = readdirSync(EXAMPLES).filter(
  (name) => /^(stategraph|functional)-.*\.ts$/.test(name) && name !== "stategraph-saver.ts",
);

export interface Thread {
  readonly run: RunId;
  readonly kept: Journal;
  readonly graph: CompiledGraph;
}

let count = 0;

/** Runs an example from its first line to its last. */
export async function played(name: string): Promise<readonly Thread[]> {
  vi.spyOn(console, "log").mockImplementation(() => {});
  const graphs = new Map<string, CompiledGraph>();
  const kept = new MemoryJournal();
  const { append } = MemoryJournal.prototype;
  const { programFor } = CompiledGraph.prototype;
  vi.spyOn(CompiledGraph.prototype, "programFor").mockImplementation(function (
    this: CompiledGraph,
    invocation,
  ) {
    const program = programFor.call(this, invocation);
    graphs.set(program.id.revision, this);
    return program;
  });
  vi.spyOn(MemoryJournal.prototype, "append").mockImplementation(function (
    this: MemoryJournal,
    batch: Batch,
  ) {
    append.call(this, batch);
    if (this !== kept) append.call(kept, structuredClone(batch));
  });
  try {
    await import(/* @vite-ignore */ `../../examples/${name}?played=${count++}`);
  } finally {
    vi.restoreAllMocks();
  }
  return kept.runs().map(({ run, program: { revision } }) => {
    const graph = graphs.get(revision);
    if (graph === undefined) throw new Error(`nobody compiled the graph of ${run}`);
    return { run, kept, graph };
  });
}
