/** Promises of threads: state that is kept, questions to people, pauses, and sub-graphs that wait. */
import {
  Command,
  END,
  field,
  GraphError,
  interrupt,
  isInterrupted,
  START,
  StateGraph,
  TaskNotFound,
} from "batonjs";
import { describe, expect, test } from "vitest";
import { chain, log, newThread, SAVERS, say } from "./stategraph-kit.ts";

test("§5.15 without a checkpointer an interrupt is an error that says which option is missing", async () => {
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
  const sequence = (options = {}) => chain("a", "b", "c").compile({ checkpointer: make(), ...options });

  test("§5.1 runs with the same thread continue its state, others do not", async () => {
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

  describe("interrupt", () => {
    test.each([[false], [0], [""], [null], [undefined], [{ a: new Date(0) }], [[]]])(
      "§5.7 §5.8 any value is an answer: %j",
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

    test("§5.11 a node with two questions asks none twice", async () => {
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

    test("§5.10 a bare value while several are open is refused with their ids", async () => {
      const { app } = several();
      const thread = newThread();
      await app.invoke({}, thread);
      const failing = app.invoke(new Command({ resume: "which?" }), thread);
      await expect(failing).rejects.toThrow(GraphError);
      await expect(failing).rejects.toThrow(/1\/x:0, 1\/y:0/);
      expect((await app.getState(thread)).interrupts).toHaveLength(2);
    });

    test("§5.9 §5.12 several are answered together by id, and other tasks of the step do not run again", async () => {
      const { app, ran } = several();
      const thread = newThread();
      await app.invoke({}, thread);
      const result = await app.invoke(new Command({ resume: { "1/y:0": 2, "1/x:0": 1 } }), thread);
      expect(result).toEqual({ log: ["x: 1", "y: 2", "z"] });
      expect(ran.filter((name) => name === "z")).toHaveLength(1);
    });

    test("§5.9 several are answered one by one; an unknown id is refused and records nothing", async () => {
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

  describe("interruptBefore and interruptAfter", () => {
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
    ])("§3.26 §5.13 %s %j pauses, and invoke(null) goes on", async (option, nodes, states) => {
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

  describe("sub-graphs", () => {
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

    test("§5.14 share fields, keep their own, and pause and resume where they stood", async () => {
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

    test("getState({ subgraphs: true }) tells the state of a sub-graph that waits", async () => {
      const { app } = build();
      const thread = newThread();
      await app.invoke({}, thread);
      const [task] = (await app.getState(thread, { subgraphs: true })).tasks;
      expect(task?.state).toMatchObject({
        values: { log: ["before", "first"], secret: "s" },
        next: ["ask"],
        interrupts: [{ value: "inner?" }],
      });
      expect((await app.getState(thread)).tasks[0]).not.toHaveProperty("state");
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
