/** Journals keep their promises: the suite for all of them, and what a file has to stand besides. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import type { Json } from "../../src/base/json.ts";
import { type RunId, runId, type TaskId } from "../../src/base/names.ts";
import { Refusal } from "../../src/base/refusal.ts";
import { MemoryJournal } from "../../src/journals/memory.ts";
import { SqliteJournal } from "../../src/journals/sqlite/sqlite-journal.ts";
import type { Event, Fact } from "../../src/kernel/event.ts";
import { Conflict, type Journal, type RetainingJournal } from "../../src/run/journal.ts";
import { Crash, FaultyJournal } from "../../src/testing/faulty-journal.ts";
import { type JournalSubject, journalConformance, retentionConformance } from "../../src/testing/journal.ts";

const RUN = runId("run-1");
const home = mkdtempSync(join(tmpdir(), "baton-journal-"));
afterAll(() => rmSync(home, { recursive: true, force: true }));

let files = 0;
function freshPath(): string {
  return join(home, `folder-${++files}`, "deep", "baton.db");
}

const SUBJECTS: Record<string, JournalSubject> = {
  memory: { open: () => new MemoryJournal() },
  "memory, unharmed by a wrapper": { open: () => new FaultyJournal(new MemoryJournal()) },
  "sqlite in memory": { open: () => new SqliteJournal(":memory:") },
  "sqlite in a file": {
    open: () => new SqliteJournal(freshPath()),
    reopen: (journal) => new SqliteJournal((journal as SqliteJournal).path),
  },
  "sqlite that stores all but short strings apart": {
    open: () => new SqliteJournal(freshPath(), { blobsFrom: 4, fullSync: true }),
  },
};

describe.each(Object.entries(SUBJECTS))("%s", (_name, subject) => {
  test.each(journalConformance(subject))("$name", ({ run }) => run());
});

const FORGETTING: Record<string, JournalSubject<RetainingJournal>> = {
  memory: { open: () => new MemoryJournal() },
  "sqlite in a file": {
    open: () => new SqliteJournal(freshPath()),
    reopen: (journal) => new SqliteJournal((journal as SqliteJournal).path),
  },
  "sqlite that stores all but short strings apart": {
    open: () => new SqliteJournal(freshPath(), { blobsFrom: 4 }),
  },
};

describe.each(Object.entries(FORGETTING))("%s can forget:", (_name, subject) => {
  test.each(retentionConformance(subject))("$name", ({ run }) => run());
});

describe("a file", () => {
  test("has everything in it once it is closed, and closing again does nothing", () => {
    const path = freshPath();
    const journal = new SqliteJournal(path);
    append(journal, [noted("a"), noted("b")]);
    journal.saveSnapshot(RUN, { seq: 2, state: {} });
    journal.close();
    journal.close();
    expect(existsSync(`${path}-wal`)).toBe(false);
    const copy = `${path}-copy`;
    copyFileSync(path, copy);
    const reopened = new SqliteJournal(copy);
    expect(valuesIn(reopened)).toEqual(["a", "b"]);
    expect(reopened.snapshot(RUN)).toEqual({ seq: 2, state: {} });
    append(reopened, [noted("c")], 2);
    expect(valuesIn(reopened)).toEqual(["a", "b", "c"]);
    reopened.close();
  });

  test("has everything in it when its process died without closing", () => {
    const path = freshPath();
    const died = new SqliteJournal(path);
    append(died, [noted("a")]);
    const next = new SqliteJournal(path);
    expect(valuesIn(next)).toEqual(["a"]);
    append(next, [noted("b")], 1);
    next.close();
    expect(() => append(died, [noted("late")], 1)).toThrow(Conflict);
    died.close();
  });

  test("without a path is refused, and one that is closed says so", () => {
    expect(() => new SqliteJournal(undefined as never)).toThrow('needs the path of its file, or ":memory:"');
    const journal = new SqliteJournal(":memory:");
    append(journal, [noted("a")]);
    journal.close();
    const closed = ":memory: is closed: open it again to go on.";
    expect(() => journal.read(RUN, 0)).toThrow(closed);
    expect(() => journal.head(RUN)).toThrow(closed);
    expect(() => append(journal, [noted("b")], 1)).toThrow(closed);
  });

  test("that a newer Baton wrote is refused with both versions, and left as it is", () => {
    const path = freshPath();
    new SqliteJournal(path).close();
    edit(path, "PRAGMA user_version = 99");
    const before = readFileSync(path);
    expect(refusalOf(path)).toMatchObject({ code: "newer_format" });
    expect(refusalOf(path).message).toMatch(/format 99.*up to 2.*Update Baton/);
    expect(readFileSync(path).equals(before)).toBe(true);
  });

  test("that is no database, or that of another program, is refused and left as it is", () => {
    const path = join(home, "diary.txt");
    writeFileSync(path, "Dear diary, ".repeat(500));
    const foreign = join(home, "foreign.db");
    edit(foreign, "CREATE TABLE notes (text)");
    expect(refusalOf(home).message).toContain(`${home} cannot be opened as a file`);
    for (const file of [path, foreign]) {
      const before = readFileSync(file);
      expect(refusalOf(file)).toMatchObject({ code: "invalid_value" });
      expect(refusalOf(file).message).toContain(file);
      expect(readFileSync(file).equals(before)).toBe(true);
    }
  });

  test("that is empty becomes a journal", () => {
    const path = join(home, "empty.db");
    writeFileSync(path, "");
    const journal = new SqliteJournal(path);
    append(journal, [noted("a")]);
    expect(valuesIn(journal)).toEqual(["a"]);
    journal.close();
  });

  test.each([
    ["text that is no line", "UPDATE log SET text = 'garbage' WHERE id & 4294967295 = 1", 2],
    [
      "what is no event",
      `UPDATE log SET text = '1' || char(9) || '0' || char(9, 9) || '[7]' WHERE id & 7 = 1`,
      2,
    ],
    ["cut JSON", "UPDATE log SET text = substr(text, 1, length(text) - 1) WHERE id & 4294967295 = 1", 2],
    ["a wrong count", "UPDATE log SET n = 2 WHERE id & 4294967295 = 2", 4],
    ["a gap", "DELETE FROM log WHERE id & 4294967295 = 1", 2],
    ["no beginning", "DELETE FROM log WHERE id & 4294967295 = 0", 1],
    ["a missing blob", "DELETE FROM blobs", 2],
  ])("with %s says which event of which run cannot be read", (_what, sql, seq) => {
    const path = freshPath();
    const journal = new SqliteJournal(path);
    for (const [after, value] of ["a", "b".repeat(10_000), "c"].entries())
      append(journal, [noted(value)], after);
    journal.close();
    edit(path, sql);
    const damaged = new SqliteJournal(path);
    expect(() => damaged.read(RUN, 0)).toThrow(`The log of run ${RUN} cannot be read at event ${seq}: `);
    damaged.close();
  });

  test("shows its events to a person with a shell as they were recorded", () => {
    const path = freshPath();
    const journal = new SqliteJournal(path);
    const facts = (step: number): Fact[] => [...grown(step, `line "${step}" \\ \t é`), noted({ step })];
    for (let step = 0; step < 400; step++) append(journal, facts(step), step * 4);
    const events = journal.read(RUN, 0);
    journal.close();
    const db = new DatabaseSync(path);
    const rows = db.prepare("SELECT run, seq, at, type, fact FROM events ORDER BY run, seq").all();
    db.close();
    const shown = rows.map(({ run, seq, at, type, fact }) => {
      return { ...(JSON.parse(fact as string) as object), type, run, seq, at };
    });
    expect(shown).toEqual(events);
  });
});

describe("what is stored", () => {
  test("a list that grows by 1 KiB per step takes at most 1.15 times what was put into it", () => {
    const path = freshPath();
    const journal = new SqliteJournal(path);
    const steps = 2000;
    for (let step = 0; step < steps; step++) append(journal, grown(step, blockOf(step)), step * 3);
    expect(journal.read(RUN, 0)).toHaveLength(steps * 3);
    journal.close();
    expect(statSync(path).size).toBeLessThan(1.15 * 1024 * steps);
  });

  test("so it does when other runs are written meanwhile", () => {
    const path = freshPath();
    const journal = new SqliteJournal(path);
    const steps = 500;
    const runs = ["a", "b", "c", "d"].map(runId);
    for (let step = 0; step < steps; step++) {
      for (const run of runs) append(journal, grown(step, blockOf(step)), step * 3, run);
    }
    journal.close();
    expect(statSync(path).size).toBeLessThan(1.2 * 1024 * steps * runs.length);
  });

  test("a large string is stored once, however often it is said", () => {
    const path = freshPath();
    const journal = new SqliteJournal(path);
    const text = "0123456789abcdef".repeat(6250);
    for (let i = 0; i < 50; i++) append(journal, [noted([text, { text }])], i);
    expect(valuesIn(journal).at(-1)).toEqual([text, { text }]);
    journal.close();
    expect(statSync(path).size).toBeLessThan(2 * text.length);
  });

  test("a thousand runs of one graph store its plan once", () => {
    const path = freshPath();
    const journal = new SqliteJournal(path);
    const nodes = Array.from({ length: 100 }, (_, index) => [`node-${index}`, { triggers: [], reads: [] }]);
    const plan = {
      ...{ name: "graph", pace: "step" as const, onFailure: "stop" as const, limits: {} },
      ...{ channels: {}, entry: [], output: [], nodes: Object.fromEntries(nodes) },
    };
    const program = { dialect: "test", name: "graph", revision: "1" };
    const fact: Fact = { type: "run.started", plan, program, patches: [], route: [] };
    for (let index = 0; index < 1000; index++) append(journal, [{ ...fact }], 0, runId(`run-${index}`));
    const [event] = journal.read(runId("run-777"), 0);
    expect(event).toMatchObject({ type: "run.started", plan });
    journal.close();
    expect(statSync(path).size).toBeLessThan(0.2 * 1000 * JSON.stringify(plan).length);
  });

  test("any JSON comes back as it was, through blobs and shapes alike", () => {
    const marker = fc.constantFrom(
      "\u0000",
      "\u0000\u0000",
      "\u0000text sha256:",
      "\u0000json sha256:",
      "\t",
      "\n",
    );
    const text = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.array(fc.oneof(marker, fc.string())).map((all) => all.join("")),
    );
    const value = fc.letrec<{ value: Json }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        text,
        fc.integer(),
        fc.constantFrom(null, true, false, 0.5, "\ud800", "x".repeat(40)),
        fc.array(tie("value"), { maxLength: 4 }),
        fc.dictionary(text, tie("value"), { maxKeys: 4, noNullPrototype: true }),
      ),
    })).value;
    const journals = [new SqliteJournal(":memory:", { blobsFrom: 5 }), new SqliteJournal(":memory:")];
    let run = 0;
    fc.assert(
      fc.property(fc.array(value, { minLength: 1, maxLength: 5 }), (values) => {
        for (const journal of journals) {
          const id = runId(`run-${++run}`);
          // Three times: unknown, learnt, known.
          const facts = values.map((data) => noted(data));
          for (const turn of [0, 1, 2]) append(journal, facts, turn * facts.length, id);
          const texts = values.map((data) => JSON.stringify(data));
          expect(valuesIn(journal, id).map((data) => JSON.stringify(data))).toEqual([
            ...texts,
            ...texts,
            ...texts,
          ]);
        }
      }),
      { numRuns: 300 },
    );
    for (const journal of journals) journal.close();
  });
});

describe("several processes", () => {
  test("open new files and append to one run at once: each append wins or conflicts, and the log has no gap", async () => {
    const path = freshPath();
    const rivals = ["p", "q", "r"].map((name) => compete(path, name));
    await Promise.all(rivals.map(({ ready }) => ready));
    for (const { start } of rivals) start();
    const outputs = await Promise.all(rivals.map(({ output }) => output));
    const results = outputs.map((output) => JSON.parse(output) as { won: number; lost: number });
    const journal = new SqliteJournal(path);
    const events = journal.read(RUN, 0);
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
    expect(results.map(({ won }) => won)).toEqual([WINS, WINS, WINS]);
    expect(results.some(({ lost }) => lost > 0)).toBe(true);
    expect(events).toHaveLength(3 * WINS * 2);
    const values = valuesIn(journal) as string[];
    for (const name of ["p", "q", "r"]) {
      const own = values.filter((value) => value.startsWith(name)).map((value) => value.split(" ")[0]);
      expect(own).toEqual(Array.from({ length: WINS }, (_, i) => [`${name}${i}a`, `${name}${i}b`]).flat());
    }
    journal.close();
  });
});

describe("a faulty journal", () => {
  test.each(["kept", "lost"] as const)(
    "dies at the append that the plan names, with the write %s",
    (write) => {
      const inner = new MemoryJournal();
      const faulty = new FaultyJournal(inner, { append: 2, write });
      append(faulty, [noted("a")]);
      expect(faulty.crashed).toBe(false);
      expect(() => append(faulty, [noted("b")], 1)).toThrow(Crash);
      expect(() => append(faulty, [noted("c")], 2)).toThrow(Crash);
      expect(() => faulty.read(RUN, 0)).toThrow(Crash);
      expect([faulty.crashed, faulty.appends]).toEqual([true, 2]);
      expect(inner.read(RUN, 0)).toHaveLength(write === "kept" ? 2 : 1);
    },
  );
});

const WINS = 100;

interface Rival {
  readonly ready: Promise<unknown>;
  start(): void;
  /** What it said at its end, as JSON: how many of its appends won, and how many were lost. */
  readonly output: Promise<string>;
}

/** A process that, once started, opens some files and then appends to one two events at a time until it has won often enough. */
function compete(path: string, name: string): Rival {
  const source = new URL("../../src/", import.meta.url);
  const code = `
    const { SqliteJournal } = await import("${new URL("journals/sqlite/sqlite-journal.ts", source)}");
    const { Conflict } = await import("${new URL("run/journal.ts", source)}");
    process.stdout.write("ready");
    await new Promise((resolve) => process.stdin.once("data", resolve));
    process.stdin.unref();
    for (let i = 0; i < 40; i++) new SqliteJournal(${JSON.stringify(path)} + i).close();
    const journal = new SqliteJournal(${JSON.stringify(path)}, { timeout: 15000 });
    const run = ${JSON.stringify(RUN)};
    let won = 0, lost = 0, end = 0;
    while (won < ${WINS}) {
      const events = ["a", "b"].map((half, index) => ({
        type: "task.noted", task: "1/n", kind: "k", data: "${name}" + won + half + " " + "x".repeat(600),
        run, seq: end + index + 1, at: 1,
      }));
      try {
        journal.append({ run, after: end, events, texts: [] });
        won++;
        end += 2;
      } catch (error) {
        if (!(error instanceof Conflict)) throw error;
        lost++;
        end = journal.read(run, end).at(-1)?.seq ?? end;
      }
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    journal.close();
    console.log(JSON.stringify({ won, lost }));`;
  const node = fileURLToPath(new URL("../../node_modules/.bin/node", import.meta.url));
  const child = spawn(node, ["--input-type=module", "--eval", code]);
  const said = { out: "", err: "" };
  child.stdout.on("data", (chunk) => {
    said.out += chunk;
  });
  child.stderr.on("data", (chunk) => {
    said.err += chunk;
  });
  const output = new Promise<string>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (status) =>
      status === 0 ? resolve(said.out.replace("ready", "")) : reject(new Error(said.err)),
    );
  });
  const ready = Promise.race([once(child.stdout, "data"), output]);
  return { ready, start: () => child.stdin.end("go"), output };
}

function noted(data: Json): Fact {
  return { type: "task.noted", task: "1/n" as TaskId, kind: "k", data };
}

/** What a step of a graph that appends one item to a list records. */
function grown(step: number, item: string): Fact[] {
  const [task, next] = [`${step}/grow`, `${step + 1}/grow`] as TaskId[];
  return [
    { type: "task.finished", task: task!, writes: [{ channel: "items", value: [item] }], route: ["~grow"] },
    { type: "step.committed", step, ran: [task!], patches: [{ channel: "items", op: "take", as: "append" }] },
    { type: "step.opened", step: step + 1, tasks: [{ task: next!, node: "grow" }] },
  ];
}

/** 1 KiB that is like no other. */
function blockOf(step: number): string {
  return `${step} `.padEnd(1024, `lorem ipsum ${step * 7919} `);
}

function append(journal: Journal, facts: readonly Fact[], after: number = 0, run: RunId = RUN): void {
  const events = facts.map(
    (fact, index): Event => ({ ...fact, run, seq: after + index + 1, at: 1000 + after }),
  );
  journal.append({ run, after, events, texts: [] });
}

function valuesIn(journal: { read: MemoryJournal["read"] }, run: RunId = RUN): Json[] {
  return journal.read(run, 0).map((event) => (event.type === "task.noted" ? event.data : event.type));
}

function edit(path: string, sql: string): void {
  const db = new DatabaseSync(path);
  db.exec(sql);
  db.close();
}

function refusalOf(path: string): Refusal {
  try {
    new SqliteJournal(path).close();
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
  throw new Error(`${path} was opened.`);
}
