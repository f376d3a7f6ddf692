/** What the compiler knows about a graph; `tsc` checks this file, and running it shows that the same code works. */
import {
  Command,
  type CompiledStateGraph,
  END,
  EphemeralValue,
  field,
  type Interrupted,
  type Message,
  MessageGraph,
  type Overwrite,
  type RunConfig,
  reducers,
  Schema,
  Send,
  START,
  StateGraph,
  type TaskChunk,
  Topic,
  type UpdateChunk,
} from "batonjs";
import { describe, expect, expectTypeOf, test } from "vitest";
import { z } from "zod";

describe("state types", () => {
  test("come from the fields, however they are declared", () => {
    new StateGraph({
      name: field<string>(),
      sum: { reducer: (a: number, b: number) => a + b, default: 0 },
      count: { default: 1 },
      list: field<string[], string | string[]>({ reducer: (list, more) => list.concat(more), default: [] }),
      topic: new Topic<number>(),
      flash: field({ channel: new EphemeralValue<boolean>() }),
      checked: z.string(),
      both: field({ schema: z.number(), reducer: reducers.add }),
      anything: {},
    }).addNode("a", (state) => {
      expectTypeOf(state.name).toEqualTypeOf<string>();
      expectTypeOf(state.sum).toEqualTypeOf<number>();
      expectTypeOf(state.count).toEqualTypeOf<number>();
      expectTypeOf(state.list).toEqualTypeOf<string[]>();
      expectTypeOf(state.topic).toEqualTypeOf<readonly number[]>();
      expectTypeOf(state.flash).toEqualTypeOf<boolean>();
      expectTypeOf(state.checked).toEqualTypeOf<string>();
      expectTypeOf(state.both).toEqualTypeOf<number>();
      expectTypeOf(state.anything).toEqualTypeOf<unknown>();
      return { list: "one", topic: 1 };
    });
  });

  test("come from a Schema or from a Standard Schema", () => {
    new StateGraph(new Schema().field("x", { default: 0 }).field<"y", string>("y")).addNode("a", (state) => {
      expectTypeOf(state).toEqualTypeOf<{ readonly x: number; readonly y: string }>();
      return { x: 1 };
    });
    new StateGraph(z.object({ x: z.number(), y: z.string().default("") })).addNode("a", (state) => {
      expectTypeOf(state).toEqualTypeOf<{ readonly x: number; readonly y: string }>();
      return { y: "" };
    });
  });

  test("a result is the state, perhaps with questions", () => {
    const app = new StateGraph({ x: field<number>() })
      .addNode("a", () => ({ x: 1 }))
      .addEdge(START, "a")
      .addEdge("a", END)
      .compile();
    expectTypeOf(app.invoke).returns.resolves.toHaveProperty("x").toEqualTypeOf<number>();
    expectTypeOf(app).toExtend<CompiledStateGraph<{ readonly x: number }, never>>();
    expectTypeOf(
      new MessageGraph().addNode("a", ({ messages }) => {
        expectTypeOf(messages).toEqualTypeOf<readonly Message[]>();
        return { messages: "hi" };
      }),
    ).not.toBeAny();
  });
});

describe("stream types", () => {
  const app = new StateGraph({ x: field<number>() })
    .addNode("a", () => ({ x: 1 }))
    .addEdge(START, "a")
    .addEdge("a", END)
    .compile();
  type Values = { readonly x: number } & Partial<Interrupted>;
  type Update = { readonly x?: number | Overwrite<number> };
  type ItemOf<Stream> = Stream extends AsyncGenerator<infer Item> ? Item : never;

  test("follow the mode", async () => {
    const values = app.stream({});
    expectTypeOf<ItemOf<typeof values>>().toEqualTypeOf<Values>();
    const updates = app.stream({}, { streamMode: "updates" });
    expectTypeOf<ItemOf<typeof updates>>().toEqualTypeOf<UpdateChunk<Update>>();
    const tasks = app.stream({}, { streamMode: "tasks" });
    expectTypeOf<ItemOf<typeof tasks>>().toEqualTypeOf<TaskChunk>();
    for await (const chunk of updates) expect(chunk["a"]).toEqual({ x: 1 });
    for await (const { x } of values) expect([undefined, 1]).toContain(x);
    for await (const { name } of tasks) expect(name).toBe("a");
  });

  test("a list gives pairs that are told apart by their mode, with the path before them for sub-graphs", async () => {
    for await (const [mode, chunk] of app.stream({}, { streamMode: ["values", "messages", "custom"] })) {
      if (mode === "values") expectTypeOf(chunk).toEqualTypeOf<Values>();
      if (mode === "messages") expectTypeOf(chunk[1].node).toBeString();
      if (mode === "custom") expectTypeOf(chunk).toBeUnknown();
    }
    for await (const [path, chunk] of app.stream({}, { subgraphs: true })) {
      expectTypeOf(path).toEqualTypeOf<readonly string[]>();
      expectTypeOf(chunk).toExtend<Readonly<Record<string, unknown>>>();
    }
    for await (const [path, mode, chunk] of app.stream({}, { streamMode: ["debug"], subgraphs: true })) {
      expectTypeOf(mode).toEqualTypeOf<"debug">();
      expect([path, typeof chunk.step]).toEqual([[], "number"]);
    }
  });

  test("are open when the modes are", () => {
    const config: RunConfig = { streamMode: "updates" };
    const stream = app.stream({}, config);
    expectTypeOf<ItemOf<typeof stream>>().toBeUnknown();
    // @ts-expect-error there is no such mode
    const wrong = () => app.stream({}, { streamMode: "everything" });
    expect(wrong).toBeTypeOf("function");
  });
});

describe("what the compiler refuses", () => {
  const graph = () =>
    new StateGraph({ x: field<number>(), y: field<string>() })
      .addNode("a", () => ({ x: 1 }))
      .addNode("b", () => null);

  test("updates that do not fit the state", () => {
    // @ts-expect-error a value of the wrong type
    graph().addNode("c", () => ({ x: "one" }));
    // @ts-expect-error a value of the wrong type, in a command
    graph().addNode("c", () => new Command({ update: { x: "one" } }));
    // @ts-expect-error neither an update nor a command
    graph().addNode("c", async () => 7);
    // @ts-expect-error a key that the state does not have
    graph().addNode("c", ({ z }) => ({ x: z }));
    // @ts-expect-error an input of the wrong type
    const invoke = () => graph().compile().invoke({ x: "one" });
    expect(invoke).toBeTypeOf("function");
  });

  test("§3.17 names that no node has", () => {
    // @ts-expect-error an unknown target
    graph().addEdge("a", "c");
    // @ts-expect-error an unknown source
    graph().addEdge(["a", "c"], "b");
    // @ts-expect-error START leads to nodes, and nothing leads to START
    graph().addEdge("a", START);
    // @ts-expect-error nothing leads from END
    graph().addEdge(END, "a");
    // @ts-expect-error a path to an unknown node
    graph().addConditionalEdges("a", () => "c");
    // @ts-expect-error a path map to an unknown node
    graph().addConditionalEdges("a", () => true, { true: "c" });
    // @ts-expect-error a path map without one of the results
    graph().addConditionalEdges("a", ({ x }) => (x > 1 ? "big" : "small"), { big: "b" });
    // @ts-expect-error the same for a yes or no
    graph().addConditionalEdges("a", ({ x }) => x > 1, { true: "b" });
    // @ts-expect-error an unknown entry
    graph().setEntryPoint("c");
    // @ts-expect-error a conditional entry to an unknown node
    graph().setConditionalEntryPoint(() => "c");
    // @ts-expect-error a conditional entry whose path map leaves a result out
    graph().setConditionalEntryPoint(({ x }) => x > 1, { true: "b" });
    // @ts-expect-error one whose path map leads to an unknown node
    graph().setConditionalEntryPoint(({ x }) => x > 1, { true: "b", false: "c" });
    expect(graph()).toBeDefined();
  });

  test("§3.3 a goto, a send or an end that leads to no declared node", () => {
    const ends = { ends: ["b"] } as const;
    // @ts-expect-error a goto that is none of the ends
    graph().addNode("c", () => new Command({ goto: "a" }), ends);
    // @ts-expect-error the same in an async node, in a list of commands
    graph().addNode("c", async () => [new Command({ goto: ["b", "a"] })], ends);
    // @ts-expect-error a send that is none of the ends
    graph().addNode("c", () => new Send("a", {}), ends);
    const missing = graph().addNode("c", () => new Command({ goto: "d" }), { ends: ["d"] });
    // @ts-expect-error an end that no node has
    const compile = () => missing.compile();
    expect(compile).toThrow("declares the end");
    const found = missing.addNode("d", () => null).addEdge("d", END);
    found.addEdge(START, "a").addEdge("a", "b").addEdge("b", END);
    expect(found.compile().name).toBe("graph");
  });

  test("a goto that the ends allow, and what is for the parent, whose nodes are unknown here", () => {
    const ends = { ends: ["b", END] } as const;
    graph().addNode("c", () => new Command({ update: { x: 1 }, goto: "b" }), ends);
    graph().addNode("c", ({ x }) => new Command({ goto: x > 0 ? "b" : END }), ends);
    graph().addNode("c", () => [new Command({ update: { x: 1 }, goto: "b" }), new Send("b", 1)], ends);
    const leave = () => new Command({ graph: Command.PARENT, update: { theirs: 1 }, goto: "elsewhere" });
    expect(graph().addNode("c", leave, ends)).toBeInstanceOf(StateGraph);
  });

  test("and what it accepts", () => {
    graph()
      .addConditionalEdges("a", ({ x }) => (x > 1 ? "b" : END))
      .addConditionalEdges("a", ({ x }) => x > 1, { true: "b", false: END })
      .addConditionalEdges("a", ({ x }) => (x > 1 ? "big" : "small"), { big: "b", default: "a" })
      .addConditionalEdges("a", ({ y }) => y, { big: "b" })
      .addConditionalEdges("a", async ({ x }) => [x > 1 ? "big" : END, new Send("b", 1)], { big: "b" })
      .addConditionalEdges("a", async () => [new Send("b", {}), "a"], ["a", "b"])
      .setConditionalEntryPoint(({ x }) => x > 1, { true: "a", false: END })
      .setConditionalEntryPoint(async ({ x }) => (x > 1 ? [new Send("a", 1)] : "b"))
      .addSequence(["a", ["c", () => ({ y: "" })]])
      .addEdge("c", "b");
    graph().addNode("private", (state: { readonly topic: string }) => ({ y: state.topic }));
    const unchained = new StateGraph({ x: field<number>() });
    unchained.addNode("a", () => ({ x: 1 }));
    unchained.addEdge(START, "a");
    expect(unchained).toBeInstanceOf(StateGraph);
  });

  test("a context of another type", () => {
    const app = new StateGraph({ x: field<number>() }, { context: z.object({ user: z.string() }) })
      .addNode("a", (_state, { context }) => {
        expectTypeOf(context).toEqualTypeOf<{ user: string }>();
        return null;
      })
      .addEdge(START, "a")
      .addEdge("a", END)
      .compile();
    // @ts-expect-error a context without its user
    const failing = app.invoke({}, { context: {} });
    return expect(failing).rejects.toThrow("context.user");
  });
});
