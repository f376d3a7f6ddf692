/** Promises of looking back: the moments of a thread, going on from an older one, and answering it otherwise. */
import {
  Command,
  END,
  GraphError,
  interrupt,
  MemorySaver,
  START,
  StateGraph,
  type StateSnapshot,
} from "batonjs";
import { describe, expect, test } from "vitest";
import { ab, all, chain, log, newThread, SAVERS, say } from "./stategraph-kit.ts";

describe.each(SAVERS)("with %s", (_saver, make) => {
  const sequence = (options = {}) => chain("a", "b", "c").compile({ checkpointer: make(), ...options });

  describe("history", () => {
    test("§5.3 getStateHistory tells every moment, newest first", async () => {
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

    test("§5.5 §4.2 invoking with an older checkpoint_id forks, and nothing recorded is changed", async () => {
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

    test.each(["invoke", "stream"] as const)(
      "an older question can be answered otherwise, by %s at its moment, by its id or not",
      async (how) => {
        let asked = 0;
        const app = new StateGraph(log())
          .addNode("a", say("a"))
          .addNode("ask", () => {
            asked++;
            return { log: [interrupt<string>("?")] };
          })
          .addNode("z", say("z"))
          .addSequence(["a", "ask", "z"])
          .addEdge(START, "a")
          .addEdge("z", END)
          .compile({ checkpointer: make() });
        const thread = newThread();
        await app.invoke({}, thread);
        await app.invoke(new Command({ resume: "first" }), thread);
        const moment = (await all(app.getStateHistory(thread))).find(({ next }) => next[0] === "ask")!;
        for (const resume of ["second", { "2/ask:0": "second" }]) {
          const command = new Command({ resume });
          if (how === "invoke")
            expect((await app.invoke(command, moment.config)).log).toEqual(["a", "second", "z"]);
          else
            expect((await all(app.stream(command, moment.config))).at(-1)).toEqual({
              log: ["a", "second", "z"],
            });
        }
        expect(asked).toBe(6);
      },
    );
  });
});

test("§5.3 a limit, a moment or an id that cannot be says so, and an id may be a number", async () => {
  const app = ab().compile({ checkpointer: new MemorySaver() });
  const thread = newThread();
  await app.invoke({}, thread);
  const before = { configurable: { checkpoint_id: "newest" } };
  await expect(all(app.getStateHistory(thread, { before }))).rejects.toThrow("give the config of a state");
  await expect(all(app.getStateHistory(thread, { limit: -1 }))).rejects.toThrow("limit is -1");
  const at = (checkpoint_id: unknown) =>
    app.getState({ configurable: { ...thread.configurable, checkpoint_id: checkpoint_id as string } });
  expect((await at(1)).metadata.source).toBe("input");
  await expect(at("x")).rejects.toThrow("getStateHistory tells the ids");
});
