/** Promises of going on with a stream from a place in the log: no chunk is lost and none comes twice. */
import { Command, END, GraphError, interrupt, MemorySaver, type RunConfig, START, StateGraph } from "batonjs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { runId } from "../../src/base/names.ts";
import { Crash, FaultyJournal } from "../../src/testing/faulty-journal.ts";
import { ab, all, chain, log, newThread, SAVERS, say } from "./stategraph-kit.ts";
import { build, graphs } from "./stategraph-random-graph.ts";

const MODES = { streamMode: ["updates", "values", "tasks"] as const };

/** A graph with a sub-graph in a sub-graph, which asks, beside a node. */
function nested(checkpointer: MemorySaver, pace: "step" | "turn") {
  const deepest = chain("x", "y").compile({ pace });
  const inner = new StateGraph(log())
    .addNode("deepest", deepest)
    .addNode("ask", () => ({ log: [interrupt<string>("?")] }))
    .addSequence(["deepest", "ask"])
    .addEdge(START, "deepest")
    .addEdge("ask", END)
    .compile({ pace });
  return new StateGraph(log())
    .addNode("first", say("first"))
    .addNode("left", inner)
    .addNode("right", say("right"))
    .addEdge(START, "first")
    .addEdge("first", "left")
    .addEdge("first", "right")
    .addEdge("left", END)
    .addEdge("right", END)
    .compile({ checkpointer, pace });
}

const isQuestion = (chunk: unknown) => JSON.stringify(chunk).includes("__interrupt__");

/** Reads at most `count` chunks of a stream; tells them, and the place of the reader then. */
async function readSome(stream: ReturnType<ReturnType<typeof nested>["stream"]>, count: number) {
  const chunks: unknown[] = [];
  let { place } = stream;
  while (chunks.length < count) {
    const next = await stream.next();
    if (next.done) break;
    if (!isQuestion(next.value)) chunks.push(next.value);
    ({ place } = stream);
  }
  await stream.return();
  return { chunks, place };
}

describe.each(SAVERS)("stream(null, { after }) with %s", (_name, make) => {
  test.each(["step", "turn"] as const)(
    "at pace %s: whoever leaves after any chunk and comes back with the place has seen every chunk once",
    async (pace) => {
      for (const subgraphs of [false, true]) {
        const whole = await readWhole(pace, subgraphs);
        for (let cut = 1; cut < whole.length; cut += 3) {
          expect(await readCut(pace, subgraphs, cut)).toEqual(whole);
        }
      }
    },
  );

  /** All chunks of a run with an answered question, sorted, as sub-graphs come in no fixed order. */
  async function readWhole(pace: "step" | "turn", subgraphs: boolean): Promise<string[]> {
    return readCut(pace, subgraphs, Number.POSITIVE_INFINITY);
  }

  async function readCut(pace: "step" | "turn", subgraphs: boolean, cut: number): Promise<string[]> {
    const app = nested(make() as MemorySaver, pace);
    const config: RunConfig = { ...newThread(), ...MODES, subgraphs };
    const first = await readSome(app.stream({}, config), cut);
    const rest = await readSome(
      app.stream(null, { ...config, after: first.place }),
      Number.POSITIVE_INFINITY,
    );
    const answer = new Command({ resume: "yes" });
    const answered = await readSome(app.stream(answer, config), Math.max(1, cut - 8));
    const after = { ...config, after: answered.place };
    const last = await readSome(app.stream(null, after), Number.POSITIVE_INFINITY);
    const chunks = [...first.chunks, ...rest.chunks, ...answered.chunks, ...last.chunks];
    return chunks.map((chunk) => JSON.stringify(chunk)).toSorted();
  }

  test("a sequence number will do where there are no sub-graphs", async () => {
    const app = ab().compile({ checkpointer: make() });
    const thread = newThread();
    const recorded = await readSome(app.stream({}, { ...thread, streamMode: "updates" }), 9);
    expect(Number(recorded.place)).toBeGreaterThan(0);
    const first = (await all(app.events(thread))).find(({ chunk }) => JSON.stringify(chunk).includes("a"));
    const config = { ...thread, streamMode: "updates" as const, after: first?.seq };
    expect(await all(app.stream(null, config))).toEqual([{ b: { log: ["b"] } }]);
    expect(await all(app.stream(null, { ...config, after: 0 }))).toEqual(recorded.chunks);
  });
});

test("events({ subgraphs }) tells paths, and goes on behind a place without a gap or a repeat", async () => {
  const app = nested(new MemorySaver(), "step");
  const config: RunConfig = { ...newThread(), ...MODES, subgraphs: true };
  await app.invoke({}, config);
  await app.invoke(new Command({ resume: "yes" }), config);
  const recorded = await all(app.events(config));
  expect(new Set(recorded.map(({ path }) => path.join(" > ")))).toEqual(
    new Set(["", "2/left", "2/left > 1/deepest"]),
  );
  for (const [index, { place }] of recorded.entries()) {
    const rest = await all(app.events(config, { after: place }));
    expect(rest.map(({ chunk }) => chunk)).toEqual(recorded.slice(index + 1).map(({ chunk }) => chunk));
  }
});

test("the place of a reader stays small, however many sub-graphs have run", async () => {
  const inner = ab().compile();
  const app = new StateGraph(log())
    .addNode("sub", inner)
    .addEdge(START, "sub")
    .addConditionalEdges("sub", ({ log: { length } }) => (length < 40 ? "sub" : END))
    .compile({ checkpointer: new MemorySaver() });
  const stream = app.stream({}, { ...newThread(), subgraphs: true, streamMode: "updates" });
  let longest = 0;
  for await (const _chunk of stream) longest = Math.max(longest, stream.place.length);
  expect(longest).toBeLessThan(60);
});

test("a place that is none, and one without a checkpointer, are errors that say what to do", async () => {
  const app = ab().compile({ checkpointer: new MemorySaver() });
  for (const after of ["here", -1, 1.5, '[["",1]]', "{}"]) {
    await expect(all(app.stream({}, { ...newThread(), after }))).rejects.toThrow(/stream\.place/);
  }
  await expect(all(ab().compile().stream({}, { after: 1 }))).rejects.toThrow(GraphError);
});

test("at pace turn, values and checkpoints come once for each commit, also when several are recorded at once", async () => {
  const app = new StateGraph(log()).addNode("a", say("a")).addNode("b", say("b")).addNode("c", say("c"));
  for (const name of ["a", "b", "c"] as const) app.addEdge(START, name).addEdge(name, END);
  const values = await all(app.compile({ pace: "turn" }).stream({}));
  expect(values).toEqual([{ log: [] }, { log: ["a"] }, { log: ["a", "b"] }, { log: ["a", "b", "c"] }]);
});

test("a reader who comes back after a crash has seen every chunk once, whatever the graph", async () => {
  const config = { streamMode: ["updates", "values"] } as const;
  const read = async (stream: AsyncIterable<unknown>, count = Number.POSITIVE_INFINITY) => {
    const seen: string[] = [];
    try {
      for await (const chunk of stream) if (seen.push(JSON.stringify(chunk)) >= count) break;
    } catch (error) {
      if (!(error instanceof Crash)) throw error;
    }
    return seen;
  };
  const calm = graphs.map((graph) => ({
    ...graph,
    nodes: graph.nodes.map((node) => ({ ...node, asks: false })),
  }));
  const plans = fc.record({
    append: fc.integer({ min: 1, max: 15 }),
    write: fc.constantFrom("kept" as const, "lost" as const),
  });
  const paces = fc.constantFrom("step" as const, "turn" as const);
  await fc.assert(
    fc.asyncProperty(
      calm,
      plans,
      paces,
      fc.integer({ min: 1, max: 12 }),
      async (graph, plan, pace, count) => {
        const checkpointer = new MemorySaver();
        const thread = { ...newThread(), ...config };
        const first = build(graph, { pace, checkpointer: new FaultyJournal(checkpointer, plan) }).stream(
          {},
          thread,
        );
        const seen = await read(first, count);
        const hasBegun = checkpointer.read(runId(thread.configurable.thread_id), 0).length > 0;
        const next = build(graph, { pace, checkpointer });
        seen.push(...(await read(next.stream(hasBegun ? null : {}, { ...thread, after: first.place }))));
        const recorded = (await all(next.events(thread))).map(({ mode, chunk }) =>
          JSON.stringify([mode, chunk]),
        );
        expect(seen).toEqual(recorded);
      },
    ),
    { numRuns: 150 },
  );
});
