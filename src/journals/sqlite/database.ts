/**
 * Opening a journal file: it is checked before it is touched, and then brought to the schema of this Baton.
 *
 * 1. A file that is not ours, or that a newer Baton wrote, is left as it is.
 * 2. Several processes may open a new file at once: one of them migrates, the others find it done.
 * 3. On media that cannot be written to, what a process that died had not yet put into the main file is read from a
 *    copy: SQLite has to write beside a file to read that.
 */

import { copyFileSync, mkdirSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import { Refusal } from "../../base/refusal.ts";
import { APPLICATION_ID, MIGRATIONS } from "./schema.ts";
import { CODE, named, resultCode } from "./trouble.ts";

export interface DatabaseOptions {
  /** Waits for the disk at every append: nothing is lost when the machine loses power. Off by default. */
  readonly fullSync?: boolean;
  /** How long to wait for another process that writes, in milliseconds; 5,000 when absent. */
  readonly timeout?: number;
  /** Reads a file that may not be written to, and makes none beside it. */
  readonly readOnly?: boolean;
  /** The file does not grow beyond so many bytes: an append that needs more fails, and nothing of it is kept. */
  readonly maxBytes?: number;
}

/** Those that are about the path that was given, in words that follow on it. */
const UNFIT: ReadonlyMap<number | undefined, string> = new Map([
  [CODE.readonly, "cannot be written to"],
  [CODE.cantOpen, "cannot be opened as a file"],
  [CODE.notADatabase, "is not a SQLite database"],
]);
/** How long to wait before trying again what SQLite itself does not wait for, in milliseconds. */
const PATIENCE = 10;

/** Opens the database at a path, with the folders that lead to it; `:memory:` is one without a file. */
export function openDatabase(path: string, options: DatabaseOptions): DatabaseSync {
  const { timeout = 5000, readOnly = false } = options;
  if (typeof path !== "string" || path === "")
    throw new Refusal("invalid_value", 'A SQLite journal needs the path of its file, or ":memory:".');
  if (path !== ":memory:" && !readOnly) mkdirSync(dirname(path), { recursive: true });
  let db: DatabaseSync | undefined;
  try {
    const opened = readOnly ? openToRead(path) : new DatabaseSync(path);
    db = opened;
    opened.exec(`PRAGMA busy_timeout = ${timeout}`);
    waitingFor(timeout, () => {
      checkOwner(opened, path);
      if (readOnly) refuseOlder(opened, path);
      else prepare(opened, path, options);
    });
    return opened;
  } catch (error) {
    db?.close();
    const unfit = UNFIT.get(resultCode(error));
    throw unfit === undefined ? named(error, path) : refusal(path, unfit);
  }
}

/** A file that nobody else has open is read as it is; SQLite would make files beside it otherwise. */
function openToRead(path: string): DatabaseSync {
  const log = statSync(`${path}-wal`, { throwIfNoEntry: false });
  if (log === undefined || log.size === 0) return asItIs(path);
  const opened = new DatabaseSync(path, { readOnly: true });
  try {
    opened.prepare("SELECT count(*) FROM sqlite_schema").get();
    return opened;
  } catch (error) {
    opened.close();
    if (!UNWRITABLE.has(resultCode(error))) throw error;
    return copyOf(path);
  }
}

const UNWRITABLE: ReadonlySet<number | undefined> = new Set([CODE.cantOpen, CODE.readonly]);

function asItIs(path: string): DatabaseSync {
  const url = pathToFileURL(path);
  url.search = "immutable=1";
  return new DatabaseSync(url, { readOnly: true });
}

/** Opens a copy in which everything is in the main file; nobody else sees it, and nothing of it stays (3). */
function copyOf(path: string): DatabaseSync {
  const folder = mkdtempSync(join(tmpdir(), "baton-read-"));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  try {
    const copy = join(folder, "copy.db");
    for (const ending of ["", "-wal"]) copyFileSync(path + ending, copy + ending);
    const whole = new DatabaseSync(copy);
    whole.exec("PRAGMA journal_mode = DELETE");
    whole.close();
    return asItIs(copy);
  } finally {
    try {
      remove(); // what is open can be read until it is closed
    } catch {
      process.once("exit", remove); // not everywhere
    }
  }
}

function prepare(db: DatabaseSync, path: string, { fullSync = false, maxBytes }: DatabaseOptions): void {
  db.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = ${fullSync ? "FULL" : "NORMAL"}`);
  migrate(db, path);
  if (maxBytes === undefined) return;
  db.exec(`PRAGMA max_page_count = ${Math.max(1, Math.floor(maxBytes / pragma(db, "page_size")))}`);
}

/** Two processes that turn one file to WAL at once do not wait for each other by themselves. */
function waitingFor(timeout: number, work: () => void): void {
  const pause = new Int32Array(new SharedArrayBuffer(4));
  for (let waited = 0; ; waited += PATIENCE) {
    try {
      work();
      return;
    } catch (error) {
      if (resultCode(error) !== CODE.busy || waited >= timeout) throw error;
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

/** What has to be migrated has to be written to. */
function refuseOlder(db: DatabaseSync, path: string): void {
  const version = pragma(db, "user_version");
  if (version === MIGRATIONS.length) return;
  const message = `${path} has format ${version}. Open it once where it may be written to, so that it becomes ${MIGRATIONS.length}.`;
  throw new Refusal("invalid_value", message);
}

function refusal(path: string, what: string): Refusal {
  return new Refusal("invalid_value", `${path} ${what}, so Baton does not touch it. Use another path.`);
}

function pragma(db: DatabaseSync, name: "application_id" | "user_version" | "page_size"): number {
  const row = db.prepare(`PRAGMA ${name}`).get() as Record<string, number>; // all of them are integers
  return row[name] ?? 0;
}
