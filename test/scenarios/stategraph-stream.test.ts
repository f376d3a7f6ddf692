/** Promises of streams. */
import {
  Command,
  END,
  interrupt,
  MemorySaver,
  type Message,
  MessageGraph,
  type RunConfig,
  START,
  StateGraph,
} from "batonjs";
import { describe, expect, test } from "vitest";
import { log, newThread } from "./stategraph-kit.ts";

const build = (ran: string[] = []) =>
  new StateGraph(log())
    .addNode("a", () => {
      ran.push("a");
      return { log: ["a"] };
    })
    .addNode("b", (_state, { writer }) => {
      ran.push("b");
      writer({ progress: 1 });
      return null;
    })
    .addSequence(["a", "b"])
    .setEntryPoint("a")
    .setFinishPoint("b");

async function read(config: RunConfig, app = build().compile()): Promise<unknown[]> {
  const chunks: unknown[] = [];
  for await (const chunk of app.stream({ log: ["in"] }, config)) chunks.push(chunk);
  return chunks;
}

describe("modes", () => {
  test("§4.28 values, the default: the state after the input was applied, then after each superstep", async () => {
    expect(await read({})).toEqual([{ log: ["in"] }, { log: ["in", "a"] }, { log: ["in", "a"] }]);
  });

  test("§4.29 updates: what each node returned", async () => {
    expect(await read({ streamMode: "updates" })).toEqual([{ a: { log: ["a"] } }, { b: null }]);
  });

  test("§4.33 custom: what nodes write, while they run", async () => {
    expect(await read({ streamMode: "custom" })).toEqual([{ progress: 1 }]);
  });

  test("§4.31 tasks: each task as it starts and as it ends", async () => {
    expect(await read({ streamMode: "tasks" })).toMatchObject([
      { id: "1/a", name: "a", input: { log: ["in"] } },
      { id: "1/a", name: "a", result: { log: ["a"] } },
      { id: "2/b", name: "b" },
      { id: "2/b", name: "b", result: {} },
    ]);
  });

  test("§4.32 checkpoints: each moment as getState tells it", async () => {
    const app = build().compile({ checkpointer: new MemorySaver() });
    const thread = newThread();
    const chunks = await read({ ...thread, streamMode: "checkpoints" }, app);
    expect(chunks).toMatchObject([
      { metadata: { source: "input", step: 0 } },
      { metadata: { source: "loop", step: 1 } },
      { metadata: { source: "loop", step: 2 }, next: [] },
    ]);
    expect(chunks.at(-1)).toEqual(await app.getState(thread));
  });

  test("§4.30 debug: tasks and checkpoints with their step and time", async () => {
    const chunks = (await read({ streamMode: "debug" })) as { type: string }[];
    expect(chunks.filter(({ type }) => type === "checkpoint")).toHaveLength(3);
    expect(chunks.filter(({ type }) => type === "task_result")).toHaveLength(2);
  });

  test("§4.34 messages: pieces as they come, or the message when there were none, with where it comes from", async () => {
    const app = new MessageGraph()
      .addNode("whole", () => ({ messages: { role: "ai", content: "whole" } as Message }))
      .addNode("pieces", (_state, { messageWriter }) => {
        messageWriter("pie");
        messageWriter("ces");
        return { messages: "pieces" };
      })
      .addSequence(["whole", "pieces"])
      .setEntryPoint("whole")
      .setFinishPoint("pieces")
      .compile();
    const chunks: unknown[] = [];
    for await (const chunk of app.stream({}, { streamMode: "messages" })) chunks.push(chunk);
    expect(chunks).toEqual([
      [
        { role: "ai", content: "whole" },
        { node: "whole", task: "1/whole" },
      ],
      ["pie", { node: "pieces", task: "2/pieces" }],
      ["ces", { node: "pieces", task: "2/pieces" }],
    ]);
  });

  test("§4.35 a list gives [mode, chunk]", async () => {
    expect(await read({ streamMode: ["updates", "custom"] })).toEqual([
      ["updates", { a: { log: ["a"] } }],
      ["custom", { progress: 1 }],
      ["updates", { b: null }],
    ]);
  });

  test("§4.36 subgraphs: true puts the path first", async () => {
    const inner = build().compile();
    const app = new StateGraph(log())
      .addNode("sub", inner)
      .addEdge(START, "sub")
      .addEdge("sub", END)
      .compile();
    const chunks: unknown[] = [];
    for await (const chunk of app.stream({}, { streamMode: ["updates", "custom"], subgraphs: true }))
      chunks.push(chunk);
    expect(chunks).toEqual([
      [["1/sub"], "updates", { a: { log: ["a"] } }],
      [["1/sub"], "custom", { progress: 1 }],
      [["1/sub"], "updates", { b: null }],
      [[], "updates", { sub: { log: ["a"] } }],
    ]);
  });
});

describe("the reader", () => {
  test("sets the pace: no superstep is opened before the last one was read", async () => {
    const ran: string[] = [];
    const app = build(ran).compile();
    const stream = app.stream({});
    await stream.next();
    await new Promise((resolve) => setTimeout(resolve, 10));
    expect(ran).toEqual([]);
    await stream.next();
    await new Promise((resolve) => setTimeout(resolve, 10));
    expect(ran).toEqual(["a"]);
    await stream.return();
  });

  test.each(["step", "turn"] as const)(
    "§4.37 that leaves stops a run at pace %s cleanly, and invoke(null) goes on",
    async (pace) => {
      const ran: string[] = [];
      const app = build(ran).compile({ checkpointer: new MemorySaver(), pace });
      const thread = newThread();
      for await (const chunk of app.stream({}, { ...thread, streamMode: "updates" })) {
        expect(chunk).toEqual({ a: { log: ["a"] } });
        break;
      }
      if (pace === "step")
        expect(await app.getState(thread)).toMatchObject({ values: { log: ["a"] }, next: ["b"] });
      expect(await app.invoke(null, thread)).toEqual({ log: ["a"] });
      expect(ran).toEqual(["a", "b"]);
    },
  );

  test("meets errors after what came before them", async () => {
    const app = new StateGraph(log())
      .addNode("a", () => ({ log: ["a"] }))
      .addNode("bad", () => {
        throw new Error("boom");
      })
      .addSequence(["a", "bad"])
      .setEntryPoint("a")
      .setFinishPoint("bad")
      .compile();
    const chunks: unknown[] = [];
    const reading = async () => {
      for await (const chunk of app.stream({}, { streamMode: "updates" })) chunks.push(chunk);
    };
    await expect(reading()).rejects.toThrow("boom");
    expect(chunks).toEqual([{ a: { log: ["a"] } }]);
  });

  test("sees open questions last, and what is resumed once", async () => {
    const app = new StateGraph(log())
      .addNode("a", () => ({ log: ["a"] }))
      .addNode("ask", () => ({ log: [String(interrupt("?"))] }))
      .addSequence(["a", "ask"])
      .setEntryPoint("a")
      .setFinishPoint("ask")
      .compile({ checkpointer: new MemorySaver() });
    const thread = { ...newThread(), streamMode: ["values", "updates"] as const };
    const first: unknown[] = [];
    for await (const chunk of app.stream({}, thread)) first.push(chunk);
    const __interrupt__ = [{ id: "2/ask:0", value: "?" }];
    expect(first.slice(-2)).toEqual([
      ["updates", { __interrupt__ }],
      ["values", { log: ["a"], __interrupt__ }],
    ]);
    const second: unknown[] = [];
    for await (const chunk of app.stream(new Command({ resume: "!" }), thread)) second.push(chunk);
    expect(second).toEqual([
      ["updates", { ask: { log: ["!"] } }],
      ["values", { log: ["a", "!"] }],
    ]);
  });

  test("§4.44 a pause that asks nothing ends the updates, and shows no values twice", async () => {
    const app = new StateGraph(log())
      .addNode("a", () => ({ log: ["a"] }))
      .addNode("b", () => ({ log: ["b"] }))
      .addSequence(["a", "b"])
      .setEntryPoint("a")
      .setFinishPoint("b")
      .compile({ checkpointer: new MemorySaver(), interruptBefore: ["b"] });
    const chunks: unknown[] = [];
    for await (const chunk of app.stream({}, { ...newThread(), streamMode: ["values", "updates"] }))
      chunks.push(chunk);
    expect(chunks).toEqual([
      ["values", { log: [] }],
      ["updates", { a: { log: ["a"] } }],
      ["values", { log: ["a"] }],
      ["updates", { __interrupt__: [] }],
    ]);
  });
});
