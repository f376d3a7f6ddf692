/**
 * Opening a journal file: it is checked before it is touched, and then brought to the schema of this Baton.
 *
 * 1. A file that is not ours, or that a newer Baton wrote, is left as it is.
 * 2. Several processes may open a new file at once: one of them migrates, the others find it done.
 */

import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { Refusal } from "../../base/refusal.ts";
import { APPLICATION_ID, MIGRATIONS } from "./schema.ts";

export interface DatabaseOptions {
  /** Waits for the disk at every append: nothing is lost when the machine loses power. Off by default. */
  readonly fullSync?: boolean;
  /** How long to wait for another process that writes, in milliseconds; 5,000 when absent. */
  readonly timeout?: number;
}

/** SQLite's result codes, of which the low byte is the kind. */
const BUSY = 5;
/** Those that are about the path that was given, in words that follow on it. */
const UNFIT: ReadonlyMap<number | undefined, string> = new Map([
  [8, "cannot be written to"],
  [14, "cannot be opened as a file"],
  [26, "is not a SQLite database"],
]);
/** How long to wait before trying again what SQLite itself does not wait for, in milliseconds. */
const PATIENCE = 10;

/** Opens the database at a path, with the folders that lead to it; `:memory:` is one without a file. */
export function openDatabase(path: string, options: DatabaseOptions): DatabaseSync {
  const { fullSync = false, timeout = 5000 } = options;
  if (path !== ":memory:") mkdirSync(dirname(path), { recursive: true });
  let db: DatabaseSync | undefined;
  try {
    const opened = new DatabaseSync(path);
    db = opened;
    opened.exec(`PRAGMA busy_timeout = ${timeout}`);
    waitingFor(timeout, () => {
      checkOwner(opened, path);
      opened.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = ${fullSync ? "FULL" : "NORMAL"}`);
      migrate(opened, path);
    });
    return opened;
  } catch (error) {
    db?.close();
    const unfit = UNFIT.get(resultCode(error));
    throw unfit === undefined ? error : refusal(path, unfit);
  }
}

/** Says whether another process kept SQLite from doing something. */
export function isBusy(error: unknown): boolean {
  return resultCode(error) === BUSY;
}

function resultCode(error: unknown): number | undefined {
  if (!(error instanceof Error) || !("errcode" in error)) return undefined;
  return typeof error.errcode === "number" ? error.errcode & 0xff : undefined;
}

/** Two processes that turn one file to WAL at once do not wait for each other by themselves. */
function waitingFor(timeout: number, work: () => void): void {
  const pause = new Int32Array(new SharedArrayBuffer(4));
  for (let waited = 0; ; waited += PATIENCE) {
    try {
      work();
      return;
    } catch (error) {
      if (!isBusy(error) || waited >= timeout) throw error;
      Atomics.wait(pause, 0, 0, PATIENCE);
    }
  }
}

/** Looks for tables first: whoever sees those of another process's migration then sees its mark as well. */
function checkOwner(db: DatabaseSync, path: string): void {
  const { tables } = db.prepare("SELECT count(*) AS tables FROM sqlite_schema").get() as { tables: number };
  if (pragma(db, "application_id") === APPLICATION_ID) refuseNewer(pragma(db, "user_version"), path);
  else if (tables > 0) throw refusal(path, "is a SQLite database of another program");
}

function migrate(db: DatabaseSync, path: string): void {
  if (pragma(db, "user_version") === MIGRATIONS.length) return;
  db.exec("BEGIN IMMEDIATE");
  try {
    const version = pragma(db, "user_version");
    refuseNewer(version, path);
    for (const migration of MIGRATIONS.slice(version)) db.exec(migration);
    db.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${MIGRATIONS.length}; COMMIT`);
  } catch (error) {
    db.exec("ROLLBACK");
    throw error;
  }
}

function refuseNewer(version: number, path: string): void {
  if (version <= MIGRATIONS.length) return;
  throw new Refusal(
    "newer_format",
    `${path} has format ${version}, and this Baton knows formats up to ${MIGRATIONS.length}. Update Baton, or use another database.`,
  );
}

function refusal(path: string, what: string): Refusal {
  return new Refusal("invalid_value", `${path} ${what}, so Baton does not touch it. Use another path.`);
}

function pragma(db: DatabaseSync, name: "application_id" | "user_version"): number {
  const row = db.prepare(`PRAGMA ${name}`).get() as Record<string, number>; // these two are integers
  return row[name] ?? 0;
}
