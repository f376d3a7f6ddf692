/**
 * The command line on real media: a disk that is really full, and one that is mounted for reading only. Mounting needs
 * the rights of root; where there are none, the tests are skipped, and say so.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, test } from "vitest";
import { runId, type TaskId } from "../../src/base/names.ts";
import { SqliteJournal } from "../../src/journals/sqlite/sqlite-journal.ts";
import type { Batch } from "../../src/run/journal.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const BATON = join(ROOT, "bin", "baton");
const RECIPE = "3-plan-build-check";
const disk = mkdtempSync(join(tmpdir(), "baton-disk-"));
const isMounted = spawnSync("mount", ["-t", "tmpfs", "-o", "size=300k", "tmpfs", disk]).status === 0;
if (!isMounted) console.info("Skipped: media.test.ts needs the right to mount a file system.");
afterAll(() => {
  if (isMounted) execFileSync("umount", [disk]);
  rmSync(disk, { recursive: true, force: true });
});

function remount(options: string): void {
  execFileSync("mount", ["-o", `remount,${options}`, disk]);
}

function baton(...args: readonly string[]): { code: number | null; stdout: string; stderr: string } {
  const { status, stdout, stderr } = spawnSync(BATON, args, {
    cwd: disk,
    encoding: "utf8",
    timeout: 180_000,
  });
  return { code: status, stdout, stderr };
}

const RUN = runId("begun");
const PROGRAM = { dialect: "loadout", name: "left", revision: "1" };
/** What a process that died had committed, and not yet put into the main file. */
const BEGUN: Batch = {
  ...{ run: RUN, after: 0, texts: [] },
  events: [
    { ...{ type: "task.noted", task: "1/n" as TaskId, kind: "k", data: "x" }, run: RUN, seq: 1, at: 1 },
  ],
  head: { run: RUN, program: PROGRAM, status: "completed", startedAt: 1, updatedAt: 1 },
};

const run = (id: string) =>
  baton("run", `${RECIPE}.json`, "--script", `${RECIPE}.script.json`, "--run-id", id);

describe.skipIf(!isMounted)("a disk", () => {
  test("that is full stops a run with one sentence; it can be looked at, and goes on once there is room", {
    timeout: 300_000,
  }, () => {
    for (const file of [`${RECIPE}.json`, `${RECIPE}.script.json`]) {
      cpSync(join(ROOT, "examples/cookbook", file), join(disk, file));
    }
    let id = "";
    let ended = { code: 0 as number | null, stdout: "", stderr: "" };
    for (let count = 1; count < 9 && ended.code === 0; count++) {
      id = `r${count}`;
      ended = run(id);
    }
    expect(ended.code).toBe(1);
    expect(ended.stderr.trim().split("\n").at(-1)).toBe(
      "baton: .baton/baton.db cannot grow: the disk is full, or the file is as large as it may be. Nothing is lost; make room and resume.",
    );
    expect(baton("show", id)).toMatchObject({ code: 0, stdout: expect.stringContaining("running") });
    remount("size=8m");
    expect(baton("resume", id)).toMatchObject({ code: 0 });
    expect(baton("replay", id)).toMatchObject({ code: 0 });
  });

  test("that cannot be written to is read as it is, and says so to whoever wants to run something", {
    timeout: 180_000,
  }, () => {
    const live = new SqliteJournal(join(disk, "live.db"));
    live.append(BEGUN);
    for (const ending of ["", "-wal"]) cpSync(join(disk, `live.db${ending}`), join(disk, `left.db${ending}`));
    live.close();
    remount("ro");
    expect(baton("runs", "--db", "left.db")).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("begun"),
    });
    expect(baton("events", "begun", "--db", "left.db")).toMatchObject({ code: 0 });
    expect(baton("runs").stdout).toContain("completed");
    for (const verb of ["show", "events", "replay"]) expect(baton(verb, "r1")).toMatchObject({ code: 0 });
    const refused = run("late");
    expect(refused.code).toBe(2);
    expect(refused.stderr).toBe(
      "baton: .baton/baton.db cannot be written to. Name another database with --db.\n",
    );
    const resumed = baton("cancel", "r1");
    expect(resumed.code).not.toBe(0);
    expect(resumed.stderr.trim().split("\n")).toHaveLength(1);
  });
});
