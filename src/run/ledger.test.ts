import { describe, expect, test } from "vitest";
import { append, done, last, open, program, RUN, virtualClock } from "../../test/kit.ts";
import { LocalRun, sha256 } from "../engines/local.ts";
import { MemoryJournal } from "../journals/memory.ts";
import { channelValue } from "../kernel/state.ts";
import type { Batch, Journal } from "./journal.ts";
import type { Durability } from "./ledger.ts";
import { loadState } from "./load.ts";

const STEPS = 20;

const counting = program({
  channels: { log: { kind: "fold", reducer: "append", initial: [] } },
  nodes: {
    a: {
      run: ({ snapshot }, { step }) =>
        done({ log: [step] }, ...((snapshot.read("log") as number[]).length < STEPS - 1 ? ["a"] : [])),
    },
  },
  reducers: { append },
});

/** A memory journal that answers later, as one behind a wire does, and counts. */
class SlowJournal extends MemoryJournal {
  readonly batches: Batch[] = [];

  override append(batch: Batch): void {
    throw new Error(`not to be called: ${batch.run}`);
  }
}

function slow(): { journal: Journal; batches: Batch[] } {
  const inner = new MemoryJournal();
  const journal = new SlowJournal();
  const { batches } = journal;
  const later = async <T>(value: T) => last(await undefined, await undefined, value);
  return {
    batches,
    journal: Object.assign(journal, {
      append: async (batch: Batch) => {
        await later(undefined);
        batches.push(batch);
        inner.append(batch);
      },
      read: (...args: Parameters<MemoryJournal["read"]>) => later(inner.read(...args)),
      head: (...args: Parameters<MemoryJournal["head"]>) => later(inner.head(...args)),
    }),
  };
}

async function runOn(journal: Journal, durability: Durability): Promise<LocalRun> {
  const run = await LocalRun.open(counting, journal, RUN, { durability, clock: virtualClock() });
  await run.send({ type: "start", writes: [] });
  await run.drive();
  return run;
}

describe("durability", () => {
  test("sync: a step of one task is one append, made before the next step runs", async () => {
    const { journal, batches } = slow();
    const run = await runOn(journal, "sync");
    expect(channelValue(run.ledger.state, "log")).toHaveLength(STEPS);
    expect(batches.map(({ events }) => events.map(({ type }) => type))).toEqual([
      ["run.started"],
      ["step.opened"],
      ...Array.from({ length: STEPS - 1 }, () => ["task.finished", "step.committed", "step.opened"]),
      ["task.finished", "step.committed", "run.finished"],
    ]);
  });

  test.each(["async", "exit"] as const)(
    "%s: fewer appends, and the same log in the end",
    async (durability) => {
      const { journal, batches } = slow();
      const run = await runOn(journal, durability);
      expect(batches.length).toBeLessThan(STEPS);
      if (durability === "exit") expect(batches).toHaveLength(1);
      const { state } = await loadState(journal, RUN);
      expect(state.seq).toBe(run.ledger.state.seq);
      expect(state.status).toBe("completed");
    },
  );

  test("a journal that fails later fails the drive, not in silence", async () => {
    const { journal } = slow();
    const broken = Object.assign(journal, { append: () => Promise.reject(new Error("disk full")) });
    await expect(runOn(broken, "async")).rejects.toThrow("disk full");
  });
});

describe("a ledger", () => {
  test("publishes what is recorded, once it is recorded, in order", async () => {
    const journal = new MemoryJournal();
    const { run } = await open(counting, journal);
    const seen: number[] = [];
    const stop = run.ledger.subscribe((events) => {
      expect(journal.read(RUN, 0).at(-1)?.seq).toBe(events.at(-1)?.seq);
      seen.push(...events.map(({ seq }) => seq));
    });
    await run.send({ type: "start", writes: [] });
    await run.drive();
    stop();
    expect(seen).toEqual(Array.from({ length: run.ledger.state.seq }, (_, index) => index + 1));
  });

  test("leaves no trace of work that throws", async () => {
    const { run, events } = await open(counting);
    await run.send({ type: "start", writes: [] });
    const broken = run.ledger.command((state, emit) => {
      emit({ type: "run.paused", reason: "half done" });
      throw new Error(`no, not at ${state.seq}`);
    });
    await expect(broken).rejects.toThrow("no, not at 2");
    expect(events()).toHaveLength(1);
    expect(run.ledger.state.status).toBe("running");
    await run.drive();
    expect(run.ledger.state.status).toBe("completed");
  });

  test("stores a text with the next append, and reads it before and after", async () => {
    const journal = new MemoryJournal();
    const { run } = await open(counting, journal);
    const { ledger } = run;
    const ref = sha256("a prompt");
    ledger.keep(ref, "a prompt");
    expect(await ledger.text(ref)).toBe("a prompt");
    expect(journal.text(ref)).toBeUndefined();
    await run.send({ type: "start", writes: [] });
    expect(journal.text(ref)).toBe("a prompt");
  });
});

describe("snapshots", () => {
  const many = program({
    channels: { n: { kind: "fold", reducer: "add", initial: 0 } },
    nodes: {
      a: { run: ({ snapshot }) => done({ n: 1 }, ...((snapshot.read("n") as number) < 999 ? ["a"] : [])) },
    },
  });

  async function runWith(weight: number) {
    const journal = Object.assign(new MemoryJournal(), { weight: () => weight });
    const run = await LocalRun.open(many, journal, RUN);
    await run.send({ type: "start", writes: [] });
    await run.drive();
    return { journal, run };
  }

  test("are saved when they are much smaller than the log, and loading goes on from them", async () => {
    const { journal, run } = await runWith(1_000_000);
    const snapshot = journal.snapshot(RUN);
    expect(snapshot?.seq).toBeGreaterThan(2500);
    const read: number[] = [];
    const inner = journal.read.bind(journal);
    journal.read = (id, after, limit) => last(read.push(after), inner(id, after, limit));
    const { state } = await loadState(journal, RUN);
    expect(read).toEqual([snapshot?.seq]);
    expect(state.seq).toBe(run.ledger.state.seq);
    expect(channelValue(state, "n")).toBe(1000);
  });

  test("are not saved when the state is most of the log", async () => {
    const { journal } = await runWith(100);
    expect(journal.snapshot(RUN)).toBeUndefined();
  });
});
