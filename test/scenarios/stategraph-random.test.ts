/** Random graphs, questions, crashes and orders of completion end as a simple reference interpreter says. */
import { Command, MemorySaver } from "batonjs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { type CrashPlan, FaultyJournal } from "../../src/testing/faulty-journal.ts";
import {
  type App,
  type BuildOptions,
  build,
  graphs,
  interpret,
  interpretTurns,
  nameOf,
  type RandomGraph,
  stateOf,
} from "./stategraph-random-graph.ts";
import { newThread } from "./stategraph-savers.ts";

/** Runs a graph to its end, answering one question at a time. */
async function run(graph: RandomGraph, options: BuildOptions): Promise<readonly string[]> {
  const thread = newThread();
  const app = build(graph, options);
  return answered(app, thread, await app.invoke({}, thread));
}

async function answered(
  app: App,
  thread: ReturnType<typeof newThread>,
  first: Awaited<ReturnType<App["invoke"]>>,
): Promise<readonly string[]> {
  let result = first;
  while (result.__interrupt__ !== undefined) {
    const { id, value } = result.__interrupt__.at(-1)!;
    result = await app.invoke(new Command({ resume: { [id]: nameOf(value as number) } }), thread);
  }
  expect(result).toEqual(stateOf(result.log));
  return result.log;
}

/** Runs a graph in a process that dies on the way, and goes on in another one. */
async function runOverCrash(graph: RandomGraph, plan: CrashPlan, pace: "step" | "turn") {
  const journal = new MemorySaver();
  const faulty = new FaultyJournal(journal, plan);
  const thread = newThread();
  const app = build(graph, { pace, checkpointer: faulty });
  try {
    return await answered(app, thread, await app.invoke({}, thread));
  } catch (error) {
    if (!faulty.crashed) throw error;
    const next = build(graph, { pace, checkpointer: journal });
    const hasBegun = journal.read(thread.configurable.thread_id as never, 0).length > 0;
    return answered(next, thread, await next.invoke(hasBegun ? null : {}, thread));
  }
}

const crashes = fc.record({
  append: fc.integer({ min: 1, max: 25 }),
  write: fc.constantFrom("kept", "lost"),
});

/** Graphs of which every node runs as often at pace `turn`, whoever ends first. */
const plain = graphs.map((graph) => ({
  ...graph,
  nodes: graph.nodes.map((random) => ({ ...random, choice: undefined })),
}));

test("the result equals that of the reference interpreter, whatever is asked and whoever ends first", async () => {
  await fc.assert(
    fc.asyncProperty(graphs, async (graph) => {
      expect(await run(graph, {})).toEqual(interpret(graph));
    }),
    { numRuns: 150 },
  );
});

test("a crash at any append, its write kept or lost, changes nothing about it", async () => {
  await fc.assert(
    fc.asyncProperty(graphs, crashes, async (graph, crash) => {
      expect(await runOverCrash(graph, crash as CrashPlan, "step")).toEqual(interpret(graph));
    }),
    { numRuns: 150 },
  );
});

test("pace turn runs as its own reference interpreter says when every node answers at once", async () => {
  const calm = graphs.map((graph) => ({
    ...graph,
    nodes: graph.nodes.map((random) => ({ ...random, asks: false })),
  }));
  await fc.assert(
    fc.asyncProperty(calm, async (graph) => {
      expect(await run(graph, { pace: "turn", atOnce: true })).toEqual(interpretTurns(graph));
    }),
    { numRuns: 150 },
  );
});

test("without choices, pace turn runs the nodes that pace step runs, over questions and crashes", async () => {
  await fc.assert(
    fc.asyncProperty(plain, crashes, async (graph, crash) => {
      expect(new Set(await run(graph, { pace: "turn" }))).toEqual(new Set(interpret(graph)));
      expect(new Set(await runOverCrash(graph, crash as CrashPlan, "turn"))).toEqual(
        new Set(interpret(graph)),
      );
    }),
    { numRuns: 75 },
  );
});
