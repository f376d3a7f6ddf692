/** The core concepts of state graphs, one test for each sentence that promises something ("seed" marks). */
import {
  BinaryOperatorAggregate,
  Command,
  CompiledStateGraph,
  END,
  END_NODE,
  EphemeralValue,
  field,
  GraphRecursionError,
  InvalidGraphError,
  InvalidUpdateError,
  LastValue,
  MemorySaver,
  MessageGraph,
  reducers,
  Schema,
  Send,
  START,
  StateGraph,
  Topic,
} from "batonjs";
import { describe, expect, test } from "vitest";
import { ab, all, chain, log, newThread, one, say, sideBySide, wait } from "./stategraph-kit.ts";

describe("graphs", () => {
  test("seed.1 a StateGraph is a workflow of nodes that edges lead through in their direction", async () => {
    expect(await ab().compile().invoke({})).toEqual({ log: ["a", "b"] });
  });

  test("seed.2 a MessageGraph is a StateGraph for conversations", async () => {
    const graph = new MessageGraph().addNode("answer", () => ({ messages: { role: "ai", content: "hey" } }));
    expect(graph).toBeInstanceOf(StateGraph);
    const app = graph.addEdge(START, "answer").addEdge("answer", END).compile();
    expect(await app.invoke({ messages: "hi" })).toEqual({
      messages: [
        { role: "user", content: "hi" },
        { role: "ai", content: "hey" },
      ],
    });
  });

  test("seed.3 a graph is defined, then compiled to a CompiledStateGraph, then invoked or streamed", async () => {
    const app = ab().compile();
    expect(app).toBeInstanceOf(CompiledStateGraph);
    expect(await app.invoke({})).toEqual({ log: ["a", "b"] });
    expect((await all(app.stream({}))).at(-1)).toEqual({ log: ["a", "b"] });
  });
});

describe("state", () => {
  test("seed.4 every node reads the state, and what it returns is applied back to it", async () => {
    const app = new StateGraph({ n: field<number>() })
      .addNode("double", ({ n }) => ({ n: n * 2 }))
      .addNode("more", ({ n }) => ({ n: n + 1 }))
      .addSequence(["double", "more"])
      .addEdge(START, "double")
      .addEdge("more", END)
      .compile();
    expect(await app.invoke({ n: 20 })).toEqual({ n: 41 });
  });

  test("seed.5 a Schema declares fields with their types, and where wanted reducers and defaults", async () => {
    const schema = new Schema()
      .field("messages", { reducer: reducers.append<string>, default: [] })
      .field("count", { default: 0 })
      .field<"status", string>("status");
    const app = one(schema, () => ({ messages: ["one"], status: "ok" })).compile();
    expect(await app.invoke({})).toEqual({ messages: ["one"], count: 0, status: "ok" });
  });

  test("seed.6 without a reducer the most recent write wins", async () => {
    const app = new StateGraph({ status: {} })
      .addSequence([
        ["first", () => ({ status: "draft" })],
        ["second", () => ({ status: "done" })],
      ])
      .addEdge(START, "first")
      .addEdge("second", END)
      .compile();
    expect(await app.invoke({ status: "new" })).toEqual({ status: "done" });
  });

  test("seed.7 a reducer is called with the current value and the new one, each time the field is written", async () => {
    const calls: unknown[] = [];
    const reducer = (current: number, update: number) => {
      calls.push([current, update]);
      return current + update;
    };
    const app = new StateGraph({ sum: field<number>({ reducer, default: 1 }) })
      .addSequence([
        ["a", () => ({ sum: 2 })],
        ["silent", () => ({})],
        ["b", () => ({ sum: 3 })],
      ])
      .addEdge(START, "a")
      .addEdge("b", END)
      .compile();
    expect(await app.invoke({ sum: 10 })).toEqual({ sum: 16 });
    expect(calls).toEqual([
      [1, 10],
      [11, 2],
      [13, 3],
    ]);
  });
});

describe("nodes", () => {
  test.each<[arity: number, action: (...args: never[]) => unknown, made: string]>([
    [0, () => ({ log: ["no state"] }), "no state"],
    [1, (state: { log: string[] }) => ({ log: [`read ${state.log[0]}`] }), "read in"],
    [2, (_state: object, { node }: { node: string }) => ({ log: [`in ${node}`] }), "in one"],
  ])("seed.8 a node that takes %i arguments is called with as many", async (arity, action, made) => {
    expect(action).toHaveLength(arity);
    expect(
      await one(log(), action)
        .compile()
        .invoke({ log: ["in"] }),
    ).toEqual({ log: ["in", made] });
  });

  test("seed.9 a node may be a function, or a method with its object", async () => {
    const greeter = { word: "hello", greet: () => ({ log: [greeter.word] }) };
    expect(await one(log(), greeter.greet).compile().invoke({})).toEqual({ log: ["hello"] });
  });

  test("seed.10 a node may return a Command or a Send in place of an update", async () => {
    const app = new StateGraph(log())
      .addNode("choose", () => new Command({ update: { log: ["chose"] }, goto: "sender" }), {
        ends: ["sender"],
      })
      .addNode("sender", () => new Send("work", "sent"), { ends: ["work"] })
      .addNode("work", (text: string) => ({ log: [text] }))
      .addEdge(START, "choose")
      .addEdge("work", END)
      .compile();
    expect(await app.invoke({})).toEqual({ log: ["chose", "sent"] });
  });

  test("seed.11 a retry policy tries a failing node again, as often as it says", async () => {
    let calls = 0;
    const flaky = () => {
      if (++calls < 3) throw new Error("busy");
      return { log: ["done"] };
    };
    const app = new StateGraph(log())
      .addNode("flaky", flaky, { retryPolicy: { maxAttempts: 3, initialInterval: 1 } })
      .addEdge(START, "flaky")
      .addEdge("flaky", END)
      .compile();
    expect(await app.invoke({})).toEqual({ log: ["done"] });
    expect(calls).toBe(3);
  });
});

describe("edges", () => {
  test("seed.12 an edge leads from a node to another", async () => {
    expect(await chain("x", "y", "z").compile().invoke({})).toEqual({ log: ["x", "y", "z"] });
  });

  test("seed.13 a conditional edge leads where the state says", async () => {
    const app = new StateGraph({ ...log(), route: field<"left" | "right">() })
      .addNode("router", () => null)
      .addNode("left", say("left"))
      .addNode("right", say("right"))
      .addEdge(START, "router")
      .addConditionalEdges("router", ({ route }) => route)
      .addEdge("left", END)
      .addEdge("right", END)
      .compile();
    for (const route of ["left", "right"] as const)
      expect((await app.invoke({ route })).log).toEqual([route]);
  });

  test("seed.14 setEntryPoint and setFinishPoint are an edge from START and one to END_NODE", async () => {
    const named = new StateGraph(log()).addNode("only", say("only"));
    const drawn = new StateGraph(log()).addNode("only", say("only"));
    const apps = [
      named.setEntryPoint("only").setFinishPoint("only").compile(),
      drawn.addEdge(START, "only").addEdge("only", END_NODE).compile(),
    ];
    expect(apps[0]?.getGraph().toJSON()).toEqual(apps[1]?.getGraph().toJSON());
    for (const app of apps) expect(await app.invoke({})).toEqual({ log: ["only"] });
  });
});

describe("supersteps", () => {
  test("seed.15 plan: the edges and the state say which nodes run next", async () => {
    const app = chain("a", "b").compile({ checkpointer: new MemorySaver(), interruptBefore: "*" });
    const thread = newThread();
    await app.invoke({}, thread);
    expect((await app.getState(thread)).next).toEqual(["a"]);
    await app.invoke(null, thread);
    expect((await app.getState(thread)).next).toEqual(["b"]);
  });

  test("seed.16 execute: all nodes of a superstep run, on the same frozen snapshot of the state", async () => {
    const seen: unknown[] = [];
    const look = (state: object) => void seen.push(state);
    await sideBySide({ a: look, b: look })
      .compile()
      .invoke({ log: ["in"] });
    expect(seen).toHaveLength(2);
    expect(seen[0]).toBe(seen[1]);
    expect(seen[0]).toEqual({ log: ["in"] });
    expect(Object.isFrozen(seen[0])).toBe(true);
  });

  test("seed.17 update: all outputs are applied at once, when the last node of the superstep has finished", async () => {
    const quick = say("quick");
    const slow = async () => {
      await wait(20);
      return { log: ["slow"] };
    };
    const values = await all(sideBySide({ quick, slow }).compile().stream({}));
    expect(values).toEqual([{ log: [] }, { log: ["quick", "slow"] }]);
  });

  test("seed.18 a superstep of which one node fails applies none of its outputs", async () => {
    const app = sideBySide({
      good: say("good"),
      bad: () => {
        throw new Error("boom");
      },
    }).compile({ checkpointer: new MemorySaver() });
    const thread = newThread();
    await expect(app.invoke({}, thread)).rejects.toThrow("boom");
    expect((await app.getState(thread)).values).toEqual({ log: [] });
  });

  test("seed.19 checkpoint: with a checkpointer the state is saved after each superstep", async () => {
    const app = ab().compile({ checkpointer: new MemorySaver() });
    const thread = newThread();
    await app.invoke({}, thread);
    const moments = await all(app.getStateHistory(thread));
    expect(moments.map(({ values }) => values.log)).toEqual([["a", "b"], ["a"], []]);
    await expect(ab().compile().getState(newThread())).rejects.toThrow("checkpointer");
  });

  test("seed.20 repeat: until END_NODE is reached, or the recursion limit, which is 25 unless told otherwise", async () => {
    let runs = 0;
    const loop = (enough: number) =>
      new StateGraph(log())
        .addNode("again", () => void runs++)
        .addEdge(START, "again")
        .addConditionalEdges("again", () => (runs < enough ? "again" : END_NODE))
        .compile();
    await loop(3).invoke({});
    expect(runs).toBe(3);
    runs = 0;
    await expect(loop(1e9).invoke({})).rejects.toBeInstanceOf(GraphRecursionError);
    expect(runs).toBe(25);
    runs = 0;
    await expect(loop(1e9).invoke({}, { recursionLimit: 4 })).rejects.toThrow("4 supersteps");
  });
});

describe("channels", () => {
  /** What two nodes of one superstep and one of the next leave in a channel. */
  const leave = async (channel: object): Promise<readonly unknown[]> => {
    const graph = new StateGraph({ x: field({ channel: channel as LastValue<unknown> }) });
    graph
      .addNode("a", () => ({ x: 1 }))
      .addNode("b", () => ({ x: 2 }))
      .addNode("c", () => null);
    graph.addEdge(START, "a").addEdge(START, "b").addEdge(["a", "b"], "c").addEdge("c", END);
    return (await all(graph.compile().stream({}))).map((values) => (values as { x?: unknown }).x);
  };

  test.each<[mark: string, what: string, channel: object, left: readonly unknown[]]>([
    [
      "seed.21",
      "a BinaryOperatorAggregate folds several updates",
      new BinaryOperatorAggregate((a: number, b: number) => a + b, 0),
      [0, 3, 3],
    ],
    [
      "seed.22",
      "an EphemeralValue is empty again after a step",
      new EphemeralValue({ guard: false }),
      [undefined, 2, undefined],
    ],
    ["seed.23", "a Topic collects the values of a step", new Topic(), [[], [1, 2], []]],
    ["seed.24", "a Topic that accumulates keeps them", new Topic({ accumulate: true }), [[], [1, 2], [1, 2]]],
  ])("%s %s", async (_mark, _what, channel, left) => {
    expect(await leave(channel)).toEqual(left);
  });

  test("seed.25 a LastValue holds a single value, and refuses two writes of one step", async () => {
    await expect(leave(new LastValue())).rejects.toBeInstanceOf(InvalidUpdateError);
    const app = one({ x: field({ channel: new LastValue<number>() }) }, () => ({ x: 2 })).compile();
    expect(await app.invoke({ x: 1 } as never)).toEqual({ x: 2 });
  });
});

describe("START and END_NODE", () => {
  test("seed.26 execution begins where the edges from START lead, at several nodes at once when there are several", async () => {
    const values = await all(
      sideBySide({ a: say("a"), b: say("b") })
        .compile()
        .stream({}),
    );
    expect(values).toEqual([{ log: [] }, { log: ["a", "b"] }]);
  });

  test("seed.27 reaching END_NODE stops a branch, and execution once no other branch is left", async () => {
    const graph = ab().addNode("short", say("short"));
    graph.addEdge(START, "short").addEdge("short", END_NODE);
    expect(await graph.compile().invoke({})).toEqual({ log: ["a", "short", "b"] });
  });
});

describe("compilation", () => {
  test("seed.28 a checkpointer, pauses and debug events are options of compile", async () => {
    const app = ab().compile({
      checkpointer: new MemorySaver(),
      interruptBefore: ["b"],
      interruptAfter: ["a"],
      debug: true,
    });
    const thread = newThread();
    const events = (await all<unknown>(app.stream({}, thread))) as { type: string }[];
    expect(events.map(({ type }) => type)).toEqual(["checkpoint", "task", "task_result", "checkpoint"]);
    expect(await app.invoke(null, thread)).toEqual({ log: ["a"] });
    expect(await app.invoke(null, thread)).toEqual({ log: ["a", "b"] });
  });

  const node = () => new StateGraph(log()).addNode("a", say("a"));
  test.each<[mark: string, what: string, graph: { compile(): unknown }, says: string]>([
    ["seed.29", "there is an entry", node().addEdge("a", END), "no entry"],
    [
      "seed.30",
      "every edge comes from a node that exists",
      node()
        .addEdge(START, "a")
        .addEdge("a", END)
        .addEdge("b" as "a", "a"),
      '"b"',
    ],
    [
      "seed.30",
      "every edge leads to a node that exists",
      node()
        .addEdge(START, "a")
        .addEdge("a", "c" as "a"),
      '"c"',
    ],
    ["seed.31", "every node has a way out", node().addEdge(START, "a"), "no way out"],
  ])(
    "%s compile checks that %s, and throws an InvalidGraphError when it is not so",
    (_mark, _what, graph, says) => {
      expect(() => graph.compile()).toThrow(InvalidGraphError);
      expect(() => graph.compile()).toThrow(says);
    },
  );

  test("seed.29 a conditional entry is an entry, and seed.31 a conditional edge a way out", async () => {
    const app = node()
      .setConditionalEntryPoint(() => "a")
      .addConditionalEdges("a", () => END)
      .compile();
    expect(await app.invoke({})).toEqual({ log: ["a"] });
  });
});
