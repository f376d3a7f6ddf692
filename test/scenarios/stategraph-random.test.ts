/** Random graphs, questions, crashes and orders of completion end as a simple reference interpreter says. */
import { BinaryOperatorAggregate, Command, EphemeralValue, LastValue, MemorySaver, Topic } from "batonjs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { runId } from "../../src/base/names.ts";
import type { Journal } from "../../src/run/journal.ts";
import { type CrashPlan, FaultyJournal } from "../../src/testing/faulty-journal.ts";
import { all, newThread, SAVERS } from "./stategraph-kit.ts";
import { KINDS, momentsOf, randomFields } from "./stategraph-random-fields.ts";
import {
  type App,
  type BuildOptions,
  build,
  graphs,
  interpret,
  interpretTurns,
  nameOf,
  type RandomGraph,
  stepsOf,
} from "./stategraph-random-graph.ts";

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
  return result.log;
}

/** Runs a graph in a process that dies on the way, and goes on in another one. */
async function runOverCrash(graph: RandomGraph, plan: CrashPlan, pace: "step" | "turn") {
  return (await watchOverCrash(graph, plan, { pace, checkpointer: new MemorySaver() })).log;
}

/** The same, and what its history tells then. */
async function watchOverCrash(
  graph: RandomGraph,
  plan: CrashPlan,
  options: BuildOptions & { readonly checkpointer: Journal },
) {
  const { checkpointer } = options;
  const faulty = new FaultyJournal(checkpointer, plan);
  const thread = newThread();
  let app = build(graph, { ...options, checkpointer: faulty });
  const finish = async () => {
    const log = await answered(app, thread, await app.invoke({}, thread));
    return { log, history: (await all(app.getStateHistory(thread))).toReversed() };
  };
  try {
    return await finish();
  } catch (error) {
    if (!faulty.crashed) throw error;
    app = build(graph, options);
    const hasBegun = (await checkpointer.read(runId(thread.configurable.thread_id), 0)).length > 0;
    if (!hasBegun) return finish();
    const log = await answered(app, thread, await app.invoke(null, thread));
    return { log, history: (await all(app.getStateHistory(thread))).toReversed() };
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

test.each(SAVERS)(
  "every moment of every kind of channel is as its model says, whatever is asked and wherever it crashes, with %s",
  async (_name, make) => {
    const plans = fc.option(crashes, { nil: {} });
    await fc.assert(
      fc.asyncProperty(graphs, randomFields, plans, async (graph, fields, crash) => {
        const options = { fields, checkpointer: make() };
        const { history } = await watchOverCrash(graph, crash as CrashPlan, options);
        const told = history.map(({ values: { log: _, ...values } }) => values);
        expect(told).toEqual(momentsOf(fields, stepsOf(graph)));
      }),
      { numRuns: 150 },
    );
  },
);

test("the model has every kind of channel, so that the tests above meet all of them", () => {
  const channels = Object.values(KINDS).map(({ make }) => make().channel.constructor);
  expect(new Set(channels)).toEqual(new Set([LastValue, BinaryOperatorAggregate, EphemeralValue, Topic]));
});
