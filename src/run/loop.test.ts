import { AsyncLocalStorage } from "node:async_hooks";
import { expect, test } from "vitest";
import { done, last, open, program, virtualClock } from "../../test/kit.ts";
import { MemoryJournal } from "../journals/memory.ts";
import type { Batch } from "./journal.ts";

/** A journal that remembers which facts came together. */
class Noting extends MemoryJournal {
  readonly appends: string[][] = [];

  override append(batch: Batch): void {
    this.appends.push(batch.events.map(({ type }) => type));
    super.append(batch);
  }
}

const turn = () => Promise.resolve();
const untilAborted = (signal: AbortSignal) =>
  new Promise((resolve) => signal.addEventListener("abort", resolve));

test("rule 2: a step of one waiting task is one append", async () => {
  const journal = new Noting();
  const nodes = { a: { run: async () => last(await turn(), done({}, "b")) }, b: { run: async () => done() } };
  const { run } = await open(program({ nodes }), journal);
  await run.send({ type: "start", writes: [] });
  await run.drive();
  expect(journal.appends.slice(2)).toEqual([
    ["task.finished", "step.committed", "step.opened"],
    ["task.finished", "step.committed", "run.finished"],
  ]);
});

test("rule 2: what several tasks bring in one turn is one append", async () => {
  const journal = new Noting();
  const wait = { run: async () => last(await turn(), done()) };
  const nodes = { a: { run: () => done({}, "b", "c", "d") }, b: wait, c: wait, d: wait };
  const { run } = await open(program({ nodes }), journal);
  await run.send({ type: "start", writes: [] });
  await run.drive();
  expect(journal.appends.at(-1)).toEqual([
    ...["task.finished", "task.finished", "task.finished"],
    ...["step.committed", "run.finished"],
  ]);
});

test("what tells it to stop while it lets others have their turn is heard", async () => {
  let steps = 0;
  const stop = new AbortController();
  const clock = virtualClock();
  const breathe = async () => {
    stop.abort();
    return clock.breathe();
  };
  const a = {
    run: async (_: unknown, { signal }: { readonly signal: AbortSignal }) =>
      ++steps < 256 ? done({}, "a") : last(await untilAborted(signal), done()),
  };
  const { run } = await open(program({ nodes: { a } }), new MemoryJournal(), { ...clock, breathe });
  await run.send({ type: "start", writes: [] });
  expect(await run.drive({ signal: stop.signal, grace: 0 })).toMatchObject({ kind: "stopped" });
  expect(run.ledger.state.status).toBe("running");
});

test("what follows its caller through awaits follows its tasks too, also after somebody else's command", async () => {
  const who = new AsyncLocalStorage<string>();
  const seen: unknown[] = [];
  const { promise: answered, resolve: release } = Promise.withResolvers<void>();
  const nodes = {
    a: { run: () => done({}, "ask", "slow") },
    ask: {
      run: async (_: unknown, { answers }: { readonly answers: readonly unknown[] }) =>
        last(
          seen.push(who.getStore()),
          answers.length > 0 ? done() : { kind: "asks" as const, questions: [{ value: "?" }] },
        ),
    },
    slow: { run: async () => last(await answered, done()) },
  };
  const { run } = await open(program({ nodes }), new MemoryJournal());
  await run.send({ type: "start", writes: [] });
  const driving = who.run("driver", () => run.drive());
  await expect.poll(() => run.ledger.state.count.asked).toBe(1);
  await who.run("commander", () => run.send({ type: "answer", value: "yes" }));
  await expect.poll(() => seen.length).toBe(2);
  release();
  await driving;
  expect(run.ledger.state.status).toBe("completed");
  expect(seen).toEqual(["driver", "driver"]);
});
