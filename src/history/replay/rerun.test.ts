/** Reruns: node functions get what they got then, nothing outside is done again, and what they come to is compared. */
import { describe, expect, test } from "vitest";
import type { CompiledGraph } from "../../dialects/graph/compile.ts";
import {
  Command,
  END,
  entrypoint,
  field,
  interrupt,
  MemorySaver,
  reducers,
  Send,
  START,
  StateGraph,
  task,
} from "../../index.ts";
import type { Event } from "../../kernel/event.ts";
import type { Caller } from "./gone-caller.ts";
import { type ReplayReport, replayRun } from "./replay.ts";
import { graphPrograms, logPrograms, type ProgramFor, rerunPrograms } from "./replay-program.ts";

interface Compiled {
  readonly graph: CompiledGraph;
}

async function under(saver: MemorySaver, programFor: ProgramFor): Promise<ReplayReport> {
  const [head] = await saver.runs();
  if (head === undefined) throw new Error("no thread was kept");
  return replayRun({ journal: saver, run: head.run }, programFor);
}

const rerun = (saver: MemorySaver, { graph }: Compiled, caller?: Caller) =>
  under(saver, rerunPrograms(graph, caller));

const thread = { threadId: "t" };
const fields = { n: field<number>({ default: 0 }), said: field<string>() };

/** A graph of one node. */
function single(
  checkpointer: MemorySaver,
  act: (state: { n: number }, config: never) => unknown,
  options = {},
) {
  return new StateGraph(fields)
    .addNode("one", act as never, options)
    .addEdge(START, "one")
    .addEdge("one", END)
    .compile({ checkpointer });
}

describe("a node function that is called again", () => {
  test("does no effect of once again, and writes neither to the log nor to a stream", async () => {
    const saver = new MemorySaver();
    let effects = 0;
    const app = single(saver, async (_, { once, writer }: never & Record<string, never>) => {
      (writer as (chunk: unknown) => void)("shown");
      const paid = await (once as (key: string, effect: () => number) => Promise<number>)(
        "pay",
        () => ++effects,
      );
      return { n: paid };
    });
    await app.invoke({}, thread);
    const before = JSON.stringify(await saver.read("t" as never, 0));
    expect(await rerun(saver, app)).toMatchObject({ identical: true, runs: [{ rehearsed: 1, gaps: [] }] });
    expect(effects).toBe(1);
    expect(JSON.stringify(await saver.read("t" as never, 0))).toBe(before);
  });

  test("sees the state, the argument of a send, and the answers that it saw then", async () => {
    const saver = new MemorySaver();
    const build = (suffix: string) =>
      new StateGraph({ log: field<readonly string[]>({ reducer: reducers.append, default: [] }) })
        .addNode("ask", ({ log }) => ({ log: [`${log.length}:${interrupt("a")}${interrupt("b")}`] }))
        .addNode("each", ({ item }: { readonly item: number }) => ({ log: [`${item}${suffix}`] }))
        .addEdge(START, "ask")
        .addConditionalEdges("ask", () => [new Send("each", { item: 1 }), new Send("each", { item: 2 })])
        .addEdge("each", END)
        .compile({ checkpointer: saver });
    const app = build("");
    await app.invoke({ log: ["x"] }, thread);
    for (const resume of ["yes", "no"]) await app.invoke(new Command({ resume }), thread);
    expect(await rerun(saver, app)).toMatchObject({ identical: true, runs: [{ rehearsed: 5 }] });
    expect((await rerun(saver, build("!"))).difference).toMatchObject({
      ...{ by: "node", node: "each", step: 2, task: "2/each", part: "state", path: "/log/0" },
      ...{ expected: "1!", recorded: "1" },
      message: 'each, in step 2, writes to /log/0: "1" then, and "1!" now.',
    });
  });

  test("is called for the attempt that counted, and for no other", async () => {
    const saver = new MemorySaver();
    const attempts: number[] = [];
    const retryPolicy = { initialInterval: 1 };
    const app = single(
      saver,
      (_, { attempt }: { readonly attempt: number }) => {
        attempts.push(attempt);
        if (attempt < 3) throw new Error("busy");
        return { n: attempt };
      },
      { retryPolicy },
    );
    await app.invoke({}, thread);
    attempts.length = 0;
    expect(await rerun(saver, app)).toMatchObject({ identical: true, runs: [{ rehearsed: 1 }] });
    expect(attempts).toEqual([3]);
  });

  test("whose error handler stood in for it is held against what that returned", async () => {
    const saver = new MemorySaver();
    const build = (said: string) =>
      single(saver, () => Promise.reject(new Error("down")), { onError: () => ({ said }) });
    await build("mended").invoke({}, thread);
    expect((await rerun(saver, build("mended"))).identical).toBe(true);
    expect((await rerun(saver, build("otherwise"))).difference).toMatchObject({ node: "one", path: "/said" });
  });

  test("that failed is compared by code and sentence, and one that no longer fails is found", async () => {
    const saver = new MemorySaver();
    const failing = (message: string) =>
      single(saver, () => {
        throw new Error(message);
      });
    await expect(failing("down").invoke({}, thread)).rejects.toThrow("down");
    expect((await rerun(saver, failing("down"))).identical).toBe(true);
    expect((await rerun(saver, failing("up"))).difference).toMatchObject({
      ...{ part: "failure", path: "/message", expected: "up", recorded: "down" },
    });
    const { difference } = await rerun(
      saver,
      single(saver, () => ({ n: 1 })),
    );
    expect(difference).toMatchObject({
      part: "end",
      message: "one, in step 1, threw (down) then, and finished now.",
    });
  });

  test("that failed, was resumed and finished is compared by how it finished", async () => {
    const saver = new MemorySaver();
    let isDown = true;
    const app = single(saver, () => {
      if (isDown) throw new Error("down");
      return { n: 1 };
    });
    await expect(app.invoke({}, thread)).rejects.toThrow("down");
    isDown = false;
    await app.invoke(null, thread);
    expect(await rerun(saver, app)).toMatchObject({ identical: true, runs: [{ rehearsed: 1 }] });
  });

  test("whose result came from a cache is not held against it, its conditional edges are", async () => {
    const saver = new MemorySaver();
    const build = (n: number, to: "one" | typeof END) =>
      new StateGraph(fields)
        .addNode("one", () => ({ n }), { cache: true })
        .addEdge(START, "one")
        .addConditionalEdges("one", () => to, ["one", END])
        .compile({ checkpointer: saver });
    const app = build(1, END);
    await app.invoke({}, { threadId: "first" });
    await app.invoke({}, thread);
    const report = await rerun(saver, build(2, END));
    expect(report).toMatchObject({ identical: true, runs: [{ taken: 1 }] });
    expect(report.runs[0]?.gaps[0]?.why).toContain("came from a cache");
    expect((await rerun(saver, build(1, "one"))).difference).toMatchObject({ node: "one", part: "route" });
    const first = await replayRun(
      { journal: saver, run: "first" as never },
      rerunPrograms(build(2, END).graph),
    );
    expect(first.difference).toMatchObject({ node: "one", path: "/n" });
  });

  test("is called once, also when it comes to something else", async () => {
    const saver = new MemorySaver();
    type Once = { readonly once: (key: string, effect: () => unknown) => Promise<unknown> };
    let calls = 0;
    const build = (said: string) =>
      single(saver, async (_, { once }: Once) => {
        calls++;
        await once("pay", () => 1);
        return { said };
      });
    await build("x").invoke({}, thread);
    calls = 0;
    expect((await rerun(saver, build("y"))).difference).toMatchObject({ path: "/said" });
    expect(calls).toBe(1);
  });

  test("may name its fields in another order", async () => {
    const saver = new MemorySaver();
    await single(saver, () => ({ n: 1, said: "x" })).invoke({}, thread);
    expect(
      (
        await rerun(
          saver,
          single(saver, () => ({ said: "x", n: 1 })),
        )
      ).identical,
    ).toBe(true);
  });

  test("is not there any more, and that is found", async () => {
    const saver = new MemorySaver();
    const build = (name: string) =>
      new StateGraph(fields)
        .addNode("first", () => ({}), { ends: [END] })
        .addNode(name, () => ({ n: 1 }))
        .addEdge(START, "first")
        .addConditionalEdges("first", () => name)
        .addEdge(name, END)
        .compile({ checkpointer: saver });
    await build("one").invoke({}, thread);
    expect((await rerun(saver, build("two"))).difference).toMatchObject({
      ...{ node: "first", part: "route", expected: "two", recorded: "one" },
    });
  });
});

describe("what a node remembers", () => {
  type Once = { readonly once: (key: string, effect: () => unknown) => Promise<unknown> };
  const paying = (saver: MemorySaver, key: string, effect: () => unknown) =>
    single(saver, async (_, { once }: Once) => ({ said: await once(key, effect) }));

  test("under a new key is found, and its effect is not done", async () => {
    const saver = new MemorySaver();
    await paying(saver, "a", () => "x").invoke({}, thread);
    let effects = 0;
    const { difference } = await rerun(
      saver,
      paying(saver, "b", () => ++effects),
    );
    expect(difference).toMatchObject({
      by: "node",
      node: "one",
      message: expect.stringContaining("remember b"),
    });
    expect(effects).toBe(0);
  });

  test("failed then, and the node caught it or failed with it: nobody can say what that was", async () => {
    const saver = new MemorySaver();
    const down = () => {
      throw new Error("down");
    };
    const caught = single(saver, async (_, { once }: Once) => {
      const said = await once("pay", down).catch((error: Error) => error.message);
      return { said };
    });
    await caught.invoke({}, thread);
    expect(await rerun(saver, caught)).toMatchObject({ identical: true, runs: [{ taken: 1 }] });
    const failing = new MemorySaver();
    await expect(paying(failing, "pay", down).invoke({}, thread)).rejects.toThrow("down");
    const report = await rerun(failing, paying(failing, "pay", down));
    expect(report).toMatchObject({ identical: true, runs: [{ taken: 1 }] });
    expect(report.runs[0]?.gaps[0]?.why).toContain("pay");
  });
});

describe("what the caller passed", () => {
  const read = (saver: MemorySaver) =>
    single(
      saver,
      (_, { context, configurable }: { context: { user: string }; configurable: { plan: string } }) => ({
        said: `${context.user} ${configurable.plan}`,
      }),
    );

  test("is not in the log, so that who looks at it is taken as recorded until somebody says it", async () => {
    const saver = new MemorySaver();
    const app = read(saver);
    await app.invoke({}, { ...thread, context: { user: "Ada" }, configurable: { plan: "b" } } as never);
    const unknown = await rerun(saver, app);
    expect(unknown).toMatchObject({ identical: true, runs: [{ rehearsed: 0, taken: 1 }] });
    expect(unknown.runs[0]?.gaps[0]?.why).toContain("what its caller passed as context");
    const known = { context: { user: "Ada" }, configurable: { plan: "b" } };
    expect(await rerun(saver, app, known)).toMatchObject({
      identical: true,
      runs: [{ rehearsed: 1, taken: 0 }],
    });
    const other = await rerun(saver, app, { ...known, context: { user: "Grace" } });
    expect(other.difference).toMatchObject({ node: "one", path: "/said" });
  });

  test("its thread is known in any case", async () => {
    const saver = new MemorySaver();
    const app = single(saver, (_, { configurable }: { configurable: { thread_id: string } }) => ({
      said: configurable.thread_id,
    }));
    await app.invoke({}, thread);
    expect(await rerun(saver, app)).toMatchObject({ identical: true, runs: [{ rehearsed: 1, taken: 0 }] });
  });
});

describe("sub-graphs", () => {
  const build = (saver: MemorySaver, word: string) => {
    const log = { log: field<string[]>({ reducer: reducers.append, default: [] }) };
    const inner = new StateGraph({ ...log, draft: field<string>() })
      .addNode("write", (_, { configurable }) => ({ draft: word, log: [String(configurable["thread_id"])] }))
      .addNode("ask", ({ draft }) => ({ log: [`${draft} ${interrupt("well?")}`] }))
      .addConditionalEdges(START, ({ log: so }) => (so.length > 0 ? "write" : "ask"), ["write", "ask"])
      .addEdge("write", "ask")
      .addEdge("ask", END)
      .compile();
    return new StateGraph(log)
      .addNode("team", inner)
      .addNode("after", ({ log: so }) => ({ log: [String(so.length)] }))
      .addEdge(START, "team")
      .addEdge("team", "after")
      .addEdge("after", END)
      .compile({ checkpointer: saver });
  };

  test("are called again with their own logs, through questions, and a change inside is named", async () => {
    const saver = new MemorySaver();
    const app = build(saver, "draft");
    await app.invoke({ log: ["x"] }, thread);
    await app.invoke(new Command({ resume: "fine" }), thread);
    const report = await rerun(saver, app);
    expect(report.difference).toBeUndefined();
    expect(report.runs.map(({ run, checked, gaps }) => [run, checked, gaps])).toEqual([
      ["t", "nodes", []],
      ["t/1/team", "nodes", []],
    ]);
    const { difference } = await rerun(saver, build(saver, "other"));
    expect(difference).toMatchObject({ run: "t/1/team", node: "write", path: "/draft" });
  });

  test("can be replayed without the run around them", async () => {
    const saver = new MemorySaver();
    const app = build(saver, "draft");
    await app.invoke({ log: ["x"] }, thread);
    for (const programFor of [graphPrograms(app.graph), rerunPrograms(app.graph)]) {
      const report = await replayRun({ journal: saver, run: "t/1/team" as never }, programFor);
      expect(report).toMatchObject({ identical: true, runs: [{ run: "t/1/team", gaps: [] }] });
    }
  });
});

test("tasks of workflows hand back what they returned, and what stands between them is compared", async () => {
  const saver = new MemorySaver();
  let calls = 0;
  const build = (mark: string) => {
    const write = task("write", (topic: string) => `${topic} ${++calls}`);
    const ask = task("ask", (text: string) => `${text} ${interrupt("well?")}`);
    return entrypoint({ name: "essay", checkpointer: saver }, async (topic: string) => {
      const [one, two] = [await write(topic), await write("dogs")];
      const asked = await ask(one);
      return `${one}, ${two}, ${asked}, ${interrupt("sure?")}${mark}`;
    });
  };
  const essay = build(".");
  await essay.invoke("cats", thread);
  for (const resume of ["yes", "no"]) await essay.invoke(new Command({ resume }), thread);
  const before = calls;
  const report = await rerun(saver, essay);
  expect(report.difference).toBeUndefined();
  expect(calls).toBe(before);
  expect((await rerun(saver, build("!"))).difference).toMatchObject({ node: "essay", path: "/output" });
});

test("at pace turn a node that had to wait for room is called with what it saw when it began", async () => {
  const saver = new MemorySaver();
  const app = new StateGraph({ seen: field<number[]>({ reducer: reducers.append, default: [] }) })
    .addNode("a", ({ seen }) => ({ seen: [seen.length] }))
    .addNode("b", ({ seen }) => ({ seen: [seen.length] }))
    .addNode("c", ({ seen }) => ({ seen: [seen.length] }))
    .addEdge(START, "a")
    .addEdge(START, "b")
    .addEdge(START, "c")
    .addEdge(["a", "b", "c"], END)
    .compile({ checkpointer: saver, pace: "turn", maxConcurrency: 1 });
  expect(await app.invoke({}, thread)).toEqual({ seen: [0, 1, 2] });
  expect(await rerun(saver, app)).toMatchObject({ identical: true, runs: [{ rehearsed: 3 }] });
});

describe("the path functions of START", () => {
  const build = (saver: MemorySaver, to: readonly string[]) =>
    new StateGraph(fields)
      .addNode("a", () => ({}))
      .addNode("b", () => ({ n: 1 }))
      .addConditionalEdges(START, ({ n }) => (n === 7 ? to : ["a"]) as ("a" | "b")[], ["a", "b", END])
      .addEdge("a", END)
      .addEdge("b", END)
      .compile({ checkpointer: saver });

  test.each([
    ["leads elsewhere", ["b"]],
    ["leads nowhere", []],
    ["leads to one more", ["a", "b"]],
    ["leads to no node", ["c"]],
  ])("are asked again: one that %s now is found", async (_, to) => {
    const saver = new MemorySaver();
    await build(saver, ["a"]).invoke({ n: 7 }, thread);
    for (const programsOf of [graphPrograms, rerunPrograms]) {
      expect(await under(saver, programsOf(build(saver, ["a"]).graph))).toMatchObject({ identical: true });
      const { difference } = await under(saver, programsOf(build(saver, to).graph));
      expect(difference).toMatchObject({ by: "start", type: "run.started", seq: 1 });
    }
  });

  test("are asked at each start of a thread, and where a command led besides is none of theirs", async () => {
    const saver = new MemorySaver();
    const app = build(saver, ["a"]);
    await app.invoke(new Command({ update: { n: 7 }, goto: "b" }), thread);
    await app.invoke({ n: 7 }, thread);
    expect(await under(saver, graphPrograms(app.graph))).toMatchObject({ identical: true });
    expect((await under(saver, graphPrograms(build(saver, []).graph))).difference).toMatchObject({ seq: 1 });
  });

  test("that look at what the caller passed are taken as recorded, when they come to something else", async () => {
    const saver = new MemorySaver();
    const app = new StateGraph(fields)
      .addNode("a", () => ({}))
      .addNode("b", () => ({}))
      .addConditionalEdges(
        START,
        (_, { context }) => ((context as { to: string }) ?? { to: "b" }).to as "a" | "b",
      )
      .addEdge("a", END)
      .addEdge("b", END)
      .compile({ checkpointer: saver });
    await app.invoke({}, { ...thread, context: { to: "a" } } as never);
    const report = await under(saver, graphPrograms(app.graph));
    expect(report).toMatchObject({ identical: true, runs: [{ taken: 1 }] });
    expect(report.runs[0]?.gaps[0]).toMatchObject({ seq: 1, why: expect.stringContaining("context") });
    const known = graphPrograms(app.graph, undefined, { context: { to: "b" } });
    expect((await under(saver, known)).difference).toMatchObject({ by: "start" });
  });
});

test("a path function that throws now is found", async () => {
  const saver = new MemorySaver();
  const build = (path: () => typeof END) =>
    new StateGraph(fields)
      .addNode("a", () => ({}))
      .addEdge(START, "a")
      .addConditionalEdges("a", path, [END])
      .compile({ checkpointer: saver });
  await build(() => END).invoke({}, thread);
  const broken = build(() => {
    throw new Error("boom");
  });
  const { difference } = await under(saver, graphPrograms(broken.graph));
  expect(difference).toMatchObject({ by: "handler", message: expect.stringContaining("boom") });
});

describe("without the code", () => {
  const build = (saver: MemorySaver) =>
    new StateGraph({
      ...fields,
      best: field<number>({ reducer: (a, b) => Math.max(a, b), default: 0 }),
      log: field<readonly string[]>({ reducer: reducers.append, default: [] }),
    })
      .addNode("a", ({ n }) => ({ n: n + 1, best: n, log: ["a"] }))
      .addNode("b", () => ({ best: 5, log: ["b"] }))
      .addEdge(START, "a")
      .addConditionalEdges("a", ({ n }) => (n < 3 ? "a" : "b"))
      .addEdge("b", END)
      .compile({ checkpointer: saver });

  test("a log is held against what the kernel decides, and says what was not asked again", async () => {
    const saver = new MemorySaver();
    const app = build(saver);
    await app.invoke({}, thread);
    const report = await under(saver, logPrograms);
    expect(report.difference).toBeUndefined();
    expect(report.runs[0]).toMatchObject({
      checked: "kernel",
      unchecked: ["node functions", "conditional edges", "reducers"],
    });
    const { runs } = await under(saver, graphPrograms(app.graph));
    expect(runs[0]).toMatchObject({ hash: report.runs[0]?.hash, unchecked: ["node functions"] });
  });

  test("a changed commit is found", async () => {
    const saver = new MemorySaver();
    await build(saver).invoke({}, thread);
    const forged = new MemorySaver();
    const events = structuredClone(await saver.read("t" as never, 0)) as Event[];
    const at = events.findIndex(({ type }) => type === "step.committed");
    Object.assign(events[at] as object, { ran: [] });
    const head = saver.head("t" as never);
    await forged.append({
      run: "t" as never,
      after: 0,
      events,
      texts: [],
      ...(head && { head: head as never }),
    });
    expect((await under(forged, logPrograms)).difference).toMatchObject({ by: "kernel", seq: at + 1 });
  });

  test("a reducer that threw then is not called, and the run fails the same again", async () => {
    const saver = new MemorySaver();
    const app = new StateGraph({
      n: field<number>({
        reducer: () => {
          throw new Error("cannot add");
        },
        default: 0,
      }),
    })
      .addNode("a", () => ({ n: 1 }))
      .addEdge(START, "a")
      .addEdge("a", END)
      .compile({ checkpointer: saver });
    await expect(app.invoke({}, thread)).rejects.toThrow("cannot add");
    expect(await under(saver, logPrograms)).toMatchObject({ identical: true });
  });
});
