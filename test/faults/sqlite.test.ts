/** A journal file under real life: full, locked, torn, on media that cannot be written to. */
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, describe, expect, test } from "vitest";
import { runId, type TaskId } from "../../src/base/names.ts";
import { exportRun, inspectJournal, recordedPrograms, replayRun } from "../../src/history.ts";
import { SqliteJournal } from "../../src/journals/sqlite/sqlite-journal.ts";
import { JournalFault } from "../../src/journals/sqlite/trouble.ts";
import { archiveState } from "../../src/kernel/archive.ts";
import { loadState } from "../../src/run/load.ts";
import { RUN, SCENARIOS } from "./scenarios.ts";

const home = mkdtempSync(join(tmpdir(), "baton-sqlite-"));
afterAll(() => rmSync(home, { recursive: true, force: true }));

let folders = 0;
function freshPath(): string {
  const folder = join(home, String(++folders));
  mkdirSync(folder);
  return join(folder, "baton.db");
}

const loadout = SCENARIOS["loadout"]!;

describe("a disk that fills up", () => {
  test("fails the append with what to do, and the run goes on once there is room", async () => {
    let failures = 0;
    for (const maxBytes of [48_000, 56_000, 64_000, 72_000]) {
      const path = freshPath();
      const effects: string[] = [];
      const effect = (key: string) => {
        effects.push(key);
      };
      const full = new SqliteJournal(path, { maxBytes });
      const fault = await loadout.play({ journal: full, effect }).then(
        () => undefined,
        (error: unknown) => error,
      );
      full.close();
      if (fault === undefined) continue;
      failures++;
      expect(fault).toBeInstanceOf(JournalFault);
      expect(fault).toMatchObject({
        kind: "full",
        message: expect.stringMatching(/full.*make room and resume/),
      });
      const journal = new SqliteJournal(path);
      const remembered = journal
        .read(RUN, 0)
        .flatMap((event) => (event.type === "task.remembered" ? [`${RUN}/${event.task}/${event.key}`] : []));
      const before = effects.length;
      await loadout.play({ journal, effect });
      expect((await loadState(journal, RUN)).state.status).toBe("completed");
      expect(effects.slice(before).filter((key) => remembered.includes(key))).toEqual([]);
      const report = await replayRun({ journal, run: RUN }, recordedPrograms);
      expect(report).toMatchObject({ identical: true });
      journal.close();
    }
    expect(failures).toBeGreaterThan(1);
  });
});

describe("a file that another process writes to for too long", () => {
  test("is said to be locked, can be read meanwhile, and takes appends afterwards", () => {
    const path = filled(["a"]);
    const other = new DatabaseSync(path);
    other.exec("BEGIN IMMEDIATE");
    const journal = new SqliteJournal(path, { timeout: 50 });
    expect(valuesOf(journal, "a")).toHaveLength(40);
    const late = () => append(journal, "a", 40, "late");
    expect(late).toThrow(expect.objectContaining({ kind: "locked", message: expect.stringContaining(path) }));
    other.exec("ROLLBACK");
    other.close();
    late();
    expect(valuesOf(journal, "a")).toHaveLength(41);
    journal.close();
  });
});

describe("a file that is torn", () => {
  test("in one place is damaged for the run that lies there: it is named, and the others can be read", async () => {
    const path = filled(["a", "b", "c"]);
    const content = readFileSync(path);
    const page = 4096;
    const middle = content.indexOf("b 20 ");
    content.fill(0, Math.floor(middle / page) * page, Math.floor(middle / page) * page + page);
    writeFileSync(path, content);
    const journal = new SqliteJournal(path);
    const { readable, damaged } = await inspectJournal(journal);
    expect(readable.toSorted()).toEqual(["a", "c"]);
    expect(damaged).toMatchObject([
      { run: "b", message: expect.stringMatching(/^The log of run b cannot be read at event \d+: /) },
    ]);
    expect(valuesOf(journal, "c")).toHaveLength(40);
    expect((await exportRun(journal, runId("a"))).events).toBe(40);
    journal.close();
  });

  test("at its end is found, whatever is cut off, and nothing wrong is ever read", async () => {
    const whole = filled(["a", "b", "c"]);
    const size = readFileSync(whole).length;
    let found = 0;
    for (let cut = 4096; cut < size; cut += 4096 * 3) {
      const path = freshPath();
      copyFileSync(whole, path);
      truncateSync(path, size - cut);
      const seen = await look(path);
      if (seen !== "whole") found++;
    }
    expect(found).toBeGreaterThan(5);
  });
});

describe("a character that flips on the disk", () => {
  const flips = [
    ["in a value", "b 20 lorem", 21],
    ["in the time of a row", "1\t1\t", undefined],
  ] as const;

  test.each(flips)(
    "%s is found: its run and event are named, and the others can be read",
    async (_, at, seq) => {
      const path = filled(["a", "b", "c"]);
      const content = readFileSync(path);
      const place = at.startsWith("b")
        ? content.indexOf(at)
        : content.lastIndexOf(at, content.indexOf("b 20 "));
      const digit = at.startsWith("b") ? place + 5 : place + 2;
      content[digit] = (content[digit] as number) ^ 1;
      writeFileSync(path, content);
      const journal = new SqliteJournal(path);
      const { readable, damaged } = await inspectJournal(journal);
      expect(readable.toSorted()).toEqual(["a", "c"]);
      expect(damaged).toMatchObject([
        {
          run: "b",
          message: expect.stringMatching(/^The log of run b cannot be read at event \d+: it is not what/),
        },
      ]);
      if (seq !== undefined) expect(damaged[0]?.message).toContain(`event ${seq}:`);
      journal.close();
    },
  );

  test("in what rows share, or in a large text, is found where it is needed", () => {
    const path = freshPath();
    const journal = new SqliteJournal(path);
    for (let seq = 0; seq < 4; seq++) append(journal, "a", seq, textOf("a", seq));
    append(journal, "b", 0, "long ".repeat(2000));
    journal.close();
    const looked = (name: string) => {
      const again = new SqliteJournal(path);
      try {
        return valuesOf(again, name);
      } finally {
        again.close();
      }
    };
    edit(path, "UPDATE blobs SET text = replace(text, 'long long', 'long lung')");
    expect(() => looked("b")).toThrow(/run b .* is damaged/);
    expect(looked("a")).toHaveLength(4);
    edit(path, "UPDATE shapes SET text = replace(text, 'noted', 'notes')");
    expect(() => looked("a")).toThrow(/run a .* shape/);
  });

  test("in a snapshot costs time and nothing else", async () => {
    const path = filled(["a"]);
    const journal = new SqliteJournal(path);
    const { state } = await loadState(journal, runId("a"));
    journal.saveSnapshot(runId("a"), { seq: 40, state: archiveState(state) });
    expect(journal.snapshot(runId("a"))).toMatchObject({ seq: 40 });
    journal.close();
    edit(path, `UPDATE snapshots SET state = replace(state, '"step"', '"stop"')`);
    const again = new SqliteJournal(path);
    expect(again.snapshot(runId("a"))).toBeUndefined();
    expect((await loadState(again, runId("a"))).state.seq).toBe(40);
    again.close();
  });

  test("is never joined to other rows, which would make it look right", () => {
    const path = filled(["a"]);
    const journal = new SqliteJournal(path);
    append(journal, "a", 40, "one more");
    edit(path, "UPDATE log SET text = replace(text, 'one more', 'one mare')");
    for (let seq = 41; seq < 160; seq++) append(journal, "a", seq, textOf("a", seq));
    expect(() => valuesOf(journal, "a")).toThrow(/event 41: it is not what was stored/);
    expect(journal.read(runId("a"), 41)).toHaveLength(119);
    journal.close();
  });
});

describe("a file from before rows had checksums", () => {
  test("becomes one that has them, and what is in it is read as it is", async () => {
    const path = filled(["a"]);
    for (const table of ["log", "shapes", "blobs", "snapshots"])
      edit(path, `ALTER TABLE ${table} DROP COLUMN crc`);
    edit(path, "PRAGMA user_version = 1");
    const journal = new SqliteJournal(path);
    append(journal, "a", 40, "new");
    expect(valuesOf(journal, "a")).toHaveLength(41);
    journal.close();
    edit(path, "UPDATE log SET text = replace(text, 'new', 'now')");
    const again = new SqliteJournal(path);
    expect(() => valuesOf(again, "a")).toThrow("event 41");
    again.close();
  });
});

/** Changes a file behind the back of the journal. */
function edit(path: string, sql: string): void {
  const db = new DatabaseSync(path);
  db.exec(sql);
  db.close();
}

/** Reads what can be read of a file; every value has to be right. */
async function look(path: string): Promise<"whole" | "damaged"> {
  let journal: SqliteJournal | undefined;
  try {
    journal = new SqliteJournal(path);
    const { readable, damaged } = await inspectJournal(journal);
    for (const run of readable) {
      const wanted = Array.from({ length: 40 }, (_, seq) => textOf(run, seq));
      expect(valuesOf(journal, run)).toEqual(wanted);
    }
    return damaged.length === 0 && readable.length === 3 ? "whole" : "damaged";
  } catch (error) {
    expect(String(error)).toContain(path);
    return "damaged";
  } finally {
    try {
      journal?.close();
    } catch {
      // A damaged file may not even be closed in order.
    }
  }
}

describe("media that cannot be written to", () => {
  test("are read as they are, with nothing made beside the file, and appends say why they fail", async () => {
    const path = filled(["a", "b"]);
    const before = readFileSync(path);
    const journal = new SqliteJournal(path, { readOnly: true });
    expect((await inspectJournal(journal)).readable).toHaveLength(2);
    expect((await exportRun(journal, runId("a"))).events).toBe(40);
    expect(() => append(journal, "a", 40, "late")).toThrow(expect.objectContaining({ kind: "read_only" }));
    expect(readdirSync(join(path, ".."))).toEqual(["baton.db"]);
    journal.close();
    expect(readFileSync(path).equals(before)).toBe(true);
  });

  test("without a journal on them are refused", () => {
    const path = freshPath();
    expect(() => new SqliteJournal(path, { readOnly: true })).toThrow("cannot be opened as a file");
    expect(readdirSync(join(path, ".."))).toEqual([]);
  });
});

/** A closed file with runs of forty events, which lie in it one after the other. */
function filled(names: readonly string[]): string {
  const path = freshPath();
  const journal = new SqliteJournal(path);
  for (const name of names) for (let seq = 0; seq < 40; seq++) append(journal, name, seq, textOf(name, seq));
  journal.close();
  return path;
}

function textOf(name: string, seq: number): string {
  return `${name} ${seq} ${"lorem ipsum ".repeat(120)}`;
}

function append(journal: SqliteJournal, name: string, after: number, data: string): void {
  const run = runId(name);
  const program = { dialect: "test", name: "test", revision: "1" };
  const head = { run, program, status: "completed", startedAt: 1, updatedAt: 1 } as const;
  const event = {
    type: "task.noted",
    task: "1/n" as TaskId,
    kind: "k",
    data,
    run,
    seq: after + 1,
    at: 1,
  } as const;
  journal.append({ run, after, events: [{ ...event }], texts: [], head });
}

function valuesOf(journal: SqliteJournal, name: string): unknown[] {
  return journal.read(runId(name), 0).map((event) => (event.type === "task.noted" ? event.data : event.type));
}
