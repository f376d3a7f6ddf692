/** Promises of the options of a node: time, cache, error handlers, defaults, and a stop at the next boundary. */
import {
  Command,
  END,
  field,
  GraphError,
  InvalidGraphError,
  interrupt,
  isInterrupted,
  JournalCache,
  MemoryCache,
  MemorySaver,
  NodeExecutionError,
  NodeTimeoutError,
  Overwrite,
  Send,
  START,
  StateGraph,
} from "batonjs";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { runId } from "../../src/base/names.ts";
import { log, newThread, SAVERS, wait } from "./stategraph-kit.ts";

/** A graph of one node. */
const only = (action: never, options: object, graphOptions: object = {}, compileOptions: object = {}) =>
  new StateGraph(log(), graphOptions)
    .addNode("only", action as () => null, options)
    .addEdge(START, "only")
    .addEdge("only", END)
    .compile(compileOptions);

describe("timeout", () => {
  test("§3.6 an attempt that takes too long fails with the code timeout, and its signal fires", async () => {
    let reason: unknown;
    const app = only(
      (async (_state: unknown, { signal }: { signal: AbortSignal }) => {
        signal.addEventListener("abort", () => {
          reason = signal.reason;
        });
        await wait(2000);
      }) as never,
      { timeout: { run: 15 } },
    );
    const error = await app.invoke({}).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(NodeExecutionError);
    expect((error as NodeExecutionError).cause).toBeInstanceOf(NodeTimeoutError);
    expect((error as NodeExecutionError).cause).toMatchObject({ node: "only", limit: "run" });
    expect(reason).toMatchObject({ name: "TimeoutError" });
  });

  test("it is worth another attempt, whose time starts anew; the log says timeout", async () => {
    const saver = new MemorySaver();
    const app = only(
      (async (_state: unknown, { attempt }: { attempt: number }) => {
        if (attempt === 1) await wait(2000);
        return { log: [`attempt ${attempt}`] };
      }) as never,
      { timeout: 15, retryPolicy: { initialInterval: 1 } },
      {},
      { checkpointer: saver },
    );
    const thread = newThread();
    expect(await app.invoke({}, thread)).toEqual({ log: ["attempt 2"] });
    const failure = saver
      .read(runId(thread.configurable.thread_id), 0)
      .find(({ type }) => type === "task.failed");
    expect(failure).toMatchObject({ failure: { code: "timeout", retryable: true } });
  });

  test("peer.24 idle: signs of life keep an attempt going, silence ends it", async () => {
    const busy = async (_state: unknown, { heartbeat }: { heartbeat: () => void }) => {
      for (let i = 0; i < 8; i++) {
        await wait(10);
        heartbeat();
      }
      return { log: ["done"] };
    };
    expect(await only(busy as never, { timeout: { idle: 60 } }).invoke({})).toEqual({ log: ["done"] });
    const silent = only((() => wait(2000)) as never, { timeout: { idle: 20 } });
    await expect(silent.invoke({})).rejects.toThrow(/no sign of life within 20 ms/);
  });

  test("what an attempt shows after its time is up reaches no stream", async () => {
    const app = only(
      (async (_state: unknown, { writer, attempt }: { writer: (x: unknown) => void; attempt: number }) => {
        if (attempt === 1) await wait(40);
        writer(attempt);
        if (attempt === 2) await wait(60);
        return null;
      }) as never,
      { timeout: 20, retryPolicy: { initialInterval: 1, maxAttempts: 2 } },
    );
    const chunks: unknown[] = [];
    await expect(
      (async () => {
        for await (const chunk of app.stream({}, { streamMode: "custom" })) chunks.push(chunk);
      })(),
    ).rejects.toThrow("20 ms");
    expect(chunks).toEqual([2]);
  });

  test("a timeout that is no time, and one for a sub-graph, are issues", () => {
    expect(() => only((() => null) as never, { timeout: 0 })).toThrow(InvalidGraphError);
    const sub = only((() => null) as never, {});
    expect(() => only(sub as never, { timeout: 5 })).toThrow(/the nodes of that graph/);
  });
});

describe("cache", () => {
  const counting = (options: object, compileOptions: object = {}) => {
    const seen: number[] = [];
    const app = new StateGraph({ n: field<number>(), twice: field<number>() })
      .addNode(
        "double",
        ({ n }) => {
          seen.push(n);
          return { twice: n * 2 };
        },
        options,
      )
      .addEdge(START, "double")
      .addConditionalEdges("double", ({ twice }) => (twice > 1000 ? "double" : END))
      .compile(compileOptions);
    return { app, seen };
  };

  test("§3.5 a node is not run again for what it has read before", async () => {
    const { app, seen } = counting({ cache: true });
    for (const n of [1, 2, 1, 2]) expect(await app.invoke({ n })).toEqual({ n, twice: n * 2 });
    expect(seen).toEqual([1, 2]);
  });

  test("key says what the result depends on, ttl for how long it is good", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    onTestFinished(() => void vi.useRealTimers());
    const { app, seen } = counting({ cache: { key: ({ n }: { n: number }) => n % 10, ttl: 25 } });
    await app.invoke({ n: 1 });
    vi.advanceTimersByTime(24);
    expect(await app.invoke({ n: 11 })).toEqual({ n: 11, twice: 2 });
    vi.advanceTimersByTime(2);
    expect(await app.invoke({ n: 11 })).toEqual({ n: 11, twice: 22 });
    expect(seen).toEqual([1, 11]);
  });

  test("the log has the result itself, so that a replay needs no cache", async () => {
    const [saver, cache] = [new MemorySaver(), new MemoryCache()];
    const { app } = counting({ cache: true }, { checkpointer: saver, cache });
    const [one, two] = [newThread(), newThread()];
    await app.invoke({ n: 1 }, one);
    await app.invoke({ n: 1 }, two);
    const finished = (thread: typeof one) =>
      saver
        .read(runId(thread.configurable.thread_id), 0)
        .filter(({ type }) => type === "task.finished")
        .map((event) => ("writes" in event ? event.writes : []));
    expect(finished(two)).toEqual(finished(one));
    const noted = saver
      .read(runId(two.configurable.thread_id), 0)
      .filter(({ type }) => type === "task.noted");
    expect(noted).toMatchObject([{ kind: "cached" }]);
  });

  test.each(SAVERS)(
    "a JournalCache on %s outlives the graph, and shows in no list of runs",
    async (_name, make) => {
      const journal = make();
      const first = counting({ cache: { ttl: 60_000 } }, { cache: new JournalCache(journal) });
      const second = counting({ cache: { ttl: 60_000 } }, { cache: new JournalCache(journal) });
      await first.app.invoke({ n: 4 });
      expect(await second.app.invoke({ n: 4 })).toEqual({ n: 4, twice: 8 });
      expect(second.seen).toEqual([]);
      expect(await journal.runs()).toEqual([]);
    },
  );

  test("sends are cached by their argument, commands with where they lead", async () => {
    let ran = 0;
    const app = new StateGraph(log())
      .addNode("plan", () => [new Send("work", 1), new Send("work", 2)], { ends: ["work"] })
      .addNode(
        "work",
        (n: number) => {
          ran++;
          return new Command({ update: { log: [`w${n}`] }, goto: "end" });
        },
        { cache: true, ends: ["end"] },
      )
      .addNode("end", () => ({ log: ["end"] }))
      .addEdge(START, "plan")
      .addEdge("end", END)
      .compile();
    for (let i = 0; i < 2; i++) expect(await app.invoke({})).toEqual({ log: ["w1", "w2", "end"] });
    expect(ran).toBe(2);
  });

  test("what a person answered is never remembered for somebody else", async () => {
    const app = only(
      (() => ({ log: [interrupt<string>("?")] })) as never,
      { cache: { key: () => 1 } },
      {},
      { checkpointer: new MemorySaver() },
    );
    for (const answer of ["a", "b"]) {
      const thread = newThread();
      expect(isInterrupted(await app.invoke({}, thread))).toBe(true);
      expect(await app.invoke(new Command({ resume: answer }), thread)).toEqual({ log: [answer] });
    }
  });
});

describe("onError", () => {
  const boom = new Error("boom");
  const failing = () => {
    throw boom;
  };

  test("peer.23 gets the error once no attempt is left, and what it returns counts as the node's", async () => {
    const seen: unknown[] = [];
    const app = only(failing as never, {
      retryPolicy: { initialInterval: 1, maxAttempts: 3 },
      onError: (error: unknown, state: { log: string[] }, { attempt }: { attempt: number }) => {
        seen.push([error, [...state.log], attempt]);
        return { log: ["mended"] };
      },
    });
    expect(await app.invoke({ log: ["in"] })).toEqual({ log: ["in", "mended"] });
    expect(seen).toEqual([[boom, ["in"], 3]]);
  });

  test("may go somewhere with a Command, and may fail itself", async () => {
    const app = new StateGraph(log())
      .addNode("bad", failing, { onError: () => new Command({ goto: "rescue" }), ends: ["rescue"] })
      .addNode("rescue", () => ({ log: ["rescued"] }))
      .addEdge(START, "bad")
      .addEdge("rescue", END)
      .compile();
    expect(await app.invoke({})).toEqual({ log: ["rescued"] });
    const worse = only(failing as never, {
      onError: () => {
        throw new Error("worse");
      },
    });
    await expect(worse.invoke({})).rejects.toThrow("worse");
  });

  test("takes timeouts, and failures of a sub-graph, too", async () => {
    const slow = only((() => wait(2000)) as never, { timeout: 10, onError: () => ({ log: ["late"] }) });
    expect(await slow.invoke({})).toEqual({ log: ["late"] });
    const sub = only(failing as never, {});
    const around = only(sub as never, { onError: (error: Error) => ({ log: [error.message] }) });
    expect(await around.invoke({})).toEqual({ log: ["boom"] });
  });

  test("does not take a question for an error", async () => {
    const app = only(
      (() => ({ log: [interrupt<string>("?")] })) as never,
      { onError: () => ({ log: ["wrong"] }) },
      {},
      { checkpointer: new MemorySaver() },
    );
    const thread = newThread();
    await app.invoke({}, thread);
    expect(await app.invoke(new Command({ resume: "right" }), thread)).toEqual({ log: ["right"] });
  });
});

describe("defaults", () => {
  test("peer.22 hold for every node that does not say otherwise, given to the graph or to compile", async () => {
    const attempts = { a: 0, b: 0 };
    const app = new StateGraph(log(), { defaults: { retryPolicy: { initialInterval: 1, maxAttempts: 2 } } })
      .addNode("a", () => {
        attempts.a++;
        throw new Error("a");
      })
      .addNode(
        "b",
        () => {
          attempts.b++;
          throw new Error("b");
        },
        { retryPolicy: { initialInterval: 1, maxAttempts: 3 } },
      )
      .addEdge(START, "a")
      .addEdge("a", "b")
      .addEdge("b", END)
      .compile({ defaults: { onError: (error: unknown) => ({ log: [(error as Error).message] }) } });
    expect(await app.invoke({})).toEqual({ log: ["a", "b"] });
    expect(attempts).toEqual({ a: 2, b: 3 });
  });
});

describe("Overwrite", () => {
  test("peer.28 takes the place of what siblings fold in before it, and later ones fold into it", async () => {
    const app = new StateGraph(log())
      .addNode("a", () => ({ log: ["a"] }))
      .addNode("b", () => ({ log: new Overwrite(["only"]) }))
      .addNode("c", () => ({ log: ["c"] }))
      .addEdge(START, "a")
      .addEdge(START, "b")
      .addEdge(START, "c")
      .addEdge("a", END)
      .addEdge("b", END)
      .addEdge("c", END)
      .compile();
    expect(await app.invoke({ log: ["in"] })).toEqual({ log: ["only", "c"] });
  });
});

describe("drain", () => {
  const build = (checkpointer?: MemorySaver) => {
    const ran: string[] = [];
    const node = (name: string) => async () => {
      ran.push(name);
      await wait(20);
      return { log: [name] };
    };
    const app = new StateGraph(log())
      .addSequence([
        ["a", node("a")],
        ["b", node("b")],
        ["c", node("c")],
      ])
      .setEntryPoint("a")
      .setFinishPoint("c");
    return { ran, app: app.compile(checkpointer ? { checkpointer } : {}), builder: app };
  };

  test.each(["sync", "async", "exit"] as const)(
    "peer.25 with durability %s: tasks in hand finish, no others start, and invoke(null) goes on",
    async (durability) => {
      const { app, ran } = build(new MemorySaver());
      const thread = newThread();
      const running = app.invoke({}, { ...thread, durability });
      await wait(8);
      expect(await app.drain(thread)).toBe(true);
      const drained = await running;
      expect(isInterrupted(drained)).toBe(true);
      expect(drained).toEqual({ log: ["a"] });
      expect(await app.drain(thread)).toBe(false);
      expect(await app.invoke(null, thread)).toEqual({ log: ["a", "b", "c"] });
      expect(ran).toEqual(["a", "b", "c"]);
    },
  );

  test("reaches a run that another process drives", async () => {
    const saver = new MemorySaver();
    const [one, two] = [build(saver).app, build(saver).app];
    const thread = newThread();
    const running = one.invoke({}, thread);
    await wait(8);
    expect(await two.drain(thread)).toBe(true);
    expect(await running).toEqual({ log: ["a"] });
    expect(await two.invoke(null, thread)).toEqual({ log: ["a", "b", "c"] });
  });

  test("does not wait for the time of a retry", async () => {
    let attempts = 0;
    const flaky = () => {
      if (++attempts === 1) throw new Error("busy");
      return { log: ["done"] };
    };
    const retryPolicy = { initialInterval: 60_000, jitter: false };
    const app = only(flaky as never, { retryPolicy }, {}, { checkpointer: new MemorySaver() });
    const thread = newThread();
    const running = app.invoke({}, thread);
    await wait(5);
    expect(await app.drain(thread)).toBe(true);
    expect(isInterrupted(await running)).toBe(true);
    expect(attempts).toBe(1);
  });

  test("needs a checkpointer", async () => {
    await expect(build().app.drain(newThread())).rejects.toThrow(GraphError);
  });
});

test("a node that ignores its signal does not keep an aborted call waiting", async () => {
  const app = only((() => wait(1500)) as never, {});
  const started = performance.now();
  await expect(app.invoke({}, { signal: AbortSignal.timeout(20) })).rejects.toMatchObject({
    name: "TimeoutError",
  });
  expect(performance.now() - started).toBeLessThan(1000);
});
