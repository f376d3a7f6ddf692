/** Promises of the state: its fields, reducers and channels, and the values that it holds. */

import { type } from "arktype";
import {
  BinaryOperatorAggregate,
  EphemeralValue,
  field,
  InvalidUpdateError,
  type Message,
  MessageGraph,
  Overwrite,
  REMOVE_ALL,
  reducers,
  removeMessage,
  Schema,
  START,
  StateGraph,
  Topic,
} from "batonjs";
import * as v from "valibot";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { newThread, SAVERS } from "./stategraph-kit.ts";

/** A graph of one node that returns this. */
const returning = (value: unknown) =>
  new StateGraph({ value: field<unknown>() })
    .addNode("only", () => ({ value }))
    .addEdge(START, "only")
    .setFinishPoint("only")
    .compile();

describe("fields", () => {
  test("§2.6 without a reducer the latest write across steps wins", async () => {
    const app = new StateGraph({ status: {} })
      .addNode("a", () => ({ status: "first" }))
      .addNode("b", () => ({ status: "second" }))
      .addSequence(["a", "b"])
      .setEntryPoint("a")
      .setFinishPoint("b")
      .compile();
    expect(await app.invoke({})).toEqual({ status: "second" });
  });

  test("§2.7 two writes to a last value in one superstep throw an InvalidUpdateError that names the field and the nodes", async () => {
    const app = new StateGraph({ status: field<string>() })
      .addNode("left", () => ({ status: "l" }))
      .addNode("right", () => ({ status: "r" }))
      .addEdge(START, "left")
      .addEdge(START, "right")
      .setFinishPoint("left")
      .setFinishPoint("right")
      .compile();
    const failing = app.invoke({});
    await expect(failing).rejects.toBeInstanceOf(InvalidUpdateError);
    await expect(failing).rejects.toThrow(/status.*left.*right/);
  });

  test("§2.8 §4.8 a reducer folds updates in the order in which the nodes were added, whoever ends first", async () => {
    const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
    const app = new StateGraph({ log: field<string[]>({ reducer: reducers.append, default: [] }) })
      .addNode("slow", async () => wait(20).then(() => ({ log: ["slow"] })))
      .addNode("fast", () => ({ log: ["fast"] }))
      .addEdge(START, "fast")
      .addEdge(START, "slow")
      .setFinishPoint("fast")
      .setFinishPoint("slow")
      .compile();
    expect(await app.invoke({ log: ["input"] })).toEqual({ log: ["input", "slow", "fast"] });
  });

  test("§2.9 §2.10 a default is a value, the same for each run, or a function that is called for each run", async () => {
    let made = 0;
    const app = new StateGraph({
      list: field<number[]>({ default: [1] }),
      id: field<number>({ default: () => ++made }),
    })
      .addNode("only", () => null)
      .addEdge(START, "only")
      .setFinishPoint("only")
      .compile();
    const first = await app.invoke({});
    (first.list as number[]).push(2);
    expect(await app.invoke({})).toEqual({ list: [1], id: 2 });
    expect(await app.invoke({ id: 7 })).toEqual({ list: [1], id: 7 });
  });

  test("without a default the first write of a reducer field is its value", async () => {
    const app = new StateGraph({ sum: field<number>({ reducer: (a, b) => a + b }) })
      .addNode("add", () => ({ sum: 2 }))
      .addEdge(START, "add")
      .setFinishPoint("add")
      .compile();
    expect(await app.invoke({})).toEqual({ sum: 2 });
    expect(await app.invoke({ sum: 40 })).toEqual({ sum: 42 });
  });

  test("§2.22 an unknown key throws an InvalidUpdateError with a did-you-mean", async () => {
    const app = new StateGraph({ status: field<string>() })
      .addNode("typo", () => ({ statsu: "x" }) as never)
      .addEdge(START, "typo")
      .setFinishPoint("typo")
      .compile();
    await expect(app.invoke({})).rejects.toBeInstanceOf(InvalidUpdateError);
    await expect(app.invoke({})).rejects.toThrow('Did you mean "status"?');
    await expect(app.invoke({ stat: 1 } as never)).rejects.toThrow(InvalidUpdateError);
  });

  test("§2.23 undefined and {} mean no update, and so does null", async () => {
    const app = new StateGraph({ kept: field<string>() })
      .addNode("a", () => undefined)
      .addNode("b", () => ({}))
      .addNode("c", () => null)
      .addSequence(["a", "b", "c"])
      .setEntryPoint("a")
      .setFinishPoint("c")
      .compile();
    expect(await app.invoke({ kept: "yes" })).toEqual({ kept: "yes" });
    expect(await app.invoke({})).toEqual({});
  });

  test("§2.4 fields may be a Schema, and a field may have a channel", async () => {
    const schema = new Schema()
      .field("count", { reducer: (a: number, b: number) => a + b, default: 0 })
      .field("total", { channel: new BinaryOperatorAggregate((a: number, b: number) => a * b, 1) });
    const app = new StateGraph(schema)
      .addNode("a", () => ({ count: 2, total: 3 }))
      .addNode("b", ({ count }) => ({ count, total: 5 }))
      .addSequence(["a", "b"])
      .setEntryPoint("a")
      .setFinishPoint("b")
      .compile();
    expect(await app.invoke({})).toEqual({ count: 4, total: 15 });
  });

  test.each([
    ["zod", z.object({ name: z.string(), tries: z.number().default(0) })],
    ["valibot", v.object({ name: v.string(), tries: v.optional(v.number(), 0) })],
    ["arktype", type({ name: "string", tries: "number = 0" })],
  ])(
    "§2.2 the state may be an object schema of %s, whose keys are validated on input",
    async (_name, schema) => {
      const app = new StateGraph(schema as never)
        .addNode("shout", ({ name }: { name: string }) => ({ name: name.toUpperCase() }) as never)
        .addEdge(START, "shout")
        .setFinishPoint("shout")
        .compile();
      expect(await app.invoke({ name: "ada" } as never)).toMatchObject({ name: "ADA" });
      await expect(app.invoke({ name: 3 } as never)).rejects.toThrow(InvalidUpdateError);
    },
  );

  test("§2.3 a field may mix a schema and a reducer", async () => {
    const app = new StateGraph({
      tags: field({ schema: z.array(z.string()), reducer: reducers.append, default: [] }),
    })
      .addNode("tag", () => ({ tags: ["node"] }))
      .addEdge(START, "tag")
      .setFinishPoint("tag")
      .compile();
    expect(await app.invoke({ tags: ["in"] })).toEqual({ tags: ["in", "node"] });
    await expect(app.invoke({ tags: [1] } as never)).rejects.toThrow(/tags/);
  });

  test("§2.5 input and output are narrower than the state when they are declared", async () => {
    const app = new StateGraph(
      { question: field<string>(), notes: field<string>(), answer: field<string>() },
      { input: { question: {} }, output: { answer: {} } },
    )
      .addNode("think", ({ question }) => ({ notes: `on ${question}`, answer: "42" }))
      .addEdge(START, "think")
      .setFinishPoint("think")
      .compile();
    expect(await app.invoke({ question: "?" })).toEqual({ answer: "42" });
    await expect(app.invoke({ notes: "no" })).rejects.toThrow(InvalidUpdateError);
  });
});

describe("reducers", () => {
  const folding = (reducer: never, first: unknown, ...writes: unknown[]) => {
    const graph = new StateGraph({ x: field<unknown, unknown>({ reducer, default: first }) });
    writes.forEach((write, index) => {
      graph.addNode(`n${index}`, () => ({ x: write })).addEdge(START, `n${index}`);
      graph.setFinishPoint(`n${index}`);
    });
    return graph.compile().invoke({});
  };

  test.each([
    ["add", 1, [2, 3], 6],
    ["add", "a", ["b", "c"], "abc"],
    ["add", [1], [[2], [3]], [1, 2, 3]],
    ["append", [1], [2, [3, 4]], [1, 2, 3, 4]],
    ["merge", { a: 1, b: 1 }, [{ b: 2 }, { c: 3 }], { a: 1, b: 2, c: 3 }],
    ["replace", 1, [2, 3], 3],
  ] as const)("§2.11 §2.12 %s folds", async (name, first, writes, result) => {
    expect(await folding(reducers[name] as never, first, ...writes)).toEqual({ x: result });
  });

  test("BigInt values add", async () => {
    expect(await folding(reducers.add as never, 1n, 2n)).toEqual({ x: 3n });
  });

  test("Overwrite takes the place of a value, past the reducer", async () => {
    expect(await folding(reducers.append as never, [1, 2], new Overwrite([9]))).toEqual({ x: [9] });
  });

  test("§2.13 §2.14 messages with a known id are replaced in place, others appended, and removal removes", async () => {
    const updates: unknown[] = [
      [
        { id: "1", role: "user", content: "hi" },
        { id: "2", role: "ai", content: "hey" },
      ],
      { id: "1", role: "user", content: "hello" },
      removeMessage("2"),
      "plain text",
      [removeMessage("1"), { id: "3", content: "last" }],
    ];
    let step = 0;
    const chunks: unknown[] = [];
    const compiled = new MessageGraph({ seen: field<number>() })
      .addNode("say", ({ messages }) => ({ messages: updates[step++] as Message, seen: messages.length }))
      .addEdge(START, "say")
      .addConditionalEdges("say", () => (step < updates.length ? "say" : "__end__"))
      .compile();
    for await (const chunk of compiled.stream({})) chunks.push(chunk.messages);
    expect(chunks.slice(1).map((list) => (list as Message[]).map(({ content }) => content))).toEqual([
      ["hi", "hey"],
      ["hello", "hey"],
      ["hello"],
      ["hello", "plain text"],
      ["plain text", "last"],
    ]);
    expect(reducers.messages([{ id: "1" }], { type: "remove", id: REMOVE_ALL })).toEqual([]);
  });
});

describe("channels", () => {
  test("§2.18 an EphemeralValue is gone after one step", async () => {
    const seen: unknown[] = [];
    const app = new StateGraph({ flash: field<string>({ channel: new EphemeralValue<string>() }) })
      .addNode("a", () => ({ flash: "now" }))
      .addNode("b", ({ flash }) => void seen.push(flash) as undefined)
      .addNode("c", ({ flash }) => void seen.push(flash) as undefined)
      .addSequence(["a", "b", "c"])
      .setEntryPoint("a")
      .setFinishPoint("c")
      .compile();
    await app.invoke({});
    expect(seen).toEqual(["now", undefined]);
  });

  test("§2.19 a Topic collects the writes of one step, or of all with accumulate, once each with unique", async () => {
    const app = new StateGraph({
      now: new Topic<number>(),
      all: new Topic<number>({ accumulate: true }),
      once: new Topic<number>({ accumulate: true, unique: true }),
    })
      .addNode("a", () => ({ now: 1, all: 1, once: 1 }))
      .addNode("b", ({ now }) => ({ now: [2, ...now], all: [1, 2], once: [1, 2] }))
      .addSequence(["a", "b"])
      .setEntryPoint("a")
      .setFinishPoint("b")
      .compile();
    expect(await app.invoke({})).toEqual({ now: [2, 1], all: [1, 1, 2], once: [1, 2] });
  });
});

describe("values", () => {
  const url = new URL("https://example.org/a?b=c");
  const cause = new RangeError("too far");
  const values: [name: string, value: unknown][] = [
    ["undefined", { inside: undefined, list: [undefined] }],
    ["Date", new Date("2020-02-30T00:00:00Z")],
    ["an invalid Date", new Date(Number.NaN)],
    [
      "Map",
      new Map<unknown, unknown>([
        ["a", 1],
        [new Date(0), new Set([1n])],
      ]),
    ],
    ["Set", new Set(["x", { y: 1 }])],
    ["BigInt", 2n ** 80n],
    ["Uint8Array", Uint8Array.from([0, 1, 2, 253, 254, 255, 7])],
    ["NaN", [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, -0]],
    ["URL", url],
    ["Error", Object.assign(new TypeError("no", { cause }), { code: "E_NO" })],
    ["an object with the key that marks built-ins", { $: "Date", v: "2020", nested: [{ $: 1 }] }],
    ["an own key __proto__", JSON.parse('{"__proto__": {"a": 1}}')],
  ];

  test.each(values)("§2.20 %s comes back exactly", async (_name, value) => {
    const result = await returning(value).invoke({});
    expect(result.value).toStrictEqual(value);
  });

  describe.each(SAVERS)("kept by %s", (_saver, make) => {
    test.each(values)("§2.20 %s comes back exactly", async (_name, value) => {
      const thread = newThread();
      const app = new StateGraph({ value: field<unknown>() })
        .addNode("only", () => ({ value }))
        .addEdge(START, "only")
        .setFinishPoint("only")
        .compile({ checkpointer: make() });
      await app.invoke({}, thread);
      expect((await app.getState(thread)).values.value).toStrictEqual(value);
    });
  });

  const cycle: Record<string, unknown> = {};
  cycle["self"] = { again: cycle };
  class Account {
    owner = "ada";
  }
  test.each([
    ["a function", { list: [1, () => 1] }, /value.*\.list\[1\].*function/],
    ["a class instance", { deep: { account: new Account() } }, /\.deep\.account.*Account/],
    ["a symbol", Symbol("s"), /symbol/],
    ["a cycle", cycle, /\.self\.again.*back to itself/],
    ["a promise", Promise.resolve(1), /Promise/],
  ])(
    "§2.21 %s throws an InvalidUpdateError with its path when it is written",
    async (_name, value, message) => {
      const failing = returning(value).invoke({});
      await expect(failing).rejects.toBeInstanceOf(InvalidUpdateError);
      await expect(failing).rejects.toThrow(message);
    },
  );

  test("changing what was written, or what was read, never changes the run", async () => {
    const mine = { list: [1], when: new Date(0) };
    const app = new StateGraph({ data: field<typeof mine>(), seen: field<unknown>() })
      .addNode("write", () => ({ data: mine }))
      .addNode("spoil", ({ data }) => {
        mine.list.push(2);
        data.when.setFullYear(1999);
        expect(() => data.list.push(3)).toThrow(TypeError);
        return undefined;
      })
      .addNode("look", ({ data }) => ({ seen: data }))
      .addSequence(["write", "spoil", "look"])
      .setEntryPoint("write")
      .setFinishPoint("look")
      .compile();
    expect((await app.invoke({})).seen).toEqual({ list: [1], when: new Date(0) });
  });
});
