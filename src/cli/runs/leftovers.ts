/** Clearing removes what lies beside the database for runs that are gone, as far as the folder is that database's alone. */

import { closeSync, openSync, readdirSync, readSync } from "node:fs";
import { join, resolve } from "node:path";
import { messageOf } from "../../base/failure.ts";
import type { RunId } from "../../base/names.ts";
import { descendants } from "../../history/family.ts";
import {
  type Leftover,
  leftoversOf,
  type Naming,
  removeLeftovers,
  type Scope,
} from "../../history/retention/leftovers.ts";
import type { RunHead } from "../../run/journal.ts";
import { nameOf } from "./run-folder.ts";
import type { Store } from "./store.ts";
import { folderName } from "./trees.ts";

export interface Cleared {
  /** What went, or would go. */
  readonly files: readonly Leftover[];
  readonly bytes: number;
  /** Why something stays that nobody may need, a sentence each. */
  readonly stays: readonly string[];
}

export interface Clearing {
  /** The database. */
  readonly db: string;
  readonly scope: Scope;
  /** Runs that are taken to be gone, with their children. */
  readonly without?: readonly RunId[];
  /** Tells what would go, and removes nothing. */
  readonly dryRun: boolean;
}

const NOTHING: Cleared = { files: [], bytes: 0, stays: [] };

/** Clears the folder of a store. Files that cannot be told to be of no use stay. */
export async function clearLeftovers(
  { journal, folder }: Store,
  { db, scope, without = [], dryRun }: Clearing,
): Promise<Cleared> {
  if (folder === undefined) return NOTHING;
  const other = otherDatabase(folder, resolve(db));
  if (other !== undefined) {
    return { ...NOTHING, stays: [`Files stay, since ${other} is in the same folder and may need them.`] };
  }
  const naming: Naming = { folder, run: nameOf, fork: folderName };
  let files: readonly Leftover[];
  try {
    const staying = stayingIn(await journal.runs({ children: true }), without);
    files = await leftoversOf(journal, staying, { naming, scope });
  } catch (error) {
    const why = messageOf(error);
    return { ...NOTHING, stays: [`Files stay, since nobody can say which of them are needed. ${why}`] };
  }
  const { went, stays } = dryRun ? { went: files, stays: [] } : await removeLeftovers(files);
  return { files: went, bytes: went.reduce((sum, { bytes }) => sum + bytes, 0), stays };
}

function stayingIn(heads: readonly RunHead[], without: readonly RunId[]): readonly RunHead[] {
  const gone = new Set(without.flatMap((run) => [run, ...descendants(run, heads).map((head) => head.run)]));
  return heads.filter(({ run }) => !gone.has(run));
}

/** SQLite's mark at the beginning of a file, and Baton's at byte 68. */
const MARKS = [
  [0, "SQLite format 3\0"],
  [68, "BATN"],
] as const;

/** Another database of Baton's in a folder. */
function otherDatabase(folder: string, db: string): string | undefined {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (!entry.isFile() || path === db) continue;
    const bytes = beginningOf(path);
    if (MARKS.every(([at, mark]) => bytes.toString("latin1", at, at + mark.length) === mark)) {
      return entry.name;
    }
  }
  return undefined;
}

/** The first bytes of a file; one that nobody may read has none. */
function beginningOf(path: string): Buffer {
  const bytes = Buffer.alloc(72);
  try {
    const file = openSync(path, "r");
    try {
      readSync(file, bytes, 0, bytes.length, 0);
    } finally {
      closeSync(file);
    }
  } catch {
    return Buffer.alloc(0);
  }
  return bytes;
}

/** What was cleared, for people; nothing when there was nothing. */
export function clearedText({ files, bytes }: Cleared): string | undefined {
  if (files.length === 0) return undefined;
  const counts = (["run", "fork", "conversation"] as const).flatMap((kind) => {
    const count = files.filter((file) => file.kind === kind).length;
    const named = kind === "conversation" ? "conversation" : `folder of a ${kind}`;
    const plural = kind === "conversation" ? "conversations" : `folders of ${kind}s`;
    return count === 0 ? [] : [`${count} ${count === 1 ? named : plural}`];
  });
  return `${counts.join(", ")}, ${bytes} bytes`;
}
