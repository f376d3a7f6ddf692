/** Promises of edits: the state of a thread changed from outside, in the name of nodes. */
import { Command, END, field, InvalidUpdateError, interrupt, START, StateGraph } from "batonjs";
import { describe, expect, test } from "vitest";
import { chain, log, newThread, SAVERS, say } from "./stategraph-kit.ts";

describe.each(SAVERS)("with %s", (_saver, make) => {
  const sequence = (options = {}) => chain("a", "b", "c").compile({ checkpointer: make(), ...options });

  describe("updateState", () => {
    test("§5.4 goes through the reducers, in the name of the node that ran last", async () => {
      const app = sequence({ interruptBefore: ["b"] });
      const thread = newThread();
      await app.invoke({}, thread);
      const config = await app.updateState(thread, { log: ["edited"] });
      expect(await app.getState(config)).toMatchObject({
        values: { log: ["a", "edited"] },
        next: ["b"],
        metadata: { source: "update" },
      });
      expect(await app.invoke(null, thread)).toEqual({ log: ["a", "edited", "b", "c"] });
    });

    test("§5.4 with asNode, what comes after that node runs next, and nothing else", async () => {
      const app = sequence({ interruptBefore: ["b"] });
      const thread = newThread();
      await app.invoke({}, thread);
      await app.updateState(thread, { log: ["instead of b"] }, "b");
      expect((await app.getState(thread)).next).toEqual(["c"]);
      expect(await app.invoke(null, thread)).toEqual({ log: ["a", "instead of b", "c"] });
    });

    test("an ended run goes on when an edit gives it more to do", async () => {
      const app = sequence();
      const thread = newThread();
      await app.invoke({}, thread);
      await app.updateState(thread, { log: ["again"] }, "b");
      expect(await app.invoke(null, thread)).toEqual({ log: ["a", "b", "c", "again", "c"] });
    });

    test("an edit of a paused state keeps its open question", async () => {
      const app = new StateGraph(log())
        .addNode("a", say("a"))
        .addNode("ask", ({ log: seen }) => ({ log: [`${seen.at(-1)} ${interrupt("?")}`] }))
        .addEdge(START, "a")
        .addEdge("a", "ask")
        .addEdge("ask", END)
        .compile({ checkpointer: make() });
      const thread = newThread();
      await app.invoke({}, thread);
      await app.updateState(thread, { log: ["edit"] });
      expect(await app.invoke(new Command({ resume: "ok" }), thread)).toEqual({
        log: ["a", "edit", "edit ok"],
      });
    });

    test("several nodes that ran last have to be told apart", async () => {
      const app = new StateGraph(log())
        .addNode("l", say("l"))
        .addNode("r", say("r"))
        .addEdge(START, "l")
        .addEdge(START, "r")
        .addEdge("l", END)
        .addEdge("r", END)
        .compile({ checkpointer: make() });
      const thread = newThread();
      await app.invoke({}, thread);
      await expect(app.updateState(thread, { log: ["?"] })).rejects.toThrow(/l and r.*asNode/);
      await expect(app.updateState(thread, { lgo: [] } as never, "l")).rejects.toBeInstanceOf(
        InvalidUpdateError,
      );
      await expect(app.updateState(thread, {}, "m")).rejects.toThrow("no node m");
    });

    test("begins a thread, as its input or as a node", async () => {
      const app = sequence();
      const [one, two] = [newThread(), newThread()];
      await app.updateState(one, { log: ["in"] });
      expect(await app.invoke(null, one)).toEqual({ log: ["in", "a", "b", "c"] });
      await app.updateState(two, { log: ["as b"] }, "b");
      expect(await app.invoke(null, two)).toEqual({ log: ["as b", "c"] });
    });
  });

  describe("bulkUpdateState", () => {
    const updates = [
      { values: { log: ["as a"] }, asNode: "a" },
      { values: { log: ["as b"] }, asNode: "b" },
    ];

    test("peer.27 takes several updates as those of one superstep: what comes after any of their nodes runs next", async () => {
      const app = sequence();
      const thread = newThread();
      const config = await app.bulkUpdateState(thread, [{ updates }]);
      expect(await app.getState(config)).toMatchObject({
        values: { log: ["as a", "as b"] },
        next: ["b", "c"],
      });
      expect(await app.invoke(null, thread)).toEqual({ log: ["as a", "as b", "b", "c", "c"] });
    });

    test("peer.27 takes several supersteps, one after the other, with the input as START", async () => {
      const app = sequence();
      const thread = newThread();
      await app.bulkUpdateState(thread, [
        { updates: [{ values: { log: ["in"] }, asNode: START }] },
        { updates: [{ values: { log: ["as a"] }, asNode: "a" }] },
        { updates: [{ values: { log: ["as b"] }, asNode: "b" }] },
      ]);
      expect((await app.getState(thread)).next).toEqual(["c"]);
      expect(await app.invoke(null, thread)).toEqual({ log: ["in", "as a", "as b", "c"] });
    });

    test("joins: updates as all sources of a waiting edge let it fire", async () => {
      const graph = new StateGraph(log())
        .addNode("l", say("l"))
        .addNode("r", say("r"))
        .addNode("join", say("join"));
      graph.addEdge(START, "l").addEdge(START, "r").addEdge(["l", "r"], "join").addEdge("join", END);
      const app = graph.compile({ checkpointer: make() });
      const thread = newThread();
      await app.bulkUpdateState(thread, [
        {
          updates: [
            { values: null, asNode: "l" },
            { values: null, asNode: "r" },
          ],
        },
      ]);
      expect(await app.invoke(null, thread)).toEqual({ log: ["join"] });
    });

    test("is all or nothing, and refuses what no superstep could do", async () => {
      const app = new StateGraph({ ...log(), one: field<number>() })
        .addNode("a", say("a"))
        .addNode("b", say("b"))
        .addSequence(["a", "b"])
        .addEdge(START, "a")
        .addEdge("b", END)
        .compile({ checkpointer: make() });
      const thread = newThread();
      await app.invoke({}, thread);
      const before = await app.getState(thread);
      const both = ["a", "b"].map((asNode, one) => ({ values: { one }, asNode }));
      await expect(app.bulkUpdateState(thread, [{ updates: both }])).rejects.toThrow(
        /one takes one value.*a and b/,
      );
      const bad = [
        { values: { log: ["x"] }, asNode: "a" },
        { values: { lgo: [] } as never, asNode: "b" },
      ];
      await expect(app.bulkUpdateState(thread, [{ updates: bad }])).rejects.toBeInstanceOf(
        InvalidUpdateError,
      );
      const nameless = [{ values: { log: ["x"] }, asNode: "a" }, { values: { log: ["y"] } }];
      await expect(app.bulkUpdateState(thread, [{ updates: nameless }])).rejects.toThrow("pass asNode");
      await expect(app.bulkUpdateState(thread, [])).rejects.toThrow("at least one");
      await expect(app.bulkUpdateState(thread, [{ updates: [] }])).rejects.toThrow("at least one");
      expect(await app.getState(thread)).toEqual(before);
    });
  });

  test("§5.18 in the name of END leaves nothing to run", async () => {
    const app = chain("a", "b").compile({ checkpointer: make(), interruptBefore: ["b"] });
    const thread = newThread();
    await app.invoke({}, thread);
    await app.updateState(thread, { log: ["enough"] }, END);
    const { values, next } = await app.getState(thread);
    expect([values.log, next]).toEqual([["a", "enough"], []]);
    expect(await app.invoke(null, thread)).toEqual({ log: ["a", "enough"] });
  });

  test("§5.6 what is refused at an older moment leaves the thread where it was", async () => {
    const app = chain("a", "b").compile({ checkpointer: make() });
    const thread = newThread();
    await app.invoke({}, thread);
    const before = await app.getState(thread);
    const older = before.parentConfig ?? {};
    await expect(app.updateState(older, { lgo: [] } as never, "a")).rejects.toBeInstanceOf(
      InvalidUpdateError,
    );
    await expect(app.updateState(older, {}, "c")).rejects.toThrow("There is no node c");
    await expect(app.invoke({ lgo: [] } as never, older)).rejects.toBeInstanceOf(InvalidUpdateError);
    await expect(app.invoke(new Command({ goto: "c" as "a" }), older)).rejects.toThrow(
      "The command leads to",
    );
    expect(await app.getState(thread)).toEqual(before);
  });

  test("§5.2 an update that begins a thread is the source of its state", async () => {
    const app = chain("a", "b").compile({ checkpointer: make() });
    const thread = newThread();
    await app.updateState(thread, { log: ["in"] });
    const { metadata, next, values } = await app.getState(thread);
    expect([metadata.source, next, values.log]).toEqual(["update", ["a"], ["in"]]);
    expect((await app.invoke(null, thread)).log).toEqual(["in", "a", "b"]);
  });

  describe("of a sub-graph that waits", () => {
    const asking = new StateGraph({ city: field<string>(), said: field<string>() })
      .addNode("ask", ({ city }) => ({ said: `${city}: ${interrupt<string>("?")}` }))
      .addNode("shout", ({ said }) => ({ said: `${said}!` }))
      .addSequence(["ask", "shout"])
      .addEdge(START, "ask")
      .addEdge("shout", END)
      .compile();
    const around = () =>
      new StateGraph({ city: field<string>(), said: field<string>() })
        .addNode("sub", asking)
        .addEdge(START, "sub")
        .addEdge("sub", END)
        .compile({ checkpointer: make() });

    async function waiting() {
      const app = around();
      const thread = newThread();
      await app.invoke({ city: "Rome" }, thread);
      const { tasks } = await app.getState(thread, { subgraphs: true });
      return { app, thread, inside: tasks[0]?.state?.config ?? {} };
    }

    test("§5.17 go through its own graph, and it goes on from there", async () => {
      const { app, thread, inside } = await waiting();
      await app.updateState(inside, { city: "Oslo" });
      await expect(app.updateState(inside, {}, "sub")).rejects.toThrow("The nodes are: ask, shout.");
      expect(await app.invoke(new Command({ resume: "cold" }), thread)).toMatchObject({
        said: "Oslo: cold!",
      });
    });

    test("§5.16 its thread is refused as that of a call, and is none the worse", async () => {
      const { app, thread, inside } = await waiting();
      for (const input of [null, {}, new Command({ resume: "x" })]) {
        await expect(app.invoke(input, inside)).rejects.toThrow(
          /is that of a sub-graph.*go on with thread thread-/,
        );
      }
      expect(await app.invoke(new Command({ resume: "warm" }), thread)).toMatchObject({
        said: "Rome: warm!",
      });
    });
  });
});
