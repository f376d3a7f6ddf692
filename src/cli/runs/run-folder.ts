/** The folder of a run is where it keeps the files that are not worth a place in the database. */

import { mkdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { RunId } from "../../base/names.ts";
import { sha256 } from "../../engines/local.ts";
import type { Store } from "./store.ts";

/** Makes the folder of a run, in the one that its definition names; it has the same one in every process. */
export function folderFor(run: RunId, store: Pick<Store, "folder">, named?: string): string {
  const path = named === undefined ? folderOf(run, store) : join(named, nameOf(run));
  mkdirSync(path, { recursive: true });
  return path;
}

/** Where the folder of a run is, or would be. */
export function folderOf(run: RunId, { folder }: Pick<Store, "folder">): string {
  return join(folder ?? join(tmpdir(), "baton"), RUNS, nameOf(run));
}

/** What the folder of a run is called. */
export function nameOf(run: RunId): string {
  return sha256(run).slice("sha256:".length, "sha256:".length + 16);
}

/** The folder of all of them, beside the database. */
const RUNS = "runs";
