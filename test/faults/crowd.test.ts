/** Several processes on one database: four that append to runs of their own, one that reads, and one that is in the way. */
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, test } from "vitest";
import { runId } from "../../src/base/names.ts";
import { SqliteJournal } from "../../src/journals/sqlite/sqlite-journal.ts";

const home = mkdtempSync(join(tmpdir(), "baton-crowd-"));
afterAll(() => rmSync(home, { recursive: true, force: true }));
const NODE = fileURLToPath(new URL("../../node_modules/.bin/node", import.meta.url));
const MEMBER = fileURLToPath(new URL("crowd-member.ts", import.meta.url));
const APPENDS = 150;

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function member(...args: readonly string[]): Promise<Ended> {
  const child = spawn(NODE, ["--disable-warning=ExperimentalWarning", MEMBER, ...args]);
  const said = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) {
    child[name].setEncoding("utf8").on("data", (chunk: string) => {
      said[name] += chunk;
    });
  }
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, ...said }));
  });
}

describe("several processes on one database", () => {
  test("append to their runs and read, and nothing is lost, mixed up or seen by halves", {
    timeout: 180_000,
  }, async () => {
    const path = join(home, "crowd.db");
    const names = ["a", "b", "c", "d"];
    const writers = names.map((name) => member("write", path, name, String(APPENDS), "5000"));
    const [reader, ...ended] = await Promise.all([
      member("read", path, names.join(","), String(APPENDS), "5000"),
      ...writers,
    ]);
    for (const each of ended) expect(each).toMatchObject({ code: 0, stderr: "" });
    expect(reader).toMatchObject({ code: 0, stderr: "" });
    expect(Number(reader.stdout)).toBeGreaterThan(1);
    const journal = new SqliteJournal(path);
    for (const name of names) {
      const events = journal.read(runId(name), 0);
      expect(events.map(({ seq }) => seq)).toEqual(
        Array.from({ length: APPENDS * 2 }, (_, index) => index + 1),
      );
    }
    journal.close();
  });

  test("one that cannot get in gives up after its time, with a sentence, and nothing of its append is kept", {
    timeout: 120_000,
  }, async () => {
    const path = join(home, "locked.db");
    expect((await member("write", path, "a", "1", "5000")).code).toBe(0);
    const other = new DatabaseSync(path);
    other.exec("BEGIN IMMEDIATE");
    const { code, stdout, stderr } = await member("write", path, "b", "1", "300");
    expect(Number(stdout)).toBeGreaterThan(250);
    expect(Number(stdout)).toBeLessThan(5000); // which is what it waits when nobody says anything else
    other.exec("ROLLBACK");
    other.close();
    expect(code).toBe(1);
    expect(stderr.trim()).toBe(
      `${path} is locked: another process writes to it for too long. Try again when that is done.`,
    );
    const journal = new SqliteJournal(path);
    expect(journal.runs().map(({ run }) => run)).toEqual(["a"]);
    journal.close();
  });
});
