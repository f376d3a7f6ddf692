/** Promises of the order of streams, and of coming back to a run from a place in its log. */
import { Command, END, GraphError, interrupt, MemorySaver, START, StateGraph } from "batonjs";
import { describe, expect, test } from "vitest";
import { all, log, newThread, SAVERS, wait } from "./stategraph-kit.ts";

const build = (checkpointer?: MemorySaver, ms = 0) =>
  new StateGraph(log())
    .addNode("a", () => ({ log: ["a"] }))
    .addNode("b", async () => wait(ms).then(() => ({ log: ["b"] })))
    .addNode("c", () => ({ log: ["c"] }))
    .addEdge(START, "a")
    .addEdge("a", "b")
    .addEdge("a", "c")
    .addEdge("b", END)
    .addEdge("c", END)
    .compile(checkpointer ? { checkpointer } : {});

describe("the order of chunks", () => {
  test("what the tasks of a step brought comes before the values of that step, and its checkpoint last", async () => {
    const modes = ["values", "checkpoints", "updates", "tasks"] as const;
    const shown: string[] = [];
    for await (const item of build().stream({}, { streamMode: modes })) {
      const [mode, chunk] = item as [string, Record<string, unknown>];
      if (mode === "updates") shown.push(`update ${Object.keys(chunk)}`);
      else if (mode === "tasks") shown.push(`${"result" in chunk ? "end" : "start"} ${chunk["name"]}`);
      else shown.push(mode);
    }
    expect(shown).toEqual([
      ...["values", "checkpoints"],
      ...["start a", "update a", "end a", "values", "checkpoints"],
      ...["start b", "start c", "update c", "end c", "update b", "end b", "values", "checkpoints"],
    ]);
  });

  test("debug: the tasks of a step, their results, then its checkpoint", async () => {
    const types: string[] = [];
    for await (const chunk of build().stream({}, { streamMode: "debug" })) {
      types.push((chunk as { type: string }).type);
    }
    const step = (count: number) => [
      ...Array.from({ length: count }, () => "task"),
      ...Array.from({ length: count }, () => "task_result"),
      "checkpoint",
    ];
    expect(types).toEqual(["checkpoint", ...step(1), ...step(2)]);
  });
});

describe.each(SAVERS)("events(config, { after }), with %s", (_name, make) => {
  test("replays what a stream showed, and goes on behind a sequence number without a gap or a repeat", async () => {
    const app = build(make() as MemorySaver);
    const thread = { ...newThread(), streamMode: ["updates", "values"] as const };
    const live: unknown[] = [];
    for await (const item of app.stream({ log: ["in"] }, thread)) live.push(item);
    const recorded = await all(app.events(thread));
    expect(recorded.map(({ mode, chunk }) => [mode, chunk])).toEqual(live);
    for (const { seq } of recorded) {
      const rest = await all(app.events(thread, { after: seq }));
      expect(rest).toEqual(recorded.filter((event) => event.seq > seq));
    }
  });

  test("follows a run that another call drives, until it waits for a person", async () => {
    const checkpointer = make();
    const app = new StateGraph(log())
      .addNode("a", async () => wait(30).then(() => ({ log: ["a"] })))
      .addNode("ask", () => ({ log: [interrupt<string>("?")] }))
      .addSequence(["a", "ask"])
      .addEdge(START, "a")
      .addEdge("ask", END)
      .compile({ checkpointer });
    const thread = newThread();
    const running = app.invoke({}, thread);
    await wait(10);
    const first = await all(app.events(thread, { interval: 5 }));
    expect(first.map(({ chunk }) => chunk)).toEqual([{ a: { log: ["a"] } }]);
    await running;
    await app.invoke(new Command({ resume: "yes" }), thread);
    const after = first.at(-1)?.seq ?? 0;
    expect((await all(app.events(thread, { after }))).map(({ chunk }) => chunk)).toEqual([
      { ask: { log: ["yes"] } },
    ]);
  });
});

test("events can be left with a signal, end at once for a thread that has not begun, and need a checkpointer", async () => {
  const app = build(new MemorySaver(), 300);
  const thread = newThread();
  expect(await all(app.events(thread))).toEqual([]);
  const running = app.invoke({}, thread);
  await wait(10);
  const seen = await all(app.events({ ...thread, signal: AbortSignal.timeout(20) }, { interval: 5 }));
  expect(seen.length).toBeLessThan(3);
  await running;
  await expect(all(build().events(thread))).rejects.toThrow(GraphError);
});

test("at pace turn no two values of a stream are the same moment", async () => {
  const app = new StateGraph(log())
    .addNode("a", () => ({ log: ["a"] }))
    .addNode("b", () => ({ log: ["b"] }))
    .addEdge(START, "a")
    .addEdge(START, "b")
    .addEdge("a", END)
    .addEdge("b", END)
    .compile({ pace: "turn" });
  const values: string[] = [];
  for await (const chunk of app.stream({})) values.push(JSON.stringify(chunk));
  expect(new Set(values).size).toBe(values.length);
  expect(values.at(-1)).toBe('{"log":["a","b"]}');
});
