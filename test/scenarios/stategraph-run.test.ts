/** Promises of running a graph. */
import {
  Command,
  EmptyInputError,
  END,
  field,
  GraphError,
  GraphRecursionError,
  MemorySaver,
  NodeExecutionError,
  Send,
  START,
  StateGraph,
} from "batonjs";
import { describe, expect, test } from "vitest";
import { log, newThread, SAVERS, say } from "./stategraph-kit.ts";

const counting = () =>
  new StateGraph({ count: field<number>({ default: 0 }) })
    .addNode("more", ({ count }) => ({ count: count + 1 }))
    .addEdge(START, "more");

describe("nodes", () => {
  test("§4.14 take neither, one or both of state and config", async () => {
    const app = new StateGraph({ ...log(), name: field<string>() })
      .addNode("none", () => ({ log: ["none"] }))
      .addNode("one", (state) => ({ log: [`one ${state.name}`] }))
      .addNode("two", (state, config) => ({ log: [`two ${state.name} ${config.attempt} ${config.context}`] }))
      .addSequence(["none", "one", "two"])
      .setEntryPoint("none")
      .setFinishPoint("two")
      .compile();
    expect((await app.invoke({ name: "x" }, { context: "c" })).log).toEqual(["none", "one x", "two x 1 c"]);
  });

  test("invoke({}) of a node that returns null gives the state", async () => {
    const app = new StateGraph(log())
      .addNode("a", () => null)
      .addEdge(START, "a")
      .addEdge("a", END)
      .compile();
    expect(await app.invoke({})).toEqual({ log: [] });
  });

  test("§4.12 §4.17 all nodes of a superstep read one snapshot, which none can change", async () => {
    const seen: unknown[] = [];
    const app = new StateGraph(log())
      .addNode("bad", (state) => {
        expect(Object.isFrozen(state)).toBe(true);
        expect(() => (state.log as string[]).push("bad")).toThrow(TypeError);
        return { log: ["good"] };
      })
      .addNode("sibling", (state) => void seen.push([...state.log]) as undefined)
      .addEdge(START, "bad")
      .addEdge(START, "sibling")
      .addEdge("bad", END)
      .addEdge("sibling", END)
      .compile();
    expect(await app.invoke({ log: ["in"] })).toEqual({ log: ["in", "good"] });
    expect(seen).toEqual([["in"]]);
  });

  test("§4.18 a node that changes its state fails with a sentence that says what to do instead", async () => {
    const app = new StateGraph(log())
      .addNode("bad", ({ log: list }) => void list.push("x") as undefined)
      .addEdge(START, "bad")
      .addEdge("bad", END)
      .compile();
    await expect(app.invoke({})).rejects.toThrow("return an update instead");
  });

  test("§4.15 once runs an effect a single time over retries", async () => {
    let effects = 0;
    const app = new StateGraph({ id: field<number>() })
      .addNode(
        "pay",
        async (_state, { once, attempt }) => {
          const id = await once("charge", () => ++effects);
          if (attempt === 1) throw new Error("later");
          return { id };
        },
        { retryPolicy: { initialInterval: 1 } },
      )
      .addEdge(START, "pay")
      .addEdge("pay", END)
      .compile();
    expect(await app.invoke({})).toEqual({ id: 1 });
  });
});

describe("Send and Command", () => {
  test("§4.19 §4.9 Send runs a node with its argument as input; sends fold in the order in which they were sent", async () => {
    const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
    const app = new StateGraph({ ...log(), topics: field<string[]>() })
      .addNode("work", async ({ topic, ms }: { topic: string; ms: number }) =>
        wait(ms).then(() => ({ log: [topic] })),
      )
      .addNode("plan", () => null)
      .addNode("end", say("end"))
      .addEdge(START, "plan")
      .addConditionalEdges("plan", ({ topics }) =>
        topics.map((topic, index) => new Send("work", { topic, ms: 12 - 6 * index })),
      )
      .addEdge("work", "end")
      .addEdge("end", END)
      .compile();
    expect((await app.invoke({ topics: ["a", "b", "c"] })).log).toEqual(["a", "b", "c", "end"]);
  });

  test("§4.20 Command updates and goes somewhere besides the node's edges", async () => {
    const app = new StateGraph(log())
      .addNode("a", () => new Command({ update: { log: ["a"] }, goto: "c" }))
      .addNode("b", say("b"))
      .addNode("c", say("c"))
      .addEdge(START, "a")
      .addEdge("a", "b")
      .addEdge("b", END)
      .addEdge("c", END)
      .compile();
    expect(await app.invoke({})).toEqual({ log: ["a", "b", "c"] });
  });

  test("§4.16 a node may return a list of commands and sends", async () => {
    const app = new StateGraph(log())
      .addNode("a", () => [new Command({ update: { log: ["a"] }, goto: "b" }), new Send("c", { n: 1 })], {
        ends: ["b", "c"],
      })
      .addNode("b", say("b"))
      .addNode("c", ({ n }: { n: number }) => ({ log: [`c${n}`] }))
      .addEdge(START, "a")
      .addEdge("b", END)
      .addEdge("c", END)
      .compile();
    expect(await app.invoke({})).toEqual({ log: ["a", "b", "c1"] });
  });

  test.each<[how: string, build: (graph: StateGraph<ReturnType<typeof log>>) => unknown]>([
    [
      "goto",
      (graph) =>
        graph.addNode("a", () => new Command({ goto: "revew" as string as "review" }), { ends: ["review"] }),
    ],
    [
      "conditional edge",
      (graph) => graph.addNode("a", say("a")).addConditionalEdges("a", () => "revew" as "a"),
    ],
    [
      "Send",
      (graph) => graph.addNode("a", () => new Send("revew" as string as "review", {}), { ends: ["review"] }),
    ],
  ])("an unknown target of a %s fails at once and names the nodes", async (_how, build) => {
    const graph = new StateGraph(log());
    build(graph);
    graph
      .addNode("review", say("r"))
      .addEdge(START, "a" as "review")
      .addEdge("review", END);
    const failing = graph.compile().invoke({});
    await expect(failing).rejects.toBeInstanceOf(NodeExecutionError);
    await expect(failing).rejects.toThrow(/revew.*Did you mean "review".*a, review/);
  });
});

describe("limits", () => {
  test.each([1, 3, 25])("§4.10 %i supersteps need a limit of as many", async (count) => {
    const app = counting()
      .addConditionalEdges("more", (state) => (state.count < count ? "more" : END))
      .compile();
    expect(await app.invoke({}, { recursionLimit: count })).toEqual({ count });
    if (count === 1) return;
    await expect(app.invoke({}, { recursionLimit: count - 1 })).rejects.toBeInstanceOf(GraphRecursionError);
  });

  test("§4.3 the limit is 25 when nobody says", async () => {
    const app = counting().addEdge("more", "more").compile();
    await expect(app.invoke({})).rejects.toThrow(/25/);
  });

  describe.each(SAVERS)("with %s", (_name, make) => {
    test("§4.21 the state is kept, and a higher limit goes on from there", async () => {
      const app = counting()
        .addConditionalEdges("more", ({ count }) => (count < 7 ? "more" : END))
        .compile({ checkpointer: make() });
      const thread = newThread();
      await expect(app.invoke({}, { ...thread, recursionLimit: 3 })).rejects.toBeInstanceOf(
        GraphRecursionError,
      );
      expect((await app.getState(thread)).values).toEqual({ count: 3 });
      expect((await app.getState(thread)).next).toEqual(["more"]);
      expect(await app.invoke(null, { ...thread, recursionLimit: 4 })).toEqual({ count: 7 });
    });
  });
});

describe("errors", () => {
  const boom = new Error("boom", { cause: "deep" });
  test("§4.23 the cause of a NodeExecutionError is the error itself", async () => {
    const app = counting()
      .addNode("bad", () => {
        throw boom;
      })
      .addEdge("more", "bad")
      .addEdge("bad", END)
      .compile();
    const error = await app.invoke({}).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(NodeExecutionError);
    expect(error).toBeInstanceOf(GraphError);
    expect(error).toMatchObject({ node: "bad", task: "2/bad", message: 'Node "bad" failed: boom' });
    expect((error as NodeExecutionError).cause).toBe(boom);
  });

  test.each(SAVERS)(
    "peer.21 §4.22 §4.24 siblings finish and are recorded with %s; invoke(null) runs only what did not",
    async (_name, make) => {
      const ran: string[] = [];
      let fails = true;
      const app = new StateGraph(log())
        .addNode("good", async () => {
          await new Promise((resolve) => setTimeout(resolve, 10));
          ran.push("good");
          return { log: ["good"] };
        })
        .addNode("bad", () => {
          ran.push("bad");
          if (fails) throw boom;
          return { log: ["bad"] };
        })
        .addEdge(START, "bad")
        .addEdge(START, "good")
        .addEdge("bad", END)
        .addEdge("good", END)
        .compile({ checkpointer: make() });
      const thread = newThread();
      await expect(app.invoke({}, thread)).rejects.toBeInstanceOf(NodeExecutionError);
      expect(await app.getState(thread)).toMatchObject({
        next: ["bad"],
        tasks: [{ name: "bad", error: "boom" }],
      });
      fails = false;
      expect(await app.invoke(null, thread)).toEqual({ log: ["good", "bad"] });
      expect(ran).toEqual(["bad", "good", "bad"]);
    },
  );

  test.each([
    ["as often as maxAttempts says", { maxAttempts: 3 }, 3],
    ["when retryOn says so", { maxAttempts: 5, retryOn: (error: unknown) => error !== boom }, 1],
    ["when the error is of a class in retryOn", { maxAttempts: 4, retryOn: [Error] }, 4],
  ])("§4.25 §4.26 a node is tried again %s", async (_when, policy, expected) => {
    let attempts = 0;
    const app = counting()
      .addNode(
        "flaky",
        (_state, config) => {
          attempts++;
          expect(config.attempt).toBe(attempts);
          throw boom;
        },
        { retryPolicy: { initialInterval: 1, ...policy } },
      )
      .addEdge("more", "flaky")
      .addEdge("flaky", END)
      .compile();
    await expect(app.invoke({})).rejects.toThrow("boom");
    expect(attempts).toBe(expected);
  });

  test("§4.4 an aborted signal rejects with its reason and reaches the node", async () => {
    const abort = new AbortController();
    let told = false;
    const app = counting()
      .addNode("slow", async (_state, { signal }) => {
        setTimeout(() => abort.abort(), 5);
        return new Promise<null>((resolve) => {
          signal.addEventListener("abort", () => {
            told = true;
            resolve(null);
          });
        });
      })
      .addEdge("more", "slow")
      .addEdge("slow", END)
      .compile();
    await expect(app.invoke({}, { signal: abort.signal })).rejects.toMatchObject({ name: "AbortError" });
    expect(told).toBe(true);
  });

  test("no input and nothing to go on with is an EmptyInputError", async () => {
    const app = counting().addEdge("more", END).compile({ checkpointer: new MemorySaver() });
    await expect(app.invoke(null, newThread())).rejects.toBeInstanceOf(EmptyInputError);
    await expect(app.invoke({})).rejects.toThrow("thread_id");
  });
});

describe("options", () => {
  test("§3.4 a node with an input of its own reads those fields only, also one that nobody else has", async () => {
    const seen: unknown[] = [];
    const app = new StateGraph({ ...log(), secret: field<string>() }, { output: log() })
      .addNode("a", () => ({ note: "for b", secret: "s" }) as never)
      .addNode(
        "b",
        (state: { note: string }) => {
          seen.push({ ...state });
          return { log: [state.note] };
        },
        { input: { note: field<string>() } },
      )
      .addSequence(["a", "b"])
      .setEntryPoint("a")
      .setFinishPoint("b")
      .compile();
    expect(await app.invoke({})).toEqual({ log: ["for b"] });
    expect(seen).toEqual([{ note: "for b" }]);
  });

  test.each(["sync", "async", "exit"] as const)(
    "§4.6 durability %s keeps the thread when the call has ended",
    async (durability) => {
      const app = counting()
        .addConditionalEdges("more", ({ count }) => (count % 5 ? "more" : END))
        .compile({ checkpointer: new MemorySaver(), durability });
      const thread = newThread();
      await app.invoke({}, thread);
      expect((await app.getState(thread)).values).toEqual({ count: 5 });
      expect(await app.invoke({}, thread)).toEqual({ count: 10 });
    },
  );

  test("§4.5 the context is checked by its schema and reaches nodes, paths and sub-graphs", async () => {
    const seen: unknown[] = [];
    const inner = new StateGraph(log())
      .addNode("deep", (_state, { context }) => void seen.push(context) as undefined)
      .addEdge(START, "deep")
      .addEdge("deep", END)
      .compile();
    const app = new StateGraph(log())
      .addNode("sub", inner)
      .addEdge(START, "sub")
      .addConditionalEdges("sub", (_state, { context, configurable }) => {
        seen.push(context, configurable["user"]);
        return END;
      })
      .compile();
    await app.invoke({}, { context: "c", configurable: { user: "ada" } });
    expect(seen).toEqual(["c", "c", "ada"]);
  });
});
