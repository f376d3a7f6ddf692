/** Promises of the functional door: plain control flow, tasks that are not done twice, questions, and a memory. */
import {
  Command,
  entrypoint,
  GraphError,
  getPreviousState,
  interrupt,
  isInterrupted,
  MemorySaver,
  NodeExecutionError,
  task,
} from "batonjs";
import { describe, expect, expectTypeOf, test } from "vitest";
import type { Journal } from "../../src/run/journal.ts";
import { FaultyJournal } from "../../src/testing/faulty-journal.ts";
import { newThread, SAVERS } from "./stategraph-kit.ts";

test("an entrypoint runs tasks with plain control flow and returns what it returns", async () => {
  const double = task("double", async (n: number) => n * 2);
  const sum = entrypoint("sum", async (numbers: readonly number[]) => {
    const doubled = await Promise.all(numbers.map((n) => double(n)));
    return doubled.reduce((a, b) => a + b, 0);
  });
  const result = await sum.invoke([1, 2, 3]);
  expectTypeOf(result).extract<number>().toEqualTypeOf<number>();
  expect(result).toBe(12);
});

describe.each(SAVERS)("with %s", (_name, make) => {
  test("finished tasks do not run again after a question, and any value comes back exactly", async () => {
    const ran: string[] = [];
    const write = task("write", (topic: string) => {
      ran.push(topic);
      return { text: `On ${topic}`, at: new Date(0) };
    });
    const essay = entrypoint({ name: "essay", checkpointer: make() }, async (topic: string) => {
      const first = await write(topic);
      const verdict = interrupt<string>({ read: first.text });
      const second = await write(`${topic}, ${verdict}`);
      return [first.at, second.text];
    });
    const thread = newThread();
    const asked = await essay.invoke("cats", thread);
    expect(asked).toEqual({ __interrupt__: [{ id: "1/essay:0", value: { read: "On cats" } }] });
    expect(await essay.invoke(new Command({ resume: "longer" }), thread)).toEqual([
      new Date(0),
      "On cats, longer",
    ]);
    expect(ran).toEqual(["cats", "cats, longer"]);
  });

  test("answers stay with the task that asked, though it does not run again", async () => {
    const ask = task("ask", async (what: string) => interrupt<string>(what));
    const survey = entrypoint({ name: "survey", checkpointer: make() }, async () => {
      const one = await ask("one?");
      const two = interrupt<string>("two?");
      return [one, two, await ask("three?")];
    });
    const thread = newThread();
    let result: unknown = await survey.invoke({}, thread);
    for (const answer of ["1", "2", "3"]) {
      expect(isInterrupted(result)).toBe(true);
      result = await survey.invoke(new Command({ resume: answer }), thread);
    }
    expect(result).toEqual(["1", "2", "3"]);
  });

  test("getPreviousState gives what the last run of the thread returned or saved", async () => {
    const count = entrypoint({ name: "count", checkpointer: make() }, (by: number) => {
      const total = (getPreviousState<number>() ?? 0) + by;
      return entrypoint.final({ value: `total ${total}`, save: total });
    });
    const thread = newThread();
    expect(await count.invoke(1, thread)).toBe("total 1");
    expect(await count.invoke(2, thread)).toBe("total 3");
    expect(await count.invoke(5, newThread())).toBe("total 5");
    expect((await count.getState(thread)).values).toMatchObject({ output: "total 3", previous: 3 });
  });

  test("a failure is the caller's, and invoke(null) goes on behind the tasks that finished", async () => {
    let fails = true;
    let effects = 0;
    const effect = task("effect", () => ++effects);
    const flow = entrypoint({ name: "flow", checkpointer: make() }, async () => {
      const n = await effect();
      if (fails) throw new Error("later");
      return n;
    });
    const thread = newThread();
    await expect(flow.invoke("x", thread)).rejects.toBeInstanceOf(NodeExecutionError);
    fails = false;
    expect(await flow.invoke(null, thread)).toBe(1);
  });

  test("a crash at every append ends the same, and no recorded task runs twice", async () => {
    const build = (journal: Journal, ran: number[]) => {
      const step = task("step", (n: number) => {
        ran.push(n);
        return n * 10;
      });
      return entrypoint({ name: "steps", checkpointer: journal }, async (n: number) => {
        const results: number[] = [];
        for (let i = 0; i < n; i++) results.push(await step(i));
        return results;
      });
    };
    for (const write of ["kept", "lost"] as const) {
      for (let append = 1; append < 30; append++) {
        const journal = make();
        const faulty = new FaultyJournal(journal, { append, write });
        const ran: number[] = [];
        const thread = newThread();
        const crashed = await build(faulty, ran)
          .invoke(3, thread)
          .catch(() => "crashed");
        const begun = (await journal.read(thread.configurable.thread_id as never, 0)).length > 0;
        const result =
          crashed === "crashed" ? await build(journal, ran).invoke(begun ? null : 3, thread) : crashed;
        expect(result).toEqual([0, 10, 20]);
        expect(ran.length).toBeLessThanOrEqual(write === "kept" ? 3 : 4);
        if (!faulty.crashed) break;
      }
    }
  });
});

test("a task is tried again as its retry policy says", async () => {
  let tries = 0;
  const flaky = task({ name: "flaky", retryPolicy: { initialInterval: 1, maxAttempts: 4 } }, () => {
    if (++tries < 3) throw new Error("not yet");
    return tries;
  });
  const calm = task({ name: "calm", retryPolicy: { initialInterval: 1, retryOn: [TypeError] } }, () => {
    tries++;
    throw new Error("never");
  });
  expect(await entrypoint("flow", () => flaky()).invoke({})).toBe(3);
  await expect(entrypoint("flow", () => calm()).invoke({})).rejects.toThrow("never");
  expect(tries).toBe(4);
});

test("streams show tasks as they end, then the result under the name of the workflow", async () => {
  const double = task("double", (n: number) => n * 2);
  const flow = entrypoint("flow", async (n: number, { writer }) => {
    writer("begun");
    return (await double(n)) + (await double(1));
  });
  const read = async (streamMode: "updates" | "values" | readonly ("updates" | "custom")[]) => {
    const chunks: unknown[] = [];
    for await (const chunk of flow.stream(4, { streamMode })) chunks.push(chunk);
    return chunks;
  };
  expect(await read("updates")).toEqual([{ double: 8 }, { double: 2 }, { flow: 10 }]);
  expect(await read("values")).toEqual([10]);
  expect(await read(["custom", "updates"])).toEqual([
    ["custom", "begun"],
    ["updates", { double: 8 }],
    ["updates", { double: 2 }],
    ["updates", { flow: 10 }],
  ]);
});

test("a task outside of a workflow, and a question without a checkpointer, say what to do", async () => {
  await expect(task("lost", () => 1)()).rejects.toBeInstanceOf(GraphError);
  expect(() => getPreviousState()).toThrow(GraphError);
  await expect(entrypoint("flow", () => interrupt("?")).invoke({})).rejects.toThrow("checkpointer");
  const saver = new MemorySaver();
  await expect(entrypoint({ name: "flow", checkpointer: saver }, () => 1).invoke({})).rejects.toThrow(
    "thread_id",
  );
});
