/** The store is the journal that a verb works on: `--db FILE`, made when a run is started, missing for nobody else. */

import { accessSync, constants, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { RunId } from "../../base/names.ts";
import { Refusal } from "../../base/refusal.ts";
import type { Journal, RetainingJournal, RunHead } from "../../run/journal.ts";
import { DEFAULT_DB } from "../global-flags.ts";
import { Misuse } from "../misuse.ts";

const MEMORY = ":memory:";
/** What Baton writes into its folder, which a person's own files there may stand beside. */
const FOLDERS = ["conversations", "drivers", "forks", "imported", "runs"];
const IGNORED = [".gitignore", "baton.db*", ...FOLDERS.map((name) => `${name}/`)];

export interface Store {
  readonly journal: RetainingJournal;
  /** The folder beside the database for what is not worth a place in it; none in memory. */
  readonly folder: string | undefined;
  /** What Baton itself writes beside the database, absolute: nobody's work, and in no picture of it. */
  readonly own: readonly string[];
}

/** Works on the journal and closes it, come what may. `create` makes it when it is not there. */
export async function withStore<T>(
  db: string,
  { create }: { readonly create: boolean },
  work: (store: Store) => Promise<T>,
): Promise<T> {
  const folder = db === MEMORY ? undefined : dirname(resolve(db));
  if (folder !== undefined && !create && !existsSync(db)) {
    throw new Refusal("unknown_run", `There are no runs here: ${db} does not exist. Name another with --db.`);
  }
  const journal = await openJournal(db, create ? folder : undefined);
  try {
    return await work({ journal, folder, own: folder === undefined ? [] : ownIn(folder, db) });
  } finally {
    await journal.close();
  }
}

/** The default folder is Baton's as a whole; another one may be a person's. */
function ownIn(folder: string, db: string): readonly string[] {
  if (db === DEFAULT_DB) return [folder];
  const files = ["", "-wal", "-shm", "-journal"].map((ending) => `${resolve(db)}${ending}`);
  return [...files, ...FOLDERS.map((name) => join(folder, name))];
}

async function openJournal(db: string, folder: string | undefined): Promise<RetainingJournal> {
  const { SqliteJournal } = await import("../../journals/sqlite/sqlite-journal.ts");
  try {
    if (folder !== undefined) makeFolder(folder, db);
    const readOnly = db !== MEMORY && existsSync(db) && !isWritable(db);
    if (readOnly && folder !== undefined) {
      throw new Refusal("wrong_state", `${db} cannot be written to. Name another database with --db.`);
    }
    return new SqliteJournal(db, { readOnly });
  } catch (error) {
    if (error instanceof Refusal) throw error;
    throw new Misuse(
      "unreadable",
      `${db} cannot be opened: ${error instanceof Error ? error.message : error}.`,
    );
  }
}

/** SQLite writes to the file and makes others beside it. */
function isWritable(db: string): boolean {
  try {
    accessSync(db, constants.W_OK);
    accessSync(dirname(resolve(db)), constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** Makes the folder; the default one says to git what in it is not worth keeping. */
function makeFolder(folder: string, db: string): void {
  mkdirSync(folder, { recursive: true });
  const ignoreFile = join(folder, ".gitignore");
  if (db === DEFAULT_DB && !existsSync(ignoreFile)) writeFileSync(ignoreFile, `${IGNORED.join("\n")}\n`);
}

/** Finds the one run that an id, or the beginning of one, stands for. */
export async function findRun(journal: Journal, text: string): Promise<RunHead> {
  const exact = await journal.head(text as RunId); // looked up, not trusted to be one
  if (exact !== undefined) return exact;
  const some = 10;
  for (const children of [false, true]) {
    const found = await journal.runs({ prefix: text, children, limit: some + 1 });
    if (found.length === 1 && found[0] !== undefined) return found[0];
    if (found.length > 1) {
      const ids = found.slice(0, some).map(({ run }) => run);
      const more = found.length > some ? " and more" : "";
      throw new Refusal("unknown_run", `${text} may be any of ${ids.join(", ")}${more}. Write more of it.`);
    }
  }
  throw new Refusal("unknown_run", `There is no run ${text}. \`baton runs\` lists them.`);
}
