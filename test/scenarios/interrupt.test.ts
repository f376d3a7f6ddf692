/** An interrupt reaches the task that runs, and what the task then returns is what it leaves behind. */
import { expect, test } from "vitest";
import { LocalRun } from "../../src/engines/local.ts";
import { MemoryJournal } from "../../src/journals/memory.ts";
import { channelValue } from "../../src/kernel/state.ts";
import { done, program, RUN } from "../kit.ts";

const made = program({
  pace: "turn",
  channels: { log: { kind: "fold", reducer: "append", initial: [] } },
  nodes: {
    a: {
      run: (_, context) =>
        new Promise((resolve) => {
          const stop = () => resolve(done({ log: [`half done: ${context.interrupted}`] }));
          if (context.signal.aborted) stop();
          else context.signal.addEventListener("abort", stop);
        }),
    },
    idle: { run: () => done() },
  },
});

const settle = () => new Promise((resolve) => setTimeout(resolve, 5));

test("in this process", async () => {
  const run = await LocalRun.open(made, new MemoryJournal(), RUN);
  await run.send({ type: "start", writes: [] });
  const driving = run.drive();
  await settle();
  await expect(run.send({ type: "interrupt", node: "idle" })).rejects.toMatchObject({ code: "wrong_state" });
  await expect(run.send({ type: "interrupt", node: "nobody" })).rejects.toMatchObject({
    code: "unknown_node",
  });
  await run.send({ type: "interrupt", node: "a", reason: "enough" });
  await driving;
  expect(run.ledger.state.status).toBe("completed");
  expect(channelValue(run.ledger.state, "log")).toEqual(["half done: enough"]);
});

test("from another process, and also when the task's process has died", async () => {
  const journal = new MemoryJournal();
  const first = await LocalRun.open(made, journal, RUN);
  await first.send({ type: "start", writes: [] });
  const died = new AbortController();
  const driving = first.drive({ signal: died.signal });
  await settle();
  died.abort();
  await driving;
  const other = await LocalRun.open(made, journal, RUN);
  await other.send({ type: "interrupt", node: "a" });
  await other.drive();
  expect(channelValue(other.ledger.state, "log")).toEqual(["half done: requested"]);
});
