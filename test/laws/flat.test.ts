/** What a step costs does not grow with the run: in appends, in bytes, in copies. */
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { LocalRun } from "../../src/engines/local.ts";
import { MemoryJournal } from "../../src/journals/memory.ts";
import { SqliteJournal } from "../../src/journals/sqlite/sqlite-journal.ts";
import type { Reducer } from "../../src/kernel/program.ts";
import { channelValue } from "../../src/kernel/state.ts";
import type { Batch, Journal } from "../../src/run/journal.ts";
import { append, done, program, RUN, systemLike } from "../kit.ts";

const folder = mkdtempSync(join(tmpdir(), "baton-flat-"));
afterAll(() => rmSync(folder, { recursive: true }));

const STEPS = 2000;
const KIB = 1024;

/** As people write it: a reducer that makes a new list each time. */
const concat: Reducer = (current, update) => [...((current as []) ?? []), ...(update as [])];

/** A graph whose only node adds one item of 1 KiB to a list, again and again. */
function growing(reducer: "append" | "concat", steps: number = STEPS) {
  return program({
    channels: {
      list: { kind: "fold", reducer, initial: [] },
      n: { kind: "fold", reducer: "add", initial: 0 },
    },
    reducers: { append, concat },
    nodes: {
      a: {
        run: ({ snapshot }, { step }) => {
          const item = `${step} `.padEnd(KIB, String.fromCharCode(97 + (step % 26)));
          return done({ list: [item], n: 1 }, ...((snapshot.read("n") as number) < steps - 1 ? ["a"] : []));
        },
      },
    },
  });
}

async function drive(made: ReturnType<typeof program>, journal: Journal): Promise<LocalRun> {
  const run = await LocalRun.open(made, journal, RUN, { clock: systemLike });
  await run.send({ type: "start", writes: [] });
  await run.drive();
  expect(run.ledger.state.status).toBe("completed");
  return run;
}

class CountingJournal extends MemoryJournal {
  readonly bytes: number[] = [];

  override append(batch: Batch): void {
    super.append(batch);
    this.bytes.push(JSON.stringify(batch.events).length);
  }
}

test.each(["append", "concat"] as const)(
  "a list that grows by %s adds the same bytes at every step",
  async (reducer) => {
    const journal = new CountingJournal();
    await drive(growing(reducer), journal);
    expect(journal.bytes).toHaveLength(STEPS + 2);
    const [early, late] = [journal.bytes[10] as number, journal.bytes[STEPS - 10] as number];
    expect(late - early).toBeLessThan(40); // longer numbers, nothing else
    expect(late).toBeLessThan(KIB * 1.5);
  },
);

test.each(["append", "concat"] as const)(
  "2,000 steps of 1 KiB by %s store at most 1.3 times their payload",
  async (reducer) => {
    const path = join(folder, `${reducer}.db`);
    const journal = new SqliteJournal(path);
    await drive(growing(reducer), journal);
    journal.close();
    expect(statSync(path).size).toBeLessThan(STEPS * KIB * 1.3);
    const again = new SqliteJournal(path);
    const { ledger } = await LocalRun.open(growing(reducer), again, RUN);
    expect(channelValue(ledger.state, "list")).toHaveLength(STEPS);
    again.close();
  },
);

test("a list is copied when it is read, not when it grows", async () => {
  const slice = Array.prototype.slice;
  let copied = 0;
  Array.prototype.slice = function (this: unknown[], ...args) {
    if (this.length > 100) copied++;
    return slice.apply(this, args as []);
  };
  try {
    await drive(growing("append", 1000), new MemoryJournal());
  } finally {
    Array.prototype.slice = slice;
  }
  expect(copied).toBeLessThan(5);
});

test("of very many quick tasks a thousand are alive at once; slow ones all run at once", async () => {
  const fan = (width: number, work: () => Promise<void>) =>
    program({
      channels: { sum: { kind: "fold", reducer: "add", initial: 0 } },
      nodes: {
        a: {
          run: () =>
            ({ ...done(), sends: Array.from({ length: width }, () => ({ node: "b", input: 1 })) }) as never,
        },
        b: {
          run: async () => {
            await work();
            return done({ sum: 1 });
          },
        },
      },
      reducers: { add: (current, update) => ((current as number) ?? 0) + (update as number) },
    });
  let alive = 0;
  let most = 0;
  const quick = new CountingJournal();
  const run = await drive(
    fan(10_000, async () => {
      most = Math.max(most, ++alive);
      await undefined;
      alive--;
    }),
    quick,
  );
  expect(channelValue(run.ledger.state, "sum")).toBe(10_000);
  expect(most).toBe(1000);
  expect(quick.bytes.length).toBeLessThan(15);

  const all = Promise.withResolvers<void>();
  let started = 0;
  const slow = await drive(
    fan(5000, () => {
      if (++started === 5000) all.resolve(); // comes only when none has to wait for another
      return all.promise;
    }),
    new CountingJournal(),
  );
  expect(channelValue(slow.ledger.state, "sum")).toBe(5000);
});

test("a step of 10,000 tasks looks at each of them a fixed number of times", async () => {
  const reads = async (width: number) => {
    let looks = 0;
    const made = program({
      channels: { sum: { kind: "fold", reducer: "add", initial: 0 } },
      nodes: {
        a: {
          run: () =>
            ({
              ...done(),
              sends: Array.from({ length: width }, (_, input) => ({ node: "b", input })),
            }) as never,
        },
        b: { run: async ({ input }) => done({ sum: input ?? 0 }) },
      },
      reducers: {
        add: (current, update) => {
          looks++;
          return ((current as number) ?? 0) + (update as number);
        },
      },
    });
    const journal = new CountingJournal();
    const run = await drive(made, journal);
    expect(channelValue(run.ledger.state, "sum")).toBe((width * (width - 1)) / 2);
    return { looks: looks / width, bytes: journal.bytes.reduce((a, b) => a + b) / width };
  };
  const [few, many] = [await reads(1000), await reads(10_000)];
  expect(many.looks).toBe(few.looks);
  expect(many.bytes).toBeLessThan(few.bytes * 1.1);
});
