/** Promises of sub-graphs: commands to the parent, private state, questions, sends at the entry, streams with paths. */
import {
  Command,
  END,
  field,
  GraphRecursionError,
  InvalidUpdateError,
  interrupt,
  MemorySaver,
  type Message,
  MessageGraph,
  type MessageUpdate,
  REMOVE_ALL,
  reducers,
  removeMessage,
  Send,
  START,
  StateGraph,
  UnknownTargetError,
} from "batonjs";
import { describe, expect, test } from "vitest";
import type { SubGraph } from "../../src/dialects/graph/graph.ts";
import { FaultyJournal } from "../../src/testing/faulty-journal.ts";
import { all, log, newThread, SAVERS } from "./stategraph-kit.ts";

describe("Command({ graph: Command.PARENT })", () => {
  /** A graph around a sub-graph, one node of which returns this. */
  const around = (command: () => unknown, options: object = {}) => {
    const inner = new StateGraph({ ...log(), secret: field<string>() })
      .addNode("leave", () => command() as Command)
      .addNode("never", () => ({ log: ["never"] }))
      .addEdge(START, "leave")
      .addEdge("leave", "never")
      .addEdge("never", END)
      .compile();
    return new StateGraph({ ...log(), note: field<string>() })
      .addNode("sub", inner, { ends: ["other"] })
      .addNode("other", ({ note }) => ({ log: [`other ${note}`] }))
      .addEdge(START, "sub")
      .addEdge("other", END)
      .compile(options);
  };

  test("ends the sub-graph, updates the parent's state and goes to a node of the parent", async () => {
    const app = around(() => new Command({ graph: Command.PARENT, update: { note: "hi" }, goto: "other" }));
    expect(await app.invoke({})).toEqual({ log: ["other hi"], note: "hi" });
  });

  test("may send, and may come beside other commands", async () => {
    const app = around(() => [
      new Command({ update: { log: ["mine"], secret: "s" } }),
      new Command({ graph: Command.PARENT, goto: new Send("other", { note: new Date(0).getTime() }) }),
    ]);
    expect(await app.invoke({ log: ["in"] })).toEqual({ log: ["in", "mine", "other 0"] });
  });

  test("wins over what the sub-graph left in a field that takes one value", async () => {
    const inner = new StateGraph({ note: field<string>() })
      .addNode("first", () => ({ note: "inner" }))
      .addNode("leave", () => new Command({ graph: Command.PARENT, update: { note: "told" } }))
      .addSequence(["first", "leave"])
      .addEdge(START, "first")
      .addEdge("leave", END)
      .compile();
    const app = new StateGraph({ note: field<string>() })
      .addNode("sub", inner)
      .addEdge(START, "sub")
      .addEdge("sub", END)
      .compile();
    expect(await app.invoke({})).toEqual({ note: "told" });
  });

  test("is checked where it arrives: fields and nodes are those of the parent", async () => {
    const field = around(() => new Command({ graph: Command.PARENT, update: { nope: 1 } }));
    await expect(field.invoke({})).rejects.toBeInstanceOf(InvalidUpdateError);
    const node = around(() => new Command({ graph: Command.PARENT, goto: "othr" }));
    await expect(node.invoke({})).rejects.toMatchObject({ cause: expect.any(UnknownTargetError) });
  });

  test("is refused in a graph that has no parent, and from a caller", async () => {
    const command = new Command({ graph: Command.PARENT });
    const app = new StateGraph(log())
      .addNode("a", () => command)
      .addEdge(START, "a")
      .addEdge("a", END)
      .compile();
    await expect(app.invoke({})).rejects.toThrow("not a node of another graph");
    await expect(app.invoke(command as never)).rejects.toThrow("no parent");
  });

  test.each(SAVERS)("survives a stop between the sub-graph and its parent, with %s", async (_name, make) => {
    const checkpointer = make();
    const app = around(
      () => new Command({ graph: Command.PARENT, update: { note: interrupt("?") }, goto: "other" }),
      {
        checkpointer,
      },
    );
    const thread = newThread();
    await app.invoke({}, thread);
    const chunks = await all(
      app.stream(new Command({ resume: "yes" }), { ...thread, streamMode: "updates", subgraphs: true }),
    );
    expect(chunks).toEqual([
      [["1/sub"], { leave: {} }],
      [[], { sub: { note: "yes" } }],
      [[], { other: { log: ["other yes"] } }],
    ]);
  });
});

test.each(["kept", "lost"] as const)(
  "a crash at any append, its write %s, loses no command to the parent",
  async (write) => {
    const inner = new StateGraph(log())
      .addNode("work", () => ({ log: ["work"] }))
      .addNode(
        "leave",
        () => new Command({ graph: Command.PARENT, update: { log: ["told"] }, goto: "other" }),
      )
      .addSequence(["work", "leave"])
      .addEdge(START, "work")
      .addEdge("leave", END)
      .compile();
    const build = (checkpointer: MemorySaver | FaultyJournal) =>
      new StateGraph(log())
        .addNode("sub", inner, { ends: ["other"] })
        .addNode("other", () => ({ log: ["other"] }))
        .addEdge(START, "sub")
        .addEdge("other", END)
        .compile({ checkpointer });
    let crashes = 0;
    for (let append = 1; ; append++) {
      const journal = new MemorySaver();
      const faulty = new FaultyJournal(journal, { append, write });
      const thread = newThread();
      const first = await build(faulty)
        .invoke({}, thread)
        .catch(() => undefined);
      const hasBegun = journal.read(thread.configurable.thread_id as never, 0).length > 0;
      const result = first ?? (await build(journal).invoke(hasBegun ? null : {}, thread));
      expect(result).toEqual({ log: ["work", "told", "other"] });
      if (!faulty.crashed) break;
      crashes++;
    }
    expect(crashes).toBeGreaterThan(4);
  },
);

describe.each(SAVERS)("questions of sub-graphs, with %s", (_name, make) => {
  test("three levels deep, two at once, and each resumes where it stood", async () => {
    const ran: string[] = [];
    const deep = new StateGraph(log())
      .addNode("work", () => {
        ran.push("work");
        return { log: ["work"] };
      })
      .addNode("ask", () => ({ log: [`answer ${interrupt("deep?")}`] }))
      .addSequence(["work", "ask"])
      .addEdge(START, "work")
      .addEdge("ask", END)
      .compile();
    const middle = new StateGraph(log())
      .addNode("deep", deep)
      .addEdge(START, "deep")
      .addEdge("deep", END)
      .compile();
    const app = new StateGraph(log())
      .addNode("one", middle)
      .addNode("two", middle)
      .addEdge(START, "one")
      .addEdge(START, "two")
      .addEdge("one", END)
      .addEdge("two", END)
      .compile({ checkpointer: make() });
    const thread = newThread();
    const asked = await app.invoke({}, thread);
    const [one, two] = asked.__interrupt__?.map(({ id }) => id) ?? [];
    const half = await app.invoke(new Command({ resume: { [two as string]: 2 } }), thread);
    expect(half.__interrupt__?.map(({ id }) => id)).toEqual([one]);
    expect(await app.invoke(new Command({ resume: 1 }), thread)).toEqual({
      log: ["work", "answer 1", "work", "answer 2"],
    });
    expect(ran).toEqual(["work", "work"]);
  });

  test("sent to several times in one step, each has a state and a question of its own", async () => {
    const inner = new StateGraph({ topic: field<string>(), ...log() })
      .addNode("ask", ({ topic }) => ({ log: [`${topic}: ${interrupt(topic)}`] }))
      .addEdge(START, "ask")
      .addEdge("ask", END)
      .compile();
    const app = new StateGraph(log())
      .addNode("sub", inner)
      .setConditionalEntryPoint(() => ["x", "y"].map((topic) => new Send("sub", { topic })))
      .setFinishPoint("sub")
      .compile({ checkpointer: make() });
    const thread = newThread();
    const asked = await app.invoke({}, thread);
    expect(asked.__interrupt__?.map(({ value }) => value)).toEqual(["x", "y"]);
    const resume = Object.fromEntries(asked.__interrupt__?.map(({ id, value }) => [id, `${value}!`]) ?? []);
    expect(await app.invoke(new Command({ resume }), thread)).toEqual({ log: ["x: x!", "y: y!"] });
  });
});

test.each(SAVERS)(
  "what a sub-graph adds is what it added to what it was given, though the state was edited meanwhile, with %s",
  async (_name, make) => {
    const fields = {
      ...log(),
      sum: field<number>({ reducer: reducers.add, default: 1 }),
      last: field<string>(),
    };
    const inner = new StateGraph(fields)
      .addNode("ask", () => ({ log: [interrupt<string>("?")], sum: 2 }))
      .addEdge(START, "ask")
      .addEdge("ask", END)
      .compile();
    const app = new StateGraph(fields)
      .addNode("before", () => ({ log: ["before"], last: "old" }))
      .addNode("sub", inner)
      .addSequence(["before", "sub"])
      .addEdge(START, "before")
      .addEdge("sub", END)
      .compile({ checkpointer: make() });
    const thread = newThread();
    await app.invoke({}, thread);
    await app.updateState(thread, { log: ["edit"], sum: 10, last: "new" });
    expect(await app.invoke(new Command({ resume: "answer" }), thread)).toEqual({
      log: ["before", "edit", "answer"],
      sum: 13,
      last: "new",
    });
  },
);

test("a node that is a graph is tried again as its retry policy says, and goes on where it stood", async () => {
  const ran: string[] = [];
  const inner = new StateGraph(log())
    .addNode("work", () => void ran.push("work") as undefined)
    .addNode("flaky", () => {
      ran.push("flaky");
      if (ran.length < 4) throw new TypeError("busy");
      return { log: ["done"] };
    })
    .addSequence(["work", "flaky"])
    .addEdge(START, "work")
    .addEdge("flaky", END)
    .compile();
  const app = (retryOn: (abstract new () => Error)[]) =>
    new StateGraph(log())
      .addNode("sub", inner, { retryPolicy: { initialInterval: 1, retryOn } })
      .addEdge(START, "sub")
      .addEdge("sub", END)
      .compile({ checkpointer: new MemorySaver() });
  await expect(app([RangeError]).invoke({}, newThread())).rejects.toThrow("busy");
  expect(ran.splice(0)).toEqual(["work", "flaky"]);
  expect(await app([TypeError]).invoke({}, newThread())).toEqual({ log: ["done"] });
  expect(ran).toEqual(["work", "flaky", "flaky", "flaky"]);
});

test("the conditional entry of a sub-graph may send", async () => {
  const inner = new StateGraph(log())
    .addNode("work", ({ n }: { n: number }) => ({ log: [String(n)] }))
    .setConditionalEntryPoint(() => [new Send("work", { n: 1 }), new Send("work", { n: 2 })])
    .setFinishPoint("work")
    .compile();
  const app = new StateGraph(log()).addNode("sub", inner).addEdge(START, "sub").addEdge("sub", END).compile();
  expect(await app.invoke({})).toEqual({ log: ["1", "2"] });
});

test("fields that only the sub-graph has are its own, and begin anew each time it runs", async () => {
  const seen: unknown[] = [];
  const inner = new StateGraph({ ...log(), own: field<number>({ default: 0 }) })
    .addNode("count", ({ own }) => {
      seen.push(own);
      return { own: own + 1, log: ["x"] };
    })
    .addEdge(START, "count")
    .addEdge("count", END)
    .compile();
  const app = new StateGraph(log())
    .addNode("sub", inner)
    .addEdge(START, "sub")
    .addConditionalEdges("sub", ({ log: list }) => (list.length < 2 ? "sub" : END))
    .compile();
  expect(await app.invoke({})).toEqual({ log: ["x", "x"] });
  expect(seen).toEqual([0, 0]);
});

describe("messages of sub-graphs", () => {
  const inner = new MessageGraph()
    .addNode("whole", () => ({ messages: { role: "ai", content: "whole" } as Message }))
    .addNode("pieces", (_state, { messageWriter }) => {
      messageWriter("pie");
      return { messages: { role: "ai", content: "pie" } as Message };
    })
    .addSequence(["whole", "pieces"])
    .setEntryPoint("whole")
    .setFinishPoint("pieces")
    .compile();
  const app = new MessageGraph().addNode("sub", inner).addEdge(START, "sub").addEdge("sub", END).compile();

  test("are shown once each, with their path, when sub-graphs are asked for", async () => {
    expect(await all(app.stream({}, { streamMode: "messages", subgraphs: true }))).toEqual([
      [
        ["1/sub"],
        [
          { role: "ai", content: "whole" },
          { node: "whole", task: "1/whole" },
        ],
      ],
      [["1/sub"], ["pie", { node: "pieces", task: "2/pieces" }]],
    ]);
  });

  test("are shown once each as those of the node otherwise", async () => {
    const chunks = (await all(app.stream({}, { streamMode: "messages" }))) as [Message, unknown][];
    expect(chunks.map(([message]) => message.content)).toEqual(["whole", "pie"]);
  });
});

describe("§4.43 the recursion limit of a call", () => {
  const counting = (upTo: number, action: (state: { n: number }) => object = () => ({})) =>
    new StateGraph({ n: field<number>({ default: 0 }) })
      .addNode("count", (state) => ({ ...action(state), n: state.n + 1 }))
      .addEdge(START, "count")
      .addConditionalEdges("count", ({ n }) => (n < upTo ? "count" : END))
      .compile();
  const around = (sub: ReturnType<typeof counting>) =>
    new StateGraph({ n: field<number>({ default: 0 }) })
      .addNode("sub", sub)
      .addEdge(START, "sub")
      .addEdge("sub", END);

  test("holds in sub-graphs of any depth, and a higher one goes on there", async () => {
    const app = around(around(counting(30)).compile()).compile({ checkpointer: new MemorySaver() });
    const thread = newThread();
    await expect(app.invoke({}, thread)).rejects.toThrow(GraphRecursionError);
    expect(await app.invoke(null, { ...thread, recursionLimit: 10 })).toEqual({ n: 30 });
    expect(await app.invoke({ n: 0 }, { ...newThread(), recursionLimit: 30 })).toEqual({ n: 30 });
  });

  test("is for each call anew in a sub-graph that waits for people", async () => {
    const app = around(counting(6, () => ({ ...interrupt<object>("?") }))).compile({
      checkpointer: new MemorySaver(),
    });
    const config = { ...newThread(), recursionLimit: 2 };
    await app.invoke({}, config);
    let result: unknown;
    for (let answered = 0; answered < 6; answered++) {
      result = await app.invoke(new Command({ resume: {} }), config);
    }
    expect(result).toEqual({ n: 6 });
  });
});

test.each<[what: string, update: MessageUpdate, told: string]>([
  ["removes", [removeMessage("1")], "a a y"],
  ["replaces", [{ id: "2", content: "Y" }], "a x a Y"],
  ["does it all", [{ id: "2", content: "Y" }, removeMessage("1"), { content: "a" }], "a a Y a"],
  ["takes all away", [removeMessage(REMOVE_ALL), { content: "a" }], "a"],
  ["adds", "new", "a x a y new"],
])("messages: what a sub-graph %s comes out, and nothing twice", async (_what, messages, told) => {
  const around = (name: string, action: SubGraph | (() => object)) =>
    new MessageGraph()
      .addNode("n", action as () => object)
      .addEdge(START, "n")
      .addEdge("n", END)
      .compile({ name });
  const app = around(
    "outer",
    around("inner", () => ({ messages })),
  );
  const said = await app.invoke({
    messages: [{ content: "a" }, { id: "1", content: "x" }, { content: "a" }, { id: "2", content: "y" }],
  });
  expect(said.messages.map(({ content }) => content).join(" ")).toBe(told);
});
