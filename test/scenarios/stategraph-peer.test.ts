/** What users of the peer library complain of, one by one: each test names the complaint, and shows that it is absent. */
import {
  Command,
  END,
  field,
  InvalidUpdateError,
  interrupt,
  isInterrupted,
  MemorySaver,
  reducers,
  Send,
  START,
  StateGraph,
} from "batonjs";
import { describe, expect, test } from "vitest";
import { runId } from "../../src/base/names.ts";
import { all, log, newThread, SAVERS, wait } from "./stategraph-kit.ts";

describe.each(SAVERS)("questions, with %s", (_name, make) => {
  test.each([[false], [0], [""], [null]])("peer.4 the answer %j is not refused", async (answer) => {
    const app = new StateGraph({ got: field<unknown>() })
      .addNode("ask", () => ({ got: interrupt("?") }))
      .addEdge(START, "ask")
      .addEdge("ask", END)
      .compile({ checkpointer: make() });
    const thread = newThread();
    await app.invoke({}, thread);
    expect(await app.invoke(new Command({ resume: answer }), thread)).toEqual({ got: answer });
  });

  test("peer.5 one bare answer does not go to two parallel questions", async () => {
    const ask = (name: string) => () => ({ log: [`${name}=${interrupt(name)}`] });
    const app = new StateGraph(log())
      .addNode("x", ask("x"))
      .addNode("y", ask("y"))
      .addEdge(START, "x")
      .addEdge(START, "y")
      .addEdge("x", END)
      .addEdge("y", END)
      .compile({ checkpointer: make() });
    const thread = newThread();
    await app.invoke({}, thread);
    await expect(app.invoke(new Command({ resume: "both" }), thread)).rejects.toThrow("1/x:0, 1/y:0");
  });

  test("peer.16 a node with two questions asks none twice", async () => {
    const asked: unknown[] = [];
    const app = new StateGraph(log())
      .addNode("ask", () => ({ log: [interrupt<string>("one?"), interrupt<string>("two?")] }))
      .addEdge(START, "ask")
      .addEdge("ask", END)
      .compile({ checkpointer: make() });
    const thread = newThread();
    let result = await app.invoke({}, thread);
    for (const answer of ["1", "2"]) {
      asked.push(result.__interrupt__?.map(({ value }) => value));
      result = await app.invoke(new Command({ resume: answer }), thread);
    }
    expect(asked).toEqual([["one?"], ["two?"]]);
    expect(result).toEqual({ log: ["1", "2"] });
  });

  test("peer.6 a resumed sub-graph does not start again", async () => {
    let starts = 0;
    const inner = new StateGraph(log())
      .addNode("start", () => ({ log: [`start ${++starts}`] }))
      .addNode("ask", () => ({ log: [interrupt<string>("?")] }))
      .addSequence(["start", "ask"])
      .addEdge(START, "start")
      .addEdge("ask", END)
      .compile();
    const app = new StateGraph(log())
      .addNode("sub", inner)
      .addEdge(START, "sub")
      .addEdge("sub", END)
      .compile({ checkpointer: make() });
    const thread = newThread();
    await app.invoke({}, thread);
    expect(await app.invoke(new Command({ resume: "go" }), thread)).toEqual({ log: ["start 1", "go"] });
  });

  test("peer.7 replaying an older checkpoint does not reuse old answers", async () => {
    const app = new StateGraph(log())
      .addNode("ask", () => ({ log: [interrupt<string>("?")] }))
      .addEdge(START, "ask")
      .addEdge("ask", END)
      .compile({ checkpointer: make() });
    const thread = newThread();
    await app.invoke({}, thread);
    await app.invoke(new Command({ resume: "old" }), thread);
    const asking = (await all(app.getStateHistory(thread)))[1]!;
    const again = await app.invoke(null, asking.config);
    expect(isInterrupted(again)).toBe(true);
    expect(await app.invoke(new Command({ resume: "new" }), thread)).toEqual({ log: ["new"] });
  });
});

describe.each(SAVERS)("values, with %s", (_name, make) => {
  test.each([
    ["peer.8 a BigInt", 2n ** 70n],
    ["peer.9 a Date", new Date(5)],
    ["peer.9 a URL", new URL("https://example.org/")],
    ["peer.9 NaN", Number.NaN],
  ])("%s does not destroy or change the state", async (_what, value) => {
    const app = new StateGraph({ value: field<unknown>() })
      .addNode("write", () => ({ value }))
      .addNode("read", (state) => ({ value: state.value }))
      .addSequence(["write", "read"])
      .addEdge(START, "write")
      .addEdge("read", END)
      .compile({ checkpointer: make() });
    const thread = newThread();
    await app.invoke({}, thread);
    expect((await app.getState(thread)).values).toStrictEqual({ value });
  });

  const cycle: Record<string, unknown> = {};
  cycle["self"] = cycle;
  class Account {
    readonly owner = "ada";
  }
  test.each([
    ["a class instance", new Account(), "Account"],
    ["a cycle", cycle, "refers back to itself"],
  ])(
    "peer.10 %s is refused when it is written, and does not become something else",
    async (_what, value, why) => {
      const app = new StateGraph({ value: field<unknown>() })
        .addNode("write", () => ({ value }))
        .addEdge(START, "write")
        .addEdge("write", END)
        .compile({ checkpointer: make() });
      const failing = app.invoke({}, newThread());
      await expect(failing).rejects.toBeInstanceOf(InvalidUpdateError);
      await expect(failing).rejects.toThrow(why);
    },
  );
});

describe("surprises", () => {
  test("peer.11 a node that changes what it reads changes neither the state nor what its siblings see", async () => {
    const seen: unknown[] = [];
    const app = new StateGraph({ ...log(), list: field<number[]>({ default: [1] }) })
      .addNode("bad", (state) => {
        try {
          (state.list as number[]).push(2);
        } catch {}
        return null;
      })
      .addNode("sibling", async (state) => {
        await wait(5);
        seen.push([...state.list]);
        return null;
      })
      .addEdge(START, "bad")
      .addEdge(START, "sibling")
      .addEdge("bad", END)
      .addEdge("sibling", END)
      .compile();
    expect((await app.invoke({})).list).toEqual([1]);
    expect(seen).toEqual([[1]]);
  });

  test("peer.12 an unknown goto, and an unknown target of a path, do not end the run silently", async () => {
    const goto = new StateGraph(log())
      .addNode("a", () => new Command({ goto: "nowhere" }))
      .addEdge(START, "a")
      .addEdge("a", END);
    await expect(goto.compile().invoke({})).rejects.toThrow("nowhere");
    const path = new StateGraph(log()).addNode("a", () => null).addEdge(START, "a");
    path.addConditionalEdges("a", () => "nowhere" as "a");
    await expect(path.compile().invoke({})).rejects.toThrow("nowhere");
  });

  test("peer.13 invoke({}) of a node that returns null gives the state and not undefined", async () => {
    const app = new StateGraph(log())
      .addNode("a", () => null)
      .addEdge(START, "a")
      .addEdge("a", END)
      .compile();
    expect(await app.invoke({})).toEqual({ log: [] });
  });

  test("peer.14 k nodes need a recursion limit of k, not of k + 1", async () => {
    const app = new StateGraph(log())
      .addSequence([
        ["a", () => null],
        ["b", () => null],
      ])
      .addEdge(START, "a")
      .addEdge("b", END)
      .compile();
    expect(await app.invoke({}, { recursionLimit: 2 })).toEqual({ log: [] });
  });

  test("peer.30 a command that updates and goes somewhere updates once", async () => {
    const app = new StateGraph({ n: field<number>({ reducer: reducers.add, default: 0 }) })
      .addNode("a", () => new Command({ update: { n: 1 }, goto: "b" }))
      .addNode("b", () => null)
      .addEdge(START, "a")
      .addEdge("a", "b")
      .addEdge("b", END)
      .compile();
    expect(await app.invoke({})).toEqual({ n: 1 });
  });

  test("peer.29 a send from a conditional edge works", async () => {
    const app = new StateGraph(log())
      .addNode("a", () => null)
      .addNode("b", (x: string) => ({ log: [x] }))
      .addEdge(START, "a")
      .addConditionalEdges("a", () => new Send("b", "sent"))
      .addEdge("b", END)
      .compile();
    expect(await app.invoke({})).toEqual({ log: ["sent"] });
  });
});

describe("cost", () => {
  /** How many bytes a thread takes that adds 1 KiB in each of this many steps. */
  async function bytes(steps: number): Promise<number> {
    const saver = new MemorySaver();
    const app = new StateGraph({ ...log(), n: field<number>({ default: 0 }) })
      .addNode("grow", ({ n }) => ({ n: n + 1, log: ["x".repeat(1024)] }))
      .addEdge(START, "grow")
      .addConditionalEdges("grow", ({ n }) => (n < steps ? "grow" : END))
      .compile({ checkpointer: saver });
    const thread = newThread();
    await app.invoke({}, { ...thread, recursionLimit: steps });
    return JSON.stringify(saver.read(runId(thread.configurable.thread_id), 0)).length;
  }

  test("peer.3 storage does not grow with the square of the steps: three times the steps take three times the bytes", async () => {
    const [few, many] = [await bytes(100), await bytes(300)];
    expect(many / few).toBeLessThan(3.1);
    expect(many).toBeLessThan(300 * 1024 * 1.8);
  });

  test("peer.1 3,000 sends fold in order, and warn of no leaking listeners", async () => {
    const warnings: string[] = [];
    const onWarning = (warning: Error) => warnings.push(warning.name);
    process.on("warning", onWarning);
    const app = new StateGraph({ all: field<number[]>({ reducer: reducers.append, default: [] }) })
      .addNode("work", async (n: number, { signal }) => {
        signal.addEventListener("abort", () => {}, { once: true });
        return { all: [n] };
      })
      .setConditionalEntryPoint(() => Array.from({ length: 3000 }, (_, n) => new Send("work", n)))
      .setFinishPoint("work")
      .compile();
    const abort = new AbortController();
    const { all: numbers } = await app.invoke({}, { signal: abort.signal });
    await wait(0);
    process.off("warning", onWarning);
    expect(numbers).toEqual(Array.from({ length: 3000 }, (_, n) => n));
    expect(warnings).toEqual([]);
  });
});

describe("wishes", () => {
  test("peer.15 a branch need not wait for the slowest one", async () => {
    const order: string[] = [];
    const node = (name: string, ms: number) => async () => {
      await wait(ms);
      order.push(name);
      return null;
    };
    const app = new StateGraph(log())
      .addNode("slow", node("slow", 60))
      .addNode("quick", node("quick", 1))
      .addNode("next", node("next", 1))
      .addEdge(START, "slow")
      .addEdge(START, "quick")
      .addEdge("quick", "next")
      .addEdge("next", END)
      .addEdge("slow", END)
      .compile({ pace: "turn" });
    await app.invoke({});
    expect(order).toEqual(["quick", "next", "slow"]);
  });

  test("peer.19 a cancel cancels: the call rejects at once, the node is told, and nothing more runs", async () => {
    let told = false;
    let ranOn = false;
    const app = new StateGraph(log())
      .addNode("slow", async (_state, { signal }) => {
        signal.addEventListener("abort", () => {
          told = true;
        });
        await wait(60);
        return null;
      })
      .addNode("next", () => {
        ranOn = true;
        return null;
      })
      .addSequence(["slow", "next"])
      .addEdge(START, "slow")
      .addEdge("next", END)
      .compile({ checkpointer: new MemorySaver() });
    const thread = newThread();
    await expect(app.invoke({}, { ...thread, signal: AbortSignal.timeout(10) })).rejects.toThrow();
    await wait(80);
    expect([told, ranOn]).toEqual([true, false]);
    expect((await app.getState(thread)).next).toEqual(["slow"]);
  });

  test("peer.18 no stream event is lost or doubled, over a question and a reader that comes back", async () => {
    const app = new StateGraph(log())
      .addNode("a", () => ({ log: ["a"] }))
      .addNode("ask", () => ({ log: [interrupt<string>("?")] }))
      .addNode("b", () => ({ log: ["b"] }))
      .addSequence(["a", "ask", "b"])
      .addEdge(START, "a")
      .addEdge("b", END)
      .compile({ checkpointer: new MemorySaver() });
    const thread = { ...newThread(), streamMode: "updates" as const };
    const seen: unknown[] = [];
    for await (const chunk of app.stream({}, thread)) {
      seen.push(chunk);
      break;
    }
    for (const input of [null, new Command({ resume: "yes" })]) {
      for await (const chunk of app.stream(input, thread)) if (!isInterrupted(chunk)) seen.push(chunk);
    }
    expect(seen).toEqual([{ a: { log: ["a"] } }, { ask: { log: ["yes"] } }, { b: { log: ["b"] } }]);
    expect((await all(app.events(thread))).map(({ chunk }) => chunk)).toEqual(seen);
  });

  test("peer.20 config.interrupt asks without AsyncLocalStorage, also after an await", async () => {
    const app = new StateGraph(log())
      .addNode("ask", async (_state, config) => {
        await wait(1);
        return { log: [config.interrupt<string>("one?"), config.interrupt<string>("two?")] };
      })
      .addEdge(START, "ask")
      .addEdge("ask", END)
      .compile({ checkpointer: new MemorySaver() });
    const thread = newThread();
    await app.invoke({}, thread);
    await app.invoke(new Command({ resume: "1" }), thread);
    expect(await app.invoke(new Command({ resume: "2" }), thread)).toEqual({ log: ["1", "2"] });
  });

  test("peer.17 a graph need not be chained to be typed and built", async () => {
    const graph = new StateGraph(log());
    graph.addNode("a", ({ log: list }) => ({ log: [String(list.length)] }));
    graph.addEdge(START, "a");
    graph.addEdge("a", END);
    expect(await graph.compile().invoke({})).toEqual({ log: ["0"] });
  });
});
