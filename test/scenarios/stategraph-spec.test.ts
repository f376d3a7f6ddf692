/** The rules of a state graph, one by one: each test names its rule and the section that it stands in. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  BinaryOperatorAggregate,
  Command,
  EmptyChannelError,
  EmptyInputError,
  END,
  EphemeralValue,
  field,
  InvalidUpdateError,
  interrupt,
  LastValue,
  MemorySaver,
  type RunConfig,
  reducers,
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
import { ab, all, log, newThread, one, say } from "./stategraph-kit.ts";

describe("doors", () => {
  test("§1.2 §1.3 SqliteSaver keeps threads in a file or in memory, and every saver has close()", async () => {
    const folder = mkdtempSync(join(tmpdir(), "baton-saver-"));
    const file = join(folder, "runs.db");
    const thread = newThread();
    for (const saver of [new SqliteSaver(":memory:"), new MemorySaver(), new SqliteSaver(file)]) {
      const app = ab().compile({ checkpointer: saver });
      expect(await app.invoke({}, thread)).toEqual({ log: ["a", "b"] });
      await saver.close();
    }
    const again = new SqliteSaver(file);
    expect((await ab().compile({ checkpointer: again }).getState(thread)).values).toEqual({
      log: ["a", "b"],
    });
    again.close();
    rmSync(folder, { recursive: true });
  });
});

describe("state", () => {
  test("§2.1 fields are made by field(), by the same options as a plain object, and {} is a last value", async () => {
    const app = new StateGraph({ a: field({ default: 1 }), b: { reducer: reducers.add, default: 1 }, c: {} })
      .addNode("n", () => ({ a: 2, b: 2, c: 2 }))
      .addEdge(START, "n")
      .addEdge("n", END)
      .compile();
    expect(await app.invoke({})).toEqual({ a: 2, b: 3, c: 2 });
  });

  test("§2.4 a Schema is built field by field", async () => {
    const schema = new Schema().field("n", { default: 1 }).field("m", {});
    const app = one(schema, () => ({ m: 2 })).compile();
    expect(await app.invoke({})).toEqual({ n: 1, m: 2 });
  });

  test("§2.5 the schemas of input, output and context are enforced", async () => {
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

  test("§2.5 an output that has to hold something and holds nothing is an EmptyChannelError that names the field", async () => {
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

  test("§2.15 §2.16 §2.17 the channels are exported and given to fields", async () => {
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

  test("§2.18 an EphemeralValue refuses two writes in one superstep, unless its guard is off", async () => {
    const flash = (guard: boolean) => {
      const graph = new StateGraph({ flash: field({ channel: new EphemeralValue<number>({ guard }) }) });
      for (const n of [1, 2]) graph.addNode(`n${n}`, () => ({ flash: n })).addEdge(START, `n${n}`);
      return graph.addEdge("n1", END).addEdge("n2", END).compile();
    };
    await expect(flash(true).invoke({})).rejects.toThrow(InvalidUpdateError);
    expect(await flash(false).invoke({})).toEqual({ flash: 2 });
  });
});

describe("building", () => {
  test("§3.11 a path gives a name, a list, sends or END, and gets state and config", async () => {
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

  test("§3.12 a path map translates results, with default for all others; without one a stray result is an error", async () => {
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

  test("§3.18 debug makes debug the mode of streams that name none; name names the graph", async () => {
    const app = ab().compile({ debug: true, name: "letters" });
    expect((await all(app.stream({})))[0]).toMatchObject({ type: "checkpoint" });
    expect(app.name).toBe("letters");
  });
});

describe("running", () => {
  test("§4.7 threadId is a shorthand of configurable.thread_id", async () => {
    const app = ab().compile({ checkpointer: new MemorySaver() });
    await app.invoke({}, { threadId: "short" });
    expect((await app.getState({ configurable: { thread_id: "short" } })).values).toEqual({
      log: ["a", "b"],
    });
  });

  test("§4.11 {} is a fine first input; none at all is an EmptyInputError", async () => {
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

  test("§4.15 a node takes 0, 1 or 2 arguments, and its config carries what it may ask of the run", async () => {
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

  test("§4.27 the jitter of a retry comes from a seed: the same task waits the same", () => {
    const attempts = { max: 3, initialInterval: 500, backoffFactor: 2, maxInterval: 128_000, jitter: true };
    expect(delay(attempts, 1, "r/1/a/1")).toBe(delay(attempts, 1, "r/1/a/1"));
    expect(delay(attempts, 1, "r/1/a/1")).not.toBe(delay(attempts, 1, "r/1/b/1"));
    expect(delay({ ...attempts, jitter: false }, 2, "")).toBe(1000);
  });

  test.each(["sync", "async", "exit"] as const)(
    "§4.6 durability %s is taken by compile and by a call",
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

  test('§4.40 pace "turn" records the order of its commits, so that it is the same when it is read again', async () => {
    const app = ab().compile({ checkpointer: new MemorySaver(), pace: "turn" });
    const thread = newThread();
    await app.invoke({}, thread);
    const read = async () => (await all(app.getStateHistory(thread))).map(({ values }) => values.log);
    expect(await read()).toEqual([["a", "b"], ["a"], []]);
    expect(await read()).toEqual(await read());
  });
});

describe("persistence and people", () => {
  const asking = (count = 1) => {
    const graph = new StateGraph(log());
    for (let n = 0; n < count; n++) {
      graph.addNode(`ask${n}`, () => ({ log: [String(interrupt(`q${n}`))] })).addEdge(START, `ask${n}`);
      graph.addEdge(`ask${n}`, END);
    }
    return graph.compile({ checkpointer: new MemorySaver() });
  };

  test("§5.2 getState has values, next, tasks, interrupts, metadata, config, parentConfig and createdAt", async () => {
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

  test("§5.9 an answer to no question, or to one that is not there, is a TaskNotFound; no state changes", async () => {
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

  test("§5.3 a conditional entry, a command and an edit that send leave no fork in the history", async () => {
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

  test("§5.6 nothing recorded is ever changed: a fork leaves the moments before it as they were", async () => {
    const app = ab().compile({ checkpointer: new MemorySaver() });
    const thread = newThread();
    await app.invoke({}, thread);
    const before = await all(app.getStateHistory(thread));
    await app.updateState(before[1]?.config as RunConfig, { log: ["edit"] });
    expect(await app.invoke(null, thread)).toEqual({ log: ["a", "edit", "b"] });
    for (const moment of before) expect((await app.getState(moment.config)).values).toEqual(moment.values);
  });
});
