/**
 * What the kernel and the loop cost, beside the least that the same work could cost, measured in turns in one process.
 *
 * - `memory`: a superstep of one trivial node, beside a hand-written loop that freezes a snapshot and records three objects.
 * - `sqlite`: the same with a transaction per step on disk, beside raw inserts of the same rows.
 * - `fan-out`: the cost of a task in steps of 100, 1,000 and 10,000 tasks; it should not grow.
 *
 * Run it with `npm run bench`. Figures are microseconds; the ratio is that of the medians.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { runId } from "../src/base/names.ts";
import { LocalRun } from "../src/engines/local.ts";
import { MemoryJournal } from "../src/journals/memory.ts";
import { SqliteJournal } from "../src/journals/sqlite/sqlite-journal.ts";
import type { Outcome, Program } from "../src/kernel/program.ts";
import type { Journal } from "../src/run/journal.ts";

const STEPS = 3000;
const ROUNDS = 15;
const folder = mkdtempSync(join(tmpdir(), "baton-bench-"));
let files = 0;
const file = () => join(folder, `${files++}.db`);

function base(nodes: Program["plan"]["nodes"], handlers: Program["handlers"]): Program {
  const pulses = Object.fromEntries(
    Object.keys(nodes).map((name) => [`>${name}`, { kind: "pulse" } as const]),
  );
  return {
    id: { dialect: "bench", name: "bench", revision: "1" },
    plan: {
      name: "bench",
      pace: "step",
      channels: {
        n: { kind: "last", initial: 0 },
        sum: { kind: "fold", reducer: "add", initial: 0 },
        ...pulses,
      },
      nodes,
      entry: [">a"],
      output: ["n"],
      limits: {},
      onFailure: "stop",
    },
    handlers,
    reducers: { add: (a, b) => (a as number) + (b as number) },
  };
}

const loop: Program = base(
  { a: { triggers: [">a"], reads: ["n"] } },
  {
    a: async ({ snapshot }): Promise<Outcome> => {
      const n = (snapshot.read("n") as number) + 1;
      return { kind: "done", writes: [{ channel: "n", value: n }], route: n < STEPS ? [">a"] : [] };
    },
  },
);

const fan = (width: number): Program =>
  base(
    { a: { triggers: [">a"], reads: [] }, b: { triggers: [">b"], reads: [] } },
    {
      a: () => ({
        kind: "done",
        writes: [],
        route: [],
        sends: Array.from({ length: width }, (_, input) => ({ node: "b", input })),
      }),
      b: async ({ input }): Promise<Outcome> => ({
        kind: "done",
        writes: [{ channel: "sum", value: input as number }],
        route: [],
      }),
    },
  );

async function run(program: Program, journal: Journal): Promise<void> {
  const local = await LocalRun.open(program, journal, runId("bench"));
  await local.send({ type: "start", writes: [] });
  await local.drive();
  if (local.ledger.state.status !== "completed") throw new Error("the run did not complete");
}

/** A hand-written loop with the same shape of work: freeze a snapshot, wait for the node, record three objects. */
async function handWritten(): Promise<void> {
  const node = async (state: { readonly n: number }) => ({ n: state.n + 1 });
  const log: object[] = [];
  let state: Readonly<{ n: number; sum: number }> = Object.freeze({ n: 0, sum: 0 });
  let seq = 0;
  for (let step = 1; state.n < STEPS; step++) {
    log.push({
      run: "bench",
      seq: ++seq,
      at: Date.now(),
      type: "opened",
      step,
      tasks: [{ task: `${step}/a`, node: "a" }],
    });
    const update = await node(state);
    log.push({ run: "bench", seq: ++seq, at: Date.now(), type: "finished", task: `${step}/a`, update });
    state = Object.freeze({ ...state, ...update });
    log.push({ run: "bench", seq: ++seq, at: Date.now(), type: "committed", step, patches: [update] });
  }
}

/** The same rows that the journal stores, inserted by hand. */
async function rawInserts(): Promise<void> {
  const db = new DatabaseSync(file());
  db.exec("PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;");
  db.exec(
    "CREATE TABLE events (run INTEGER, seq INTEGER, at INTEGER, type TEXT, data TEXT, PRIMARY KEY (run, seq))",
  );
  const insert = db.prepare("INSERT INTO events VALUES (1, ?, ?, ?, ?)");
  let seq = 0;
  for (let step = 1; step <= STEPS; step++) {
    db.exec("BEGIN IMMEDIATE");
    const task = `${step}/a`;
    const finished = JSON.stringify({ task, writes: [{ channel: "n", value: step }], route: [">a"] });
    insert.run(++seq, Date.now(), "task.finished", finished);
    const committed = { step, ran: [task], patches: [{ channel: "n", op: "take", as: "set" }] };
    insert.run(++seq, Date.now(), "step.committed", JSON.stringify(committed));
    insert.run(
      ++seq,
      Date.now(),
      "step.opened",
      JSON.stringify({ step: step + 1, tasks: [{ task, node: "a" }] }),
    );
    db.exec("COMMIT");
  }
  db.close();
}

async function onDisk(): Promise<void> {
  const journal = new SqliteJournal(file());
  await run(loop, journal);
  journal.close();
}

type Case = readonly [name: string, per: number, work: () => Promise<void>];

async function measure(cases: readonly Case[]): Promise<Map<string, number>> {
  const times = new Map<string, number[]>(cases.map(([name]) => [name, []]));
  for (let round = 0; round < ROUNDS; round++) {
    for (const [name, per, work] of cases) {
      const before = performance.now();
      await work();
      times.get(name)?.push(((performance.now() - before) / per) * 1000);
    }
  }
  return new Map([...times].map(([name, list]) => [name, median(list.slice(3))]));
}

function median(list: readonly number[]): number {
  return [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)] ?? Number.NaN;
}

function print(title: string, measured: Map<string, number>, floor: string): void {
  const least = measured.get(floor) ?? Number.NaN;
  process.stdout.write(`${title}\n`);
  for (const [name, time] of measured) {
    process.stdout.write(
      `  ${name.padEnd(28)} ${time.toFixed(2).padStart(8)} µs   ${(time / least).toFixed(2)}×\n`,
    );
  }
}

try {
  const memory = await measure([
    ["hand-written loop", STEPS, handWritten],
    ["Baton, in memory", STEPS, () => run(loop, new MemoryJournal())],
  ]);
  print("memory: one superstep of one trivial node", memory, "hand-written loop");
  const disk = await measure([
    ["raw inserts", STEPS, rawInserts],
    ["Baton, SQLite journal", STEPS, onDisk],
  ]);
  print("sqlite: one transaction per step of one task", disk, "raw inserts");
  const wide = await measure(
    [100, 1000, 10_000].map(
      (width): Case => [`${width} tasks`, width, () => run(fan(width), new MemoryJournal())],
    ),
  );
  print("fan-out: one task of a wide step", wide, "1000 tasks");
} finally {
  rmSync(folder, { recursive: true });
}
