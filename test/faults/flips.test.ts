/**
 * Any character of a database that flips is found or does no harm: what is said of a run is what was said before, or
 * one sentence; and the runs that can be read are read.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runId } from "../../src/base/names.ts";
import { random } from "../../src/base/random.ts";
import { Refusal } from "../../src/base/refusal.ts";
import { readResult } from "../../src/cli/runs/result.ts";
import { importRun } from "../../src/history.ts";
import { UnreadableLog } from "../../src/journals/sqlite/codec.ts";
import { SqliteJournal } from "../../src/journals/sqlite/sqlite-journal.ts";
import { JournalFault } from "../../src/journals/sqlite/trouble.ts";
import { archiveState } from "../../src/kernel/archive.ts";
import { loadState } from "../../src/run/load.ts";
import { CommandLine } from "../scenarios/cli-harness.ts";

const home = mkdtempSync(join(tmpdir(), "baton-flips-"));
afterAll(() => rmSync(home, { recursive: true, force: true }));
const DIALECTS = ["graph", "loadout", "inbox"];
const whole = join(home, "whole.db");
/** What is said of each run, and what the list says of it. */
const said = new Map<string, { readonly result: string; readonly head: string }>();

beforeAll(async () => {
  const journal = new SqliteJournal(whole, { blobsFrom: 300 });
  for (const name of DIALECTS) {
    const bundle = readFileSync(new URL(`../golden/v1-${name}.jsonl`, import.meta.url));
    for (const copy of ["one", "two"]) {
      const { run } = await importRun(journal, bundle, { as: `${name}-${copy}` });
      const { state } = await loadState(journal, run);
      journal.saveSnapshot(run, { seq: state.seq, state: archiveState(state) });
    }
  }
  for (const head of journal.runs()) {
    const { result } = await readResult(journal, head.run);
    said.set(head.run, { result: JSON.stringify(result), head: JSON.stringify(head) });
  }
  journal.close();
});

/** The same file with one bit of one byte turned. */
function flipped(content: Buffer, at: number, bit: number): string {
  const path = join(home, "flipped.db");
  for (const ending of ["-wal", "-shm"]) rmSync(path + ending, { force: true });
  const copy = Buffer.from(content);
  copy[at] = (copy[at] ?? 0) ^ (1 << bit);
  writeFileSync(path, copy);
  return path;
}

/** A sentence for people, of a kind that the command line knows. */
function isTold(error: unknown): boolean {
  const isKnown = [JournalFault, UnreadableLog, Refusal].some((kind) => error instanceof kind);
  return isKnown && error instanceof Error && /\.$/.test(error.message);
}

interface Look {
  /** Runs that say what they said. */
  readonly right: readonly string[];
  readonly told: readonly string[];
  readonly wrong: readonly string[];
}

async function look(path: string): Promise<Look> {
  const [right, told, wrong]: string[][] = [[], [], []];
  let journal: SqliteJournal | undefined;
  const attempt = async (name: string, work: (journal: SqliteJournal) => Promise<boolean> | boolean) => {
    try {
      journal ??= new SqliteJournal(path);
      ((await work(journal)) ? right : wrong)?.push(name);
    } catch (error) {
      (isTold(error) ? told : wrong)?.push(isTold(error) ? name : `${name}: ${error}`);
    }
  };
  await attempt("list", (open) => {
    const heads = open.runs();
    return (
      heads.length === said.size &&
      heads.every((head) => head.reason === "damaged" || said.get(head.run)?.head === JSON.stringify(head))
    );
  });
  for (const [name, { result }] of said) {
    await attempt(name, async (open) => {
      if (open.head(runId(name)) === undefined) throw new Refusal("unknown_run", "There is no such run.");
      return JSON.stringify((await readResult(open, runId(name))).result) === result;
    });
  }
  journal?.close();
  return { right: right ?? [], told: told ?? [], wrong: wrong ?? [] };
}

describe("a bit that flips in a database with runs of every dialect", () => {
  test("is found or does no harm, wherever it is; the other runs stay as they are", {
    timeout: 300_000,
  }, async () => {
    const content = readFileSync(whole);
    const next = random("flips");
    let found = 0;
    let others = 0;
    for (let count = 0; count < 600; count++) {
      const at = Math.floor(next() * content.length);
      const bit = Math.floor(next() * 8);
      const { right, told, wrong } = await look(flipped(content, at, bit));
      expect(wrong, `byte ${at}, bit ${bit}`).toEqual([]);
      if (told.length > 0) found++;
      if (told.length === 1) others += right.length;
    }
    expect(found).toBeGreaterThan(100);
    expect(others).toBeGreaterThan(400);
  });

  test("in a head does not break the list: the head is made anew", async () => {
    const content = readFileSync(whole);
    const at = content.indexOf('"status":"completed","startedAt"') + 12;
    expect(at).toBeGreaterThan(12);
    const { wrong, told, right } = await look(flipped(content, at, 0));
    expect({ wrong, told }).toEqual({ wrong: [], told: [] });
    expect(right).toHaveLength(7);
  });

  test("is told by the command line in a sentence, with an exit code and no stack", {
    timeout: 180_000,
  }, async () => {
    const content = readFileSync(whole);
    const next = random("spoken");
    const cli = new CommandLine();
    const calls = [...said.keys()].flatMap((run) => [
      ["show", run],
      ["replay", run],
    ]);
    for (let count = 0; count < 6; count++) {
      const path = flipped(content, Math.floor(next() * content.length), Math.floor(next() * 8));
      writeFileSync(join(cli.cwd, "f.db"), readFileSync(path));
      for (const ended of await cli.all(...[["runs"], ...calls].map((call) => [...call, "--db", "f.db"]))) {
        expect(ended.stderr).not.toMatch(/^ +at /m);
        if (ended.code !== 0) expect(ended.stderr).toMatch(/^baton: .*\.$/m);
      }
    }
  });
});
