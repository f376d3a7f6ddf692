/** Promises of threads: state that is kept, questions to people, edits, history and forks. */
import {
  Command,
  END,
  field,
  GraphError,
  InvalidUpdateError,
  interrupt,
  isInterrupted,
  reducers,
  START,
  StateGraph,
  type StateSnapshot,
  TaskNotFound,
} from "batonjs";
import { describe, expect, test } from "vitest";
import { newThread, SAVERS } from "./stategraph-savers.ts";

const log = () => ({ log: field<string[]>({ reducer: reducers.append, default: [] }) });
const say = (text: string) => () => ({ log: [text] });

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const item of items) list.push(item);
  return list;
}

test("without a checkpointer an interrupt is an error that says which option is missing", async () => {
  const app = new StateGraph(log())
    .addNode("ask", () => interrupt("?"))
    .addEdge(START, "ask")
    .addEdge("ask", END)
    .compile();
  await expect(app.invoke({})).rejects.toThrow(/checkpointer/);
  await expect(app.invoke(new Command({ resume: 1 }))).rejects.toThrow(/checkpointer/);
  expect(() => interrupt("outside")).toThrow(GraphError);
});

describe.each(SAVERS)("with %s", (_saver, make) => {
  const sequence = (options = {}) =>
    new StateGraph(log())
      .addSequence([
        ["a", say("a")],
        ["b", say("b")],
        ["c", say("c")],
      ])
      .setEntryPoint("a")
      .setFinishPoint("c")
      .compile({ checkpointer: make(), ...options });

  test("runs with the same thread continue its state, others do not", async () => {
    const app = sequence();
    const thread = newThread();
    await app.invoke({ log: ["1"] }, thread);
    expect(await app.invoke({ log: ["2"] }, thread)).toEqual({
      log: ["1", "a", "b", "c", "2", "a", "b", "c"],
    });
    expect(await app.invoke({}, { threadId: `${thread.configurable.thread_id}-other` })).toEqual({
      log: ["a", "b", "c"],
    });
  });

  describe("interrupt (§5)", () => {
    test.each([[false], [0], [""], [null], [undefined], [{ a: new Date(0) }], [[]]])(
      "any value is an answer: %j",
      async (answer) => {
        const app = new StateGraph({ got: field<unknown>() })
          .addNode("ask", () => ({ got: [interrupt({ question: "?" })] }))
          .addEdge(START, "ask")
          .addEdge("ask", END)
          .compile({ checkpointer: make() });
        const thread = newThread();
        const paused = await app.invoke({}, thread);
        expect(paused).toEqual({ __interrupt__: [{ id: "1/ask:0", value: { question: "?" } }] });
        expect(isInterrupted(paused)).toBe(true);
        expect(await app.getState(thread)).toMatchObject({
          next: ["ask"],
          interrupts: [{ id: "1/ask:0", value: { question: "?" } }],
        });
        expect(await app.invoke(new Command({ resume: answer }), thread)).toEqual({ got: [answer] });
      },
    );

    test("a node with two questions asks none twice", async () => {
      const asked: unknown[] = [];
      const app = new StateGraph(log())
        .addNode("ask", async () => {
          const name = interrupt<string>("name?");
          await Promise.resolve();
          const age = interrupt<number>("age?");
          return { log: [`${name} ${age}`] };
        })
        .addEdge(START, "ask")
        .addEdge("ask", END)
        .compile({ checkpointer: make() });
      const thread = newThread();
      for (const input of [{}, new Command({ resume: "Ada" }), new Command({ resume: 36 })]) {
        const result = await app.invoke(input, thread);
        asked.push(result.__interrupt__?.map(({ value }) => value) ?? result);
      }
      expect(asked).toEqual([["name?"], ["age?"], { log: ["Ada 36"] }]);
    });

    const several = () => {
      const ran: string[] = [];
      const ask = (name: string) => () => {
        ran.push(name);
        return { log: [`${name}: ${interrupt(`${name}?`)}`] };
      };
      const app = new StateGraph(log())
        .addNode("x", ask("x"))
        .addNode("y", ask("y"))
        .addNode("z", () => {
          ran.push("z");
          return { log: ["z"] };
        })
        .addEdge(START, "x")
        .addEdge(START, "y")
        .addEdge(START, "z")
        .addEdge("x", END)
        .addEdge("y", END)
        .addEdge("z", END)
        .compile({ checkpointer: make() });
      return { app, ran };
    };

    test("a bare value while several are open is refused with their ids", async () => {
      const { app } = several();
      const thread = newThread();
      await app.invoke({}, thread);
      const failing = app.invoke(new Command({ resume: "which?" }), thread);
      await expect(failing).rejects.toThrow(GraphError);
      await expect(failing).rejects.toThrow(/1\/x:0, 1\/y:0/);
      expect((await app.getState(thread)).interrupts).toHaveLength(2);
    });

    test("several are answered together by id, and other tasks of the step do not run again", async () => {
      const { app, ran } = several();
      const thread = newThread();
      await app.invoke({}, thread);
      const result = await app.invoke(new Command({ resume: { "1/y:0": 2, "1/x:0": 1 } }), thread);
      expect(result).toEqual({ log: ["x: 1", "y: 2", "z"] });
      expect(ran.filter((name) => name === "z")).toHaveLength(1);
    });

    test("several are answered one by one; an unknown id is refused and records nothing", async () => {
      const { app } = several();
      const thread = newThread();
      await app.invoke({}, thread);
      const wrong = app.invoke(new Command({ resume: { "1/x:0": 1, "7/x:0": 1 } }), thread);
      await expect(wrong).rejects.toBeInstanceOf(TaskNotFound);
      const paused = await app.invoke(new Command({ resume: { "1/x:0": 1 } }), thread);
      expect(paused.__interrupt__).toEqual([{ id: "1/y:0", value: "y?" }]);
      expect(await app.invoke(new Command({ resume: "two" }), thread)).toEqual({
        log: ["x: 1", "y: two", "z"],
      });
    });

    test("two questions at once are both asked, also when the node catches what interrupt throws", async () => {
      const app = new StateGraph(log())
        .addNode("ask", async () => {
          const ask = async (what: string) => interrupt<string>(what);
          const [one, two] = await Promise.all([ask("one?"), ask("two?")]).catch(() => ["caught", "caught"]);
          return { log: [`${one} ${two}`] };
        })
        .addEdge(START, "ask")
        .addEdge("ask", END)
        .compile({ checkpointer: make() });
      const thread = newThread();
      const paused = await app.invoke({}, thread);
      expect(paused.__interrupt__?.map(({ value }) => value)).toEqual(["one?", "two?"]);
      await app.invoke(new Command({ resume: { "1/ask:1": "2" } }), thread);
      expect(await app.invoke(new Command({ resume: "1" }), thread)).toEqual({ log: ["1 2"] });
    });

    test("once keeps an effect before a question from being done again", async () => {
      let effects = 0;
      const app = new StateGraph(log())
        .addNode("ask", async (_state, { once }) => {
          const id = await once("effect", () => new Date(++effects));
          return { log: [`${id.getTime()} ${interrupt("?")}`] };
        })
        .addEdge(START, "ask")
        .addEdge("ask", END)
        .compile({ checkpointer: make() });
      const thread = newThread();
      await app.invoke({}, thread);
      expect(await app.invoke(new Command({ resume: "yes" }), thread)).toEqual({ log: ["1 yes"] });
    });
  });

  describe("interruptBefore and interruptAfter (§5)", () => {
    test.each([
      ["interruptBefore", ["b"], [["a"], ["a", "b", "c"]]],
      [
        "interruptAfter",
        ["b"],
        [
          ["a", "b"],
          ["a", "b", "c"],
        ],
      ],
      ["interruptBefore", "*", [[], ["a"], ["a", "b"], ["a", "b", "c"]]],
      ["interruptAfter", "*", [["a"], ["a", "b"], ["a", "b", "c"]]],
    ])("%s %j pauses, and invoke(null) goes on", async (option, nodes, states) => {
      const app = sequence({ [option]: nodes });
      const thread = newThread();
      let result = await app.invoke({}, thread);
      for (const [index, expected] of states.entries()) {
        expect(result).toEqual({ log: expected });
        const isLast = index === states.length - 1 && (option === "interruptBefore" || nodes !== "*");
        expect(isInterrupted(result)).toBe(!isLast);
        result = await app.invoke(null, thread);
      }
      expect(result).toEqual({ log: ["a", "b", "c"] });
    });
  });

  describe("history (§5)", () => {
    test("getStateHistory tells every moment, newest first", async () => {
      const app = sequence();
      const thread = newThread();
      await app.invoke({ log: ["in"] }, thread);
      const history = await all(app.getStateHistory(thread));
      expect(history.map(({ values, next, metadata }) => [values.log, next, metadata])).toEqual([
        [["in", "a", "b", "c"], [], { source: "loop", step: 3 }],
        [["in", "a", "b"], ["c"], { source: "loop", step: 2 }],
        [["in", "a"], ["b"], { source: "loop", step: 1 }],
        [["in"], ["a"], { source: "input", step: 0 }],
      ]);
      expect(history[0]?.parentConfig).toEqual(history[1]?.config);
      expect(history[3]?.parentConfig).toBeUndefined();
      expect(history[0]?.createdAt).toMatch(/^\d{4}-\d\d-\d\dT/);
      const limited = await all(app.getStateHistory(thread, { limit: 1, before: history[1]!.config }));
      expect(limited).toEqual([history[2]]);
      expect(await all(app.getStateHistory(thread, { filter: { source: "input" } }))).toEqual([history[3]]);
      expect(await app.getState(history[2]!.config)).toEqual(history[2]);
    });

    test("invoking with an older checkpoint_id forks, and nothing recorded is changed", async () => {
      const app = sequence();
      const thread = newThread();
      await app.invoke({}, thread);
      const before = await all(app.getStateHistory(thread));
      expect(await app.invoke(null, before[2]!.config)).toEqual({ log: ["a", "b", "c"] });
      const after = await all(app.getStateHistory(thread));
      expect(after.slice(-before.length).map(({ config, values }) => [config, values])).toEqual(
        before.map(({ config, values }) => [config, values]),
      );
      expect(after[2]?.metadata.source).toBe("fork");
      expect(after[2]?.parentConfig).toEqual(before[2]?.config);
      await expect(
        app.getState({ configurable: { ...thread.configurable, checkpoint_id: "99" } }),
      ).rejects.toThrow(GraphError);
      await expect(
        app.invoke(null, { configurable: { ...thread.configurable, checkpoint_id: "2" } }),
      ).rejects.toThrow("no checkpoint 2");
    });

    test("replaying an older checkpoint never reuses answers", async () => {
      const app = new StateGraph(log())
        .addNode("a", say("a"))
        .addNode("ask", () => ({ log: [String(interrupt("?"))] }))
        .addEdge(START, "a")
        .addEdge("a", "ask")
        .addEdge("ask", END)
        .compile({ checkpointer: make() });
      const thread = newThread();
      await app.invoke({}, thread);
      await app.invoke(new Command({ resume: "first" }), thread);
      const older = (await all(app.getStateHistory(thread))).find(
        ({ next }) => next[0] === "ask",
      ) as StateSnapshot;
      const paused = await app.invoke(null, older.config);
      expect(paused.__interrupt__).toHaveLength(1);
      expect(paused.__interrupt__?.[0]?.id).not.toBe("2/ask:0");
      expect(await app.invoke(new Command({ resume: "second" }), thread)).toEqual({ log: ["a", "second"] });
    });
  });

  describe("updateState (§5)", () => {
    test("goes through the reducers, in the name of the node that ran last", async () => {
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

    test("with asNode, what comes after that node runs next, and nothing else", async () => {
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

  test("another process goes on with a thread, also when both take turns", async () => {
    const saver = make();
    const build = () =>
      new StateGraph({ ...log(), when: field<Date>() })
        .addNode("ask", () => ({ log: [interrupt<string>("?")], when: new Date(5) }))
        .addNode("after", ({ when }) => ({ log: [String(when.getTime())] }))
        .addSequence(["ask", "after"])
        .setEntryPoint("ask")
        .setFinishPoint("after")
        .compile({ checkpointer: saver });
    const [one, two] = [build(), build()];
    const thread = newThread();
    await one.invoke({}, thread);
    await two.invoke(new Command({ resume: "a" }), thread);
    expect((await one.invoke({}, thread)).__interrupt__).toHaveLength(1);
    const result = await two.invoke(new Command({ resume: "b" }), thread);
    expect(result).toEqual({ log: ["a", "5", "b", "5"], when: new Date(5) });
    expect((await one.getState(thread)).values).toEqual(result);
  });

  test("Command({ update, goto }) as input goes on from a thread's state", async () => {
    const app = sequence();
    const thread = newThread();
    await app.invoke({}, thread);
    const command = new Command({ update: { log: ["cmd"] }, goto: "c" as const });
    expect(await app.invoke(command, thread)).toEqual({ log: ["a", "b", "c", "cmd", "c"] });
  });

  describe("sub-graphs (§5)", () => {
    const build = () => {
      const ran: string[] = [];
      const inner = new StateGraph({ ...log(), secret: field<string>() })
        .addNode("first", () => {
          ran.push("first");
          return { log: ["first"], secret: "s" };
        })
        .addNode("ask", ({ secret }) => ({ log: [`${secret} ${interrupt("inner?")}`] }))
        .addEdge(START, "first")
        .addEdge("first", "ask")
        .addEdge("ask", END)
        .compile();
      const app = new StateGraph({ ...log(), own: field<number>() })
        .addNode("before", () => ({ log: ["before"], own: 1 }))
        .addNode("sub", inner)
        .addNode("after", say("after"))
        .addSequence(["before", "sub", "after"])
        .setEntryPoint("before")
        .setFinishPoint("after")
        .compile({ checkpointer: make() });
      return { app, ran };
    };

    test("share fields, keep their own, and pause and resume where they stood", async () => {
      const { app, ran } = build();
      const thread = newThread();
      const paused = await app.invoke({}, thread);
      expect(paused.__interrupt__).toMatchObject([{ value: "inner?" }]);
      expect(await app.invoke(new Command({ resume: "yes" }), thread)).toEqual({
        log: ["before", "first", "s yes", "after"],
        own: 1,
      });
      expect(ran).toEqual(["first"]);
    });

    test("the same sub-graph twice in one step asks twice, each its own question", async () => {
      const inner = new StateGraph(log())
        .addNode("ask", () => ({ log: [String(interrupt("?"))] }))
        .addEdge(START, "ask")
        .addEdge("ask", END)
        .compile();
      const app = new StateGraph(log())
        .addNode("s1", inner)
        .addNode("s2", inner)
        .addEdge(START, "s1")
        .addEdge(START, "s2")
        .addEdge("s1", END)
        .addEdge("s2", END)
        .compile({ checkpointer: make() });
      const thread = newThread();
      const paused = await app.invoke({ log: ["in"] }, thread);
      const ids = paused.__interrupt__?.map(({ id }) => id) ?? [];
      expect(ids).toHaveLength(2);
      const resume = { [ids[0] as string]: "one", [ids[1] as string]: "two" };
      expect(await app.invoke(new Command({ resume }), thread)).toEqual({ log: ["in", "one", "two"] });
    });
  });
});
