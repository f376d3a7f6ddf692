/** Promises of the options of nodes, graphs and calls, and of their defaults. */
import {
  Command,
  END,
  field,
  GraphError,
  InvalidGraphError,
  MemorySaver,
  NodeExecutionError,
  type RunConfig,
  Send,
  START,
  StateGraph,
} from "batonjs";
import { describe, expect, test } from "vitest";
import { ab, all, chain, log, newThread, say, sideBySide, wait } from "./stategraph-kit.ts";

describe("nodes and edges", () => {
  test("§3.1 an action is a function, or a graph that was compiled", async () => {
    const app = new StateGraph(log())
      .addNode("function", say("function"))
      .addNode("graph", ab().compile())
      .addSequence(["function", "graph"])
      .addEdge(START, "function")
      .addEdge("graph", END)
      .compile();
    expect(await app.invoke({})).toEqual({ log: ["function", "a", "b"] });
  });

  test("§3.2 §4.25 a retry policy has defaults: 3 attempts after 500 ms, twice as long each, with jitter", () => {
    const attemptsOf = (retryPolicy: object) =>
      new StateGraph(log())
        .addNode("n", say("n"), { retryPolicy })
        .addEdge(START, "n")
        .addEdge("n", END)
        .compile().graph.plan.nodes["n"]?.attempts;
    expect(attemptsOf({})).toEqual({
      max: 3,
      initialInterval: 500,
      backoffFactor: 2,
      maxInterval: 128_000,
      jitter: true,
    });
    expect(attemptsOf({ maxAttempts: 9, jitter: false })).toMatchObject({ max: 9, jitter: false });
    expect(ab().compile().graph.plan.nodes["a"]).not.toHaveProperty("attempts");
  });

  test("§3.3 §3.22 declared ends are a way out, are drawn, and have to exist", async () => {
    const graph = (end: "b" | "c") =>
      new StateGraph(log())
        .addNode("a", () => new Command({ goto: "b" as string }), { ends: [end as string] })
        .addNode("b", say("b"))
        .addEdge(START, "a")
        .addEdge("b", END);
    const app = graph("b").compile();
    expect(app.getGraph().toJSON().edges).toContainEqual(
      expect.objectContaining({ source: "a", target: "b", conditional: true }),
    );
    expect(await app.invoke({})).toEqual({ log: ["b"] });
    expect(() => graph("c").compile()).toThrow(InvalidGraphError);
  });

  test("§3.8 an edge leads from one node to another; several edges from one lead side by side", async () => {
    const graph = chain("a").addNode("b", say("b")).addNode("c", say("c"));
    graph.addEdge("a", "c").addEdge("a", "b").addEdge("b", END).addEdge("c", END);
    expect(await all(graph.compile().stream({}))).toEqual([
      { log: [] },
      { log: ["a"] },
      { log: ["a", "b", "c"] },
    ]);
  });

  test("§3.13 a list of targets is checked, drawn, and held against what the path gives", async () => {
    const graph = (targets: readonly ("b" | typeof END)[], gives: "b") =>
      ab()
        .addNode("router", () => null)
        .addEdge(START, "router")
        .addConditionalEdges("router", () => gives as never, targets as never);
    const { edges } = graph(["b", END], "b").compile().getGraph().toJSON();
    expect(edges).toContainEqual(
      expect.objectContaining({ source: "router", target: "b", conditional: true }),
    );
    expect(() => graph(["nowhere" as "b"], "b").compile()).toThrow('"nowhere"');
    await expect(graph([END], "b").compile().invoke({})).rejects.toThrow("declares only __end__");
  });

  test("§3.15 the entry point is where a run begins, a finish point where a branch ends", async () => {
    const graph = new StateGraph(log()).addNode("b", say("b")).addNode("a", say("a")).addEdge("a", "b");
    const app = graph.setEntryPoint("a").setFinishPoint("b").compile();
    expect(await app.invoke({})).toEqual({ log: ["a", "b"] });
  });
});

describe("compile", () => {
  test("§3.18 takes a checkpointer, a pace, pauses, debug, durability and a name, all of them optional", async () => {
    const checkpointer = new MemorySaver();
    const app = ab().compile({
      ...{ checkpointer, pace: "turn", interruptBefore: ["b"], interruptAfter: ["b"] },
      ...{ debug: false, durability: "async", name: "letters" },
    });
    const thread = newThread();
    expect([app.name, app.graph.plan.pace]).toEqual(["letters", "turn"]);
    for (const logged of [["a"], ["a", "b"], ["a", "b"]]) {
      const isFirst = (await app.getState(thread)).createdAt === undefined;
      expect((await app.invoke(isFirst ? {} : null, thread)).log).toEqual(logged);
    }
    expect(await checkpointer.runs()).toHaveLength(1);
    expect(await ab().compile().invoke({})).toEqual({ log: ["a", "b"] });
  });

  test('§4.41 the pace is "step" when nobody says', () => {
    expect(ab().compile().graph.plan.pace).toBe("step");
  });
});

describe("calls", () => {
  test("§4.1 a graph is invoked or streamed with an input and a config, of which the config may be absent", async () => {
    const app = ab().compile();
    const end = { log: ["in", "a", "b"] };
    const config: RunConfig = { recursionLimit: 2, streamMode: "values", configurable: { thread_id: "t" } };
    expect([await app.invoke({ log: ["in"] }), await app.invoke({ log: ["in"] }, config)]).toEqual([
      end,
      end,
    ]);
    expect((await all(app.stream({ log: ["in"] }))).at(-1)).toEqual(end);
    expect((await all(app.stream({ log: ["in"] }, config))).at(-1)).toEqual(end);
  });

  test("§4.13 the updates of a superstep are applied together, in task order, and its checkpoint has all of them", async () => {
    const late = async () => {
      await wait(10);
      return { log: ["late"] };
    };
    const app = sideBySide({ late, early: say("early") }).compile({ checkpointer: new MemorySaver() });
    const thread = newThread();
    await app.invoke({}, thread);
    const moments = await all(app.getStateHistory(thread));
    expect(moments.map(({ values }) => values.log)).toEqual([["late", "early"], []]);
  });

  /** Seven sends at once, which tell how many of them ran at a time. */
  const crowd = (compiled: object, depth = 0) => {
    const most = { now: 0, ever: 0 };
    const graph = new StateGraph({ ...log(), n: field<number>() })
      .addNode("work", async ({ n }: { n: number }) => {
        most.ever = Math.max(most.ever, ++most.now);
        await wait(3);
        most.now--;
        return { log: [String(n)] };
      })
      .setConditionalEntryPoint(() => Array.from({ length: 7 }, (_, n) => new Send("work", { n })))
      .setFinishPoint("work")
      .compile(compiled);
    const around = new StateGraph(log()).addNode("sub", graph).addEdge(START, "sub").addEdge("sub", END);
    return { most, app: depth === 0 ? graph : around.compile() };
  };

  test.each([
    ["compile", { maxConcurrency: 3 }, {}, 3],
    ["the call", {}, { maxConcurrency: 2 }, 2],
    ["the call, past what compile says", { maxConcurrency: 1 }, { maxConcurrency: 4 }, 4],
  ])(
    "maxConcurrency is an option of %s, and holds in sub-graphs too",
    async (_whose, compiled, config, limit) => {
      for (const depth of [0, 1]) {
        const { app, most } = crowd(compiled, depth);
        expect((await app.invoke({}, config)).log).toHaveLength(7);
        expect(most.ever).toBe(limit);
      }
      const { app, most } = crowd(compiled);
      await all(app.stream({}, config));
      expect(most.ever).toBe(limit);
    },
  );

  test.each([0, -1, 1.5, Number.NaN])(
    "a maxConcurrency of %d is an error that says so",
    async (maxConcurrency) => {
      await expect(ab().compile().invoke({}, { maxConcurrency })).rejects.toThrow(GraphError);
    },
  );
});

test("an error handler waits for the attempts of each call, and not for those of all calls together", async () => {
  const seen: string[] = [];
  const app = new StateGraph(log())
    .addNode(
      "bad",
      (_state, { attempt }) => {
        seen.push(`attempt ${attempt}`);
        throw new Error("boom");
      },
      {
        retryPolicy: { maxAttempts: 2, initialInterval: 1 },
        onError: () => {
          seen.push("handler");
          if (seen.length < 4) throw new Error("worse");
          return { log: ["mended"] };
        },
      },
    )
    .addEdge(START, "bad")
    .addEdge("bad", END)
    .compile({ checkpointer: new MemorySaver() });
  const thread = newThread();
  await expect(app.invoke({}, thread)).rejects.toBeInstanceOf(NodeExecutionError);
  expect(await app.invoke(null, thread)).toEqual({ log: ["mended"] });
  const [first, second] = [seen.indexOf("handler"), seen.lastIndexOf("handler")];
  expect([first, second - first]).toEqual([2, 3]);
});
