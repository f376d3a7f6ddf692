/**
 * The notice beside a database says that a studio is up for it, so that other commands leave driving to it.
 *
 * 1. Only its owner may read it: it has the token.
 * 2. The notice of a process that is gone is none.
 */

import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { isJsonObject, type Json } from "../../base/json.ts";
import { bornAt, isAlive } from "../runs/seat.ts";

/** Among the seats, which git is told to ignore. */
function fileFor(folder: string, db: string): string {
  return join(folder, "drivers", `studio-${basename(db)}.json`);
}

export interface Notice {
  readonly pid: number;
  /** The address of the page, without the token. */
  readonly url: string;
  readonly token: string;
}

/** A database, and the folder beside it, which one in memory does not have. */
export interface Place {
  readonly folder: string | undefined;
  readonly db: string;
}

/** Puts the notice up; returns what takes it down. For a database in memory there is nobody to read it. */
export function putUp({ folder, db }: Place, notice: Notice): () => void {
  if (folder === undefined) return () => {};
  const path = fileFor(folder, db);
  const draft = `${path}.${process.pid}`;
  mkdirSync(dirname(path), { recursive: true });
  const text = JSON.stringify({ ...notice, born: bornAt(notice.pid) });
  rmSync(draft, { force: true });
  writeFileSync(draft, text, { mode: 0o600, flag: "wx" }); // (1)
  renameSync(draft, path);
  return () => {
    if (studioAt({ folder, db })?.pid === notice.pid) rmSync(path, { force: true });
  };
}

/** The studio that is up for a database. */
export function studioAt({ folder, db }: Place): Notice | undefined {
  if (folder === undefined) return undefined;
  try {
    const json = JSON.parse(readFileSync(fileFor(folder, db), "utf8")) as Json;
    if (!isJsonObject(json)) return undefined;
    const { pid, url, token, born } = json;
    if (typeof pid !== "number" || typeof url !== "string" || typeof token !== "string") return undefined;
    return isAlive(pid) && born === bornAt(pid) ? { pid, url, token } : undefined; // (2)
  } catch {
    return undefined;
  }
}
