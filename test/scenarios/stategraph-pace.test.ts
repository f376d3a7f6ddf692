/** Promises of pace, of many tasks at once, and of calls that meet on one thread. */
import { END, field, MemorySaver, reducers, Send, START, StateGraph } from "batonjs";
import { describe, expect, test } from "vitest";
import { log, newThread } from "./stategraph-kit.ts";

const counting = () =>
  new StateGraph({ count: field<number>({ default: 0 }) })
    .addNode("more", ({ count }) => ({ count: count + 1 }))
    .addEdge(START, "more");

describe("threads under load", () => {
  test("of two calls on one thread at a time, one wins and the other says so", async () => {
    const app = counting()
      .addNode("wait", async () => new Promise<null>((resolve) => setTimeout(resolve, 5, null)))
      .addEdge("more", "wait")
      .addEdge("wait", END)
      .compile({ checkpointer: new MemorySaver() });
    const thread = newThread();
    const calls = await Promise.allSettled([app.invoke({}, thread), app.invoke({}, thread)]);
    expect(calls.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    const lost = calls.find(({ status }) => status === "rejected") as PromiseRejectedResult;
    expect(lost.reason).toMatchObject({ name: "ThreadConflictError" });
    const { count } = (await app.getState(thread)).values;
    expect(await app.invoke({}, thread)).toEqual({ count: count + 1 });
  });

  test("a list that grows by 1 KiB for 300 steps takes at most 1.3 times its payload", async () => {
    const saver = new MemorySaver();
    const app = new StateGraph({ ...log(), n: field<number>({ default: 0 }) })
      .addNode("grow", ({ n }) => ({ n: n + 1, log: ["x".repeat(1024)] }))
      .addEdge(START, "grow")
      .addConditionalEdges("grow", ({ n }) => (n < 300 ? "grow" : END))
      .compile({ checkpointer: saver });
    const thread = newThread();
    await app.invoke({}, { ...thread, recursionLimit: 300 });
    const events = saver.read(thread.configurable.thread_id as never, 0);
    expect(JSON.stringify(events).length).toBeLessThan(300 * 1024 * 1.3 + 300 * 600);
  });

  test("a thousand sends run side by side and fold in order", async () => {
    const app = new StateGraph({ all: field<number[]>({ reducer: reducers.append, default: [] }) })
      .addNode("plan", () => null)
      .addNode("work", async ({ n }: { n: number }) => ({ all: [n] }))
      .addEdge(START, "plan")
      .addConditionalEdges("plan", () => Array.from({ length: 1000 }, (_, n) => new Send("work", { n })))
      .addEdge("work", END)
      .compile();
    expect((await app.invoke({})).all).toEqual(Array.from({ length: 1000 }, (_, n) => n));
  });
});

describe('pace "turn"', () => {
  test("§4.38 §4.39 each node starts as soon as its edges have fired, and waiting edges still wait", async () => {
    const order: string[] = [];
    const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
    const node = (name: string, ms: number) => async () => {
      await wait(ms);
      order.push(name);
      return { log: [name] };
    };
    const app = new StateGraph(log())
      .addNode("slow", node("slow", 60))
      .addNode("quick1", node("quick1", 1))
      .addNode("quick2", node("quick2", 1))
      .addNode("join", node("join", 1))
      .addEdge(START, "slow")
      .addEdge(START, "quick1")
      .addEdge("quick1", "quick2")
      .addEdge(["slow", "quick2"], "join")
      .addEdge("join", END)
      .compile({ pace: "turn" });
    expect(await app.invoke({})).toEqual({ log: ["quick1", "quick2", "slow", "join"] });
    expect(order).toEqual(["quick1", "quick2", "slow", "join"]);
  });

  test("§5.19 each moment tells all that was still to run", async () => {
    const node = (ms: number, name: string) => async () => {
      await new Promise((resolve) => setTimeout(resolve, ms));
      return { log: [name] };
    };
    const app = new StateGraph(log())
      .addNode("slow", node(40, "slow"))
      .addNode("quick", node(1, "quick"))
      .addNode("next", node(1, "next"))
      .addEdge(START, "slow")
      .addEdge(START, "quick")
      .addEdge("quick", "next")
      .addEdge("slow", END)
      .addEdge("next", END)
      .compile({ pace: "turn", checkpointer: new MemorySaver() });
    const thread = newThread();
    await app.invoke({}, thread);
    const moments: unknown[] = [];
    for await (const { values, next } of app.getStateHistory(thread))
      moments.push([values.log.join(" "), next]);
    expect(moments).toEqual([
      ["quick next slow", []],
      ["quick next", ["slow"]],
      ["quick", ["slow", "next"]],
      ["", ["slow", "quick"]],
    ]);
  });
});
