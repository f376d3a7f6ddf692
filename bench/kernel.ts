/**
 * What the kernel and the loop cost without any dialect, beside the least that the same work could cost, measured in
 * turns in one process. It needs no peer: `npm run bench` runs it on any checkout.
 *
 * - `memory`: a superstep of one trivial node, beside a hand-written loop that freezes a snapshot and records three objects.
 * - `sqlite`: the same with a transaction per step on disk, beside raw inserts of the same facts.
 * - `fan-out`: the cost of a task in steps of 100, 1,000 and 10,000 tasks; it should not grow.
 */

import { runId } from "../src/base/names.ts";
import { LocalRun } from "../src/engines/local.ts";
import { MemoryJournal } from "../src/journals/memory.ts";
import { SqliteJournal } from "../src/journals/sqlite/sqlite-journal.ts";
import type { Outcome, Program } from "../src/kernel/program.ts";
import { channelValue } from "../src/kernel/state.ts";
import type { Journal } from "../src/run/journal.ts";
import { handWrittenLoop } from "./floors/hand-written.ts";
import { openRawLog, type RawLog } from "./floors/raw-inserts.ts";
import { type Contender, contest } from "./harness/contest.ts";
import { freshPath, removeDatabase } from "./harness/folder.ts";
import { toLines } from "./harness/print.ts";
import { atMost, type Report, timesOf } from "./harness/report.ts";

const STEPS = 3000;
const ROUNDS = { rounds: 12, warmUps: 3 };

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
        sends: Array.from({ length: width }, () => ({ node: "b", input: 1 })),
      }),
      b: async ({ input }): Promise<Outcome> => ({
        kind: "done",
        writes: [{ channel: "sum", value: input as number }],
        route: [],
      }),
    },
  );

/** What a channel holds at the end of a run. */
async function end(program: Program, journal: Journal, channel: string): Promise<unknown> {
  const local = await LocalRun.open(program, journal, runId("bench"));
  await local.send({ type: "start", writes: [] });
  await local.drive();
  const { state } = local.ledger;
  return state.status === "completed" ? channelValue(state, channel) : state.status;
}

async function inMemory(): Promise<Report> {
  const [floor, baton] = ["hand-written loop", "Baton, in memory"] as const;
  const timings = await contest(
    [
      { name: floor, units: STEPS, run: async () => (await handWrittenLoop(STEPS)).n },
      { name: baton, units: STEPS, run: () => end(loop, new MemoryJournal(), "n") },
    ],
    { ...ROUNDS, result: STEPS },
  );
  return {
    rows: timesOf(timings, "step"),
    figures: [atMost("time of the hand-written loop", timings.ratio(baton, floor), 4)],
  };
}

async function onDisk(): Promise<Report> {
  const [floor, baton] = ["raw inserts", "Baton, SQLite journal"] as const;
  const timings = await contest([inserts(floor), kept(baton)], { ...ROUNDS, result: STEPS });
  return {
    rows: timesOf(timings, "step"),
    figures: [atMost("time of the raw inserts", timings.ratio(baton, floor), 2)],
  };
}

function inserts(name: string): Contender {
  let path = "";
  let log: RawLog;
  return {
    name,
    units: STEPS,
    prepare: () => {
      path = freshPath("raw.db");
      log = openRawLog(path);
    },
    run: () => {
      log.insert(STEPS);
      return STEPS;
    },
    finish: () => {
      log.close();
      removeDatabase(path);
    },
  };
}

function kept(name: string): Contender {
  let journal: SqliteJournal;
  return {
    name,
    units: STEPS,
    prepare: () => {
      journal = new SqliteJournal(freshPath("kernel.db"));
    },
    run: () => end(loop, journal, "n"),
    finish: () => {
      journal.close();
      removeDatabase(journal.path);
    },
  };
}

async function wide(): Promise<Report> {
  const widths = [100, 1000, 10_000].map((width): Contender => {
    const program = fan(width);
    const run = async () => (await end(program, new MemoryJournal(), "sum")) === width;
    return { name: `${width} tasks`, units: width, calls: 10_000 / width, run };
  });
  const timings = await contest(widths, { ...ROUNDS, result: true });
  return {
    rows: timesOf(timings, "task"),
    figures: [atMost("time at 10,000 to that at 1,000", timings.ratio("10000 tasks", "1000 tasks"), 1.3)],
  };
}

const CASES: readonly (readonly [title: string, run: () => Promise<Report>])[] = [
  ["memory: one superstep of one trivial node", inMemory],
  ["sqlite: one transaction per step of one task", onDisk],
  ["fan-out: one task of a wide step", wide],
];
for (const [title, run] of CASES) console.log(toLines({ title }, { report: await run() }));
