/** The rules of a state graph, one by one: each test names its rule and the section that it stands in. */
import {
  BinaryOperatorAggregate,
  Command,
  EmptyChannelError,
  EmptyInputError,
  END,
  END_NODE,
  EphemeralValue,
  field,
  GraphRecursionError,
  InvalidGraphError,
  InvalidUpdateError,
  interrupt,
  isInterrupted,
  LastValue,
  MemorySaver,
  MessageGraph,
  NodeExecutionError,
  type RunConfig,
  reducers,
  removeMessage,
  Schema,
  Send,
  START,
  StateGraph,
  TaskNotFound,
  Topic,
  UnknownTargetError,
} from "batonjs";
import { SqliteSaver } from "batonjs/sqlite";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { delay } from "../../src/kernel/settle.ts";
import { newThread } from "./stategraph-savers.ts";

const log = () => ({ log: field<string[]>({ reducer: reducers.append, default: [] }) });
const say = (text: string) => () => ({ log: [text] });
/** START → a → b → END, each of which says its name. */
const ab = () =>
  new StateGraph(log())
    .addNode("a", say("a"))
    .addNode("b", say("b"))
    .addEdge(START, "a")
    .addEdge("a", "b")
    .addEdge("b", END);
/** One node between START and END. */
const one = (fields: object, action: unknown) =>
  new StateGraph(fields as ReturnType<typeof log>)
    .addNode("one", action as () => null)
    .addEdge(START, "one")
    .addEdge("one", END);
async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const item of items) list.push(item);
  return list;
}

describe("§1 doors", () => {
  test("SqliteSaver keeps threads in a file or in memory, and every saver has close()", async () => {
    for (const saver of [new SqliteSaver(":memory:"), new MemorySaver()]) {
      expect(await ab().compile({ checkpointer: saver }).invoke({}, newThread())).toEqual({
        log: ["a", "b"],
      });
      await saver.close();
    }
  });

  test("START is __start__; END and END_NODE are __end__", () => {
    expect([START, END, END_NODE]).toEqual(["__start__", "__end__", "__end__"]);
  });
});

describe("§2 state", () => {
  test("fields are made by field(), by the same options as a plain object, and {} is a last value", async () => {
    const app = new StateGraph({ a: field({ default: 1 }), b: { reducer: reducers.add, default: 1 }, c: {} })
      .addNode("n", () => ({ a: 2, b: 2, c: 2 }))
      .addEdge(START, "n")
      .addEdge("n", END)
      .compile();
    expect(await app.invoke({})).toEqual({ a: 2, b: 3, c: 2 });
  });

  test("a Schema is built field by field", async () => {
    const schema = new Schema().field("n", { default: 1 }).field("m", {});
    const app = one(schema, () => ({ m: 2 })).compile();
    expect(await app.invoke({})).toEqual({ n: 1, m: 2 });
  });

  test("the schemas of input, output and context are enforced", async () => {
    const graph = new StateGraph(
      { q: field<string>(), a: field<unknown>() },
      {
        input: z.object({ q: z.string().min(2) }),
        output: z.object({ a: z.number() }),
        context: z.object({ user: z.string() }),
      },
    )
      .addNode("n", ({ q }) => (q === "none" ? null : { a: q === "bad" ? "text" : q.length }))
      .addEdge(START, "n")
      .addEdge("n", END);
    const app = graph.compile();
    const ask = (q: unknown, context: unknown = { user: "ada" }) =>
      app.invoke({ q } as { q: string }, { context: context as { user: string } });
    expect(await ask("four")).toEqual({ a: 4 });
    await expect(ask("x")).rejects.toThrow(InvalidUpdateError);
    await expect(app.invoke({}, { context: { user: "ada" } })).rejects.toThrow(
      /input is not valid: input\.q/,
    );
    await expect(ask("bad")).rejects.toThrow(/output is not valid: output\.a/);
    await expect(ask("four", {})).rejects.toThrow("context.user");
  });

  test("an output that has to hold something and holds nothing is an EmptyChannelError that names the field", async () => {
    const output = { a: z.number() };
    const app = new StateGraph({ a: field<number>() }, { output })
      .addNode("n", () => null)
      .addEdge(START, "n")
      .addEdge("n", END)
      .compile();
    await expect(app.invoke({})).rejects.toBeInstanceOf(EmptyChannelError);
    await expect(app.invoke({})).rejects.toThrow('"a"');
    await expect(all(app.stream({}))).rejects.toBeInstanceOf(EmptyChannelError);
  });

  test("no reducer: across steps the latest write wins, two writes in one superstep throw InvalidUpdateError", async () => {
    const fields = { x: field<string>() };
    const graph = new StateGraph(fields).addNode("a", () => ({ x: "a" })).addNode("b", () => ({ x: "b" }));
    graph.addEdge(START, "a").addEdge("b", END);
    const both = new StateGraph(fields).addNode("a", () => ({ x: "a" })).addNode("b", () => ({ x: "b" }));
    both.addEdge(START, "a").addEdge(START, "b").addEdge("a", END).addEdge("b", END);
    expect(await graph.addEdge("a", "b").compile().invoke({})).toEqual({ x: "b" });
    await expect(both.compile().invoke({})).rejects.toThrow(/x takes one value.*a and b/);
  });

  test("reducer(current, update) folds in task order", async () => {
    const text = field<string>({ reducer: (current, update) => `(${current}${update})`, default: "" });
    const app = new StateGraph({ text })
      .addNode("z", () => ({ text: "z" }))
      .addNode("a", () => ({ text: "a" }))
      .addEdge(START, "a")
      .addEdge(START, "z")
      .addEdge("a", END)
      .addEdge("z", END)
      .compile();
    expect(await app.invoke({})).toEqual({ text: "((z)a)" });
  });

  test("the channels are exported and given to fields", async () => {
    const app = new StateGraph({
      last: field({ channel: new LastValue<number>() }),
      sum: field({ channel: new BinaryOperatorAggregate<number>((a, b) => a + b, 0) }),
      gone: field({ channel: new EphemeralValue<number>() }),
      many: field({ channel: new Topic<number>({ accumulate: true }) }),
    })
      .addNode("a", () => ({ last: 1, sum: 1, gone: 1, many: [1, 2] }))
      .addNode("b", ({ gone }) => ({ last: gone, sum: 1, many: 3 }))
      .addSequence(["a", "b"])
      .addEdge(START, "a")
      .addEdge("b", END)
      .compile();
    expect(await app.invoke({})).toEqual({ last: 1, sum: 2, many: [1, 2, 3] });
  });

  test("an EphemeralValue refuses two writes in one superstep, unless its guard is off", async () => {
    const flash = (guard: boolean) => {
      const graph = new StateGraph({ flash: field({ channel: new EphemeralValue<number>({ guard }) }) });
      for (const n of [1, 2]) graph.addNode(`n${n}`, () => ({ flash: n })).addEdge(START, `n${n}`);
      return graph.addEdge("n1", END).addEdge("n2", END).compile();
    };
    await expect(flash(true).invoke({})).rejects.toThrow(InvalidUpdateError);
    expect(await flash(false).invoke({})).toEqual({ flash: 2 });
  });

  test("a value that cannot be kept throws when it is written, with its path", async () => {
    const app = one({ value: {} }, () => ({ value: { deep: [() => 1] } })).compile();
    await expect(app.invoke({})).rejects.toThrow(/value.*\.deep\[0\] is a function/);
  });

  test("undefined and {} mean no update", async () => {
    for (const nothing of [undefined, {}]) {
      expect(
        await one(log(), () => nothing)
          .compile()
          .invoke({ log: ["in"] }),
      ).toEqual({ log: ["in"] });
    }
  });

  test("messages are folded by id, and can be removed", async () => {
    const app = new MessageGraph()
      .addNode("n", () => ({ messages: [removeMessage("1"), { id: "2", content: "new" }] }))
      .addEdge(START, "n")
      .addEdge("n", END)
      .compile();
    const messages = [
      { id: "1", content: "gone" },
      { id: "2", content: "old" },
    ];
    expect(await app.invoke({ messages })).toEqual({ messages: [{ id: "2", content: "new" }] });
  });
});

describe("§3 building", () => {
  test("a waiting edge fires once all sources have finished, and re-arms", async () => {
    const graph = ab().addNode("c", say("c")).addNode("join", say("join"));
    graph.addEdge(START, "c").addEdge("c", END).addEdge(["b", "c"], "join");
    expect(await graph.addEdge("join", END).compile().invoke({})).toEqual({ log: ["a", "c", "b", "join"] });
  });

  test("a path gives a name, a list, sends or END, and gets state and config", async () => {
    const graph = new StateGraph(log())
      .addNode("a", say("a"))
      .addNode("b", (x: unknown) => ({ log: [String(x)] }));
    graph.addEdge(START, "a").addEdge("b", END);
    graph.addConditionalEdges("a", ({ log: [first] }, { context }) => {
      expect(context).toBe("ctx");
      return first === "in" ? [new Send("b", 1), END] : END;
    });
    const app = graph.compile();
    expect(await app.invoke({ log: ["in"] }, { context: "ctx" })).toEqual({ log: ["in", "a", "1"] });
    expect(await app.invoke({}, { context: "ctx" })).toEqual({ log: ["a"] });
  });

  test("a path map translates results, with default for all others; without one a stray result is an error", async () => {
    const graph = (map: Record<string, "b" | typeof END>) =>
      new StateGraph(log())
        .addNode("a", say("a"))
        .addNode("b", say("b"))
        .addEdge(START, "a")
        .addEdge("b", END)
        .addConditionalEdges("a", () => "stray" as string, map)
        .compile();
    expect(await graph({ known: END, default: "b" }).invoke({})).toEqual({ log: ["a", "b"] });
    await expect(graph({ known: "b" }).invoke({})).rejects.toMatchObject({
      cause: expect.any(UnknownTargetError),
    });
  });

  test("compile throws one InvalidGraphError with all issues", () => {
    const graph = new StateGraph(log()).addNode("a", say("a")).addNode("a", say("b"));
    graph.addEdge("a", "nowhere" as "a").addEdge(END as never, "a");
    try {
      graph.compile();
      expect.unreachable();
    } catch (error) {
      const codes = (error as InvalidGraphError).issues.map(({ code }) => code);
      expect(codes.toSorted()).toEqual(["duplicate_node", "end_as_source", "no_entry", "unknown_target"]);
    }
  });

  test("interruptBefore and interruptAfter accept *", async () => {
    const app = ab().compile({ checkpointer: new MemorySaver(), interruptBefore: "*", interruptAfter: "*" });
    const thread = newThread();
    const logs: unknown[] = [(await app.invoke({}, thread)).log];
    for (let i = 0; i < 4; i++) logs.push((await app.invoke(null, thread)).log);
    expect(logs).toEqual([[], ["a"], ["a"], ["a", "b"], ["a", "b"]]);
  });

  test("debug makes debug the mode of streams that name none; name names the graph", async () => {
    const app = ab().compile({ debug: true, name: "letters" });
    expect((await all(app.stream({})))[0]).toMatchObject({ type: "checkpoint" });
    expect(app.name).toBe("letters");
  });
});

describe("§4 running", () => {
  test("threadId is a shorthand of configurable.thread_id", async () => {
    const app = ab().compile({ checkpointer: new MemorySaver() });
    await app.invoke({}, { threadId: "short" });
    expect((await app.getState({ configurable: { thread_id: "short" } })).values).toEqual({
      log: ["a", "b"],
    });
  });

  test("{} is a fine first input; none at all is an EmptyInputError", async () => {
    const app = ab().compile();
    expect(await app.invoke({})).toEqual({ log: ["a", "b"] });
    await expect(app.invoke(null)).rejects.toBeInstanceOf(EmptyInputError);
    await expect(app.invoke(undefined as never)).rejects.toBeInstanceOf(EmptyInputError);
    await expect(all(app.stream(null))).rejects.toBeInstanceOf(EmptyInputError);
    const kept = ab().compile({ checkpointer: new MemorySaver() });
    await expect(kept.invoke(new Command({ resume: 1 }), newThread())).rejects.toBeInstanceOf(
      EmptyInputError,
    );
  });

  test("a node takes 0, 1 or 2 arguments, and its config carries what it may ask of the run", async () => {
    let seen: object = {};
    const app = one(log(), (_state: unknown, config: Record<string, unknown>) => {
      const { signal, writer, attempt, idempotencyKey, once, heartbeat } = config;
      seen = { signal, writer, attempt, idempotencyKey, once, heartbeat };
    }).compile({ checkpointer: new MemorySaver() });
    await app.invoke({}, { threadId: "keys" });
    expect(seen).toEqual({
      signal: expect.any(AbortSignal),
      writer: expect.any(Function),
      attempt: 1,
      idempotencyKey: "keys/1/one/1",
      once: expect.any(Function),
      heartbeat: expect.any(Function),
    });
  });

  test("Command.goto adds to the node's edges and does not erase them", async () => {
    const graph = new StateGraph(log())
      .addNode("a", () => new Command({ goto: "c" }))
      .addNode("b", say("b"))
      .addNode("c", say("c"))
      .addEdge(START, "a")
      .addEdge("a", "b")
      .addEdge("b", END)
      .addEdge("c", END);
    expect(await graph.compile().invoke({})).toEqual({ log: ["b", "c"] });
  });

  test("k supersteps need a limit of k; past it the state is kept and a higher limit goes on", async () => {
    const app = ab().compile({ checkpointer: new MemorySaver() });
    expect(await app.invoke({}, { ...newThread(), recursionLimit: 2 })).toEqual({ log: ["a", "b"] });
    const thread = newThread();
    await expect(app.invoke({}, { ...thread, recursionLimit: 1 })).rejects.toBeInstanceOf(
      GraphRecursionError,
    );
    expect(await app.invoke(null, thread)).toEqual({ log: ["a", "b"] });
  });

  test("the jitter of a retry comes from a seed: the same task waits the same", () => {
    const attempts = { max: 3, initialInterval: 500, backoffFactor: 2, maxInterval: 128_000, jitter: true };
    expect(delay(attempts, 1, "r/1/a/1")).toBe(delay(attempts, 1, "r/1/a/1"));
    expect(delay(attempts, 1, "r/1/a/1")).not.toBe(delay(attempts, 1, "r/1/b/1"));
    expect(delay({ ...attempts, jitter: false }, 2, "")).toBe(1000);
  });

  test("an error in a node is a NodeExecutionError with node, task and the error itself as cause", async () => {
    const boom = new Error("boom");
    const app = one(log(), () => Promise.reject(boom)).compile();
    const error = await app.invoke({}).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(NodeExecutionError);
    expect(error).toMatchObject({ node: "one", task: "1/one", cause: boom });
  });

  test.each(["sync", "async", "exit"] as const)(
    "durability %s is taken by compile and by a call",
    async (durability) => {
      const checkpointer = new MemorySaver();
      const [thread, other] = [newThread(), newThread()];
      await ab().compile({ checkpointer, durability }).invoke({}, thread);
      await ab()
        .compile({ checkpointer })
        .invoke({}, { ...other, durability });
      const app = ab().compile({ checkpointer });
      expect((await app.getState(thread)).values).toEqual((await app.getState(other)).values);
    },
  );

  test('pace "turn" records the order of its commits, so that it is the same when it is read again', async () => {
    const app = ab().compile({ checkpointer: new MemorySaver(), pace: "turn" });
    const thread = newThread();
    await app.invoke({}, thread);
    const read = async () => (await all(app.getStateHistory(thread))).map(({ values }) => values.log);
    expect(await read()).toEqual([["a", "b"], ["a"], []]);
    expect(await read()).toEqual(await read());
  });
});

describe("§5 persistence and people", () => {
  const asking = (count = 1) => {
    const graph = new StateGraph(log());
    for (let n = 0; n < count; n++) {
      graph.addNode(`ask${n}`, () => ({ log: [String(interrupt(`q${n}`))] })).addEdge(START, `ask${n}`);
      graph.addEdge(`ask${n}`, END);
    }
    return graph.compile({ checkpointer: new MemorySaver() });
  };

  test("getState has values, next, tasks, interrupts, metadata, config, parentConfig and createdAt", async () => {
    const app = asking();
    const thread = newThread();
    await app.invoke({}, thread);
    expect(await app.getState(thread)).toEqual({
      values: { log: [] },
      next: ["ask0"],
      tasks: [{ id: "1/ask0", name: "ask0", interrupts: [{ id: "1/ask0:0", value: "q0" }] }],
      interrupts: [{ id: "1/ask0:0", value: "q0" }],
      metadata: { source: "input", step: 0 },
      config: { configurable: { ...thread.configurable, checkpoint_id: "1" } },
      parentConfig: undefined,
      createdAt: expect.stringMatching(/Z$/),
    });
  });

  test("interrupt pauses: nothing is thrown to the caller, and isInterrupted says so", async () => {
    const paused = await asking().invoke({}, newThread());
    expect(isInterrupted(paused)).toBe(true);
    expect(paused.__interrupt__).toEqual([{ id: "1/ask0:0", value: "q0" }]);
  });

  test("an answer to no question, or to one that is not there, is a TaskNotFound; no state changes", async () => {
    const app = asking();
    const thread = newThread();
    await app.invoke({}, thread);
    const before = await app.getState(thread);
    await expect(app.invoke(new Command({ resume: { "9/x:0": 1 } }), thread)).rejects.toBeInstanceOf(
      TaskNotFound,
    );
    expect(await app.getState(thread)).toEqual(before);
    await app.invoke(new Command({ resume: "yes" }), thread);
    await expect(app.invoke(new Command({ resume: "again" }), thread)).rejects.toBeInstanceOf(TaskNotFound);
  });

  test("a bare value while several are open is refused with their ids", async () => {
    const app = asking(2);
    const thread = newThread();
    await app.invoke({}, thread);
    await expect(app.invoke(new Command({ resume: 1 }), thread)).rejects.toThrow("1/ask0:0, 1/ask1:0");
    expect(await app.invoke(new Command({ resume: { "1/ask0:0": 1, "1/ask1:0": 2 } }), thread)).toEqual({
      log: ["1", "2"],
    });
  });

  test("a conditional entry, a command and an edit that send leave no fork in the history", async () => {
    const app = new StateGraph(log())
      .addNode("work", (n: number) => ({ log: [`w${n}`] }))
      .setConditionalEntryPoint(() => [new Send("work", 1)])
      .setFinishPoint("work")
      .compile({ checkpointer: new MemorySaver() });
    const thread = newThread();
    await app.invoke({}, thread);
    await app.invoke(new Command({ goto: new Send("work", 2) }), thread);
    await app.updateState(thread, null, START);
    expect(await app.invoke(null, thread)).toEqual({ log: ["w1", "w2", "w1"] });
    const sources = (await all(app.getStateHistory(thread))).map(({ metadata }) => metadata.source);
    expect(sources.toReversed()).toEqual(["input", "loop", "update", "loop", "update", "loop"]);
  });

  test("nothing recorded is ever changed: a fork leaves the moments before it as they were", async () => {
    const app = ab().compile({ checkpointer: new MemorySaver() });
    const thread = newThread();
    await app.invoke({}, thread);
    const before = await all(app.getStateHistory(thread));
    await app.updateState(before[1]?.config as RunConfig, { log: ["edit"] });
    expect(await app.invoke(null, thread)).toEqual({ log: ["a", "edit", "b"] });
    for (const moment of before) expect((await app.getState(moment.config)).values).toEqual(moment.values);
  });

  test("without a checkpointer an interrupt is an error that says which option is missing", async () => {
    await expect(
      one(log(), () => interrupt("?"))
        .compile()
        .invoke({}),
    ).rejects.toThrow("compile({ checkpointer");
  });
});

describe("the core concepts", () => {
  test("nodes of one superstep see the same frozen snapshot, and their updates are applied together", async () => {
    const seen: unknown[] = [];
    const look = (name: string) => (state: { readonly log: readonly string[] }) => {
      seen.push(state);
      return { log: [name] };
    };
    const app = new StateGraph(log())
      .addNode("a", look("a"))
      .addNode("b", look("b"))
      .addEdge(START, "a")
      .addEdge(START, "b")
      .addEdge("a", END)
      .addEdge("b", END)
      .compile();
    const values = await all(app.stream({ log: ["in"] }));
    expect(seen[0]).toBe(seen[1]);
    expect(Object.isFrozen(seen[0])).toBe(true);
    expect(values).toEqual([{ log: ["in"] }, { log: ["in", "a", "b"] }]);
  });

  test("MessageGraph is a StateGraph with messages", () => {
    expect(new MessageGraph()).toBeInstanceOf(StateGraph);
  });

  test("reaching END_NODE stops one branch, and the run once no other is left", async () => {
    const graph = ab().addNode("short", say("short"));
    graph.addEdge(START, "short").addEdge("short", END_NODE);
    expect(await graph.compile().invoke({})).toEqual({ log: ["a", "short", "b"] });
  });

  test("every edge references an existing node, and every node has a way out", () => {
    const graph = new StateGraph(log()).addNode("a", say("a")).addEdge(START, "a");
    expect(() => graph.compile()).toThrow(InvalidGraphError);
    expect(() => graph.compile()).toThrow("no way out");
  });

  test("a checkpoint is saved after each superstep when there is a checkpointer", async () => {
    const app = ab().compile({ checkpointer: new MemorySaver() });
    const thread = newThread();
    await app.invoke({}, thread);
    expect((await all(app.getStateHistory(thread))).map(({ metadata }) => metadata.step)).toEqual([2, 1, 0]);
  });
});
