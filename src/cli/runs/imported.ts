/**
 * Imported runs are known by marks beside the database, since their logs are as they were: whoever goes on with one of
 * them, or with a fork of it, knows that it was not started here.
 */

import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { RunId } from "../../base/names.ts";
import { lineageOf } from "../../history/retention/lineage.ts";
import { nameOf } from "./run-folder.ts";
import type { Store } from "./store.ts";

/** The folder of the marks. */
export const IMPORTED = "imported";

/** Marks a run, before it is there; in memory there is nobody who could go on with it later. */
export function markImported({ folder }: Pick<Store, "folder">, run: RunId): void {
  if (folder === undefined) return;
  mkdirSync(join(folder, IMPORTED), { recursive: true });
  writeFileSync(markOf(folder, run), `${run}\n`);
}

/** Takes the mark from a run that is not there after all, or that begins here. */
export function unmarkImported({ folder }: Pick<Store, "folder">, run: RunId): void {
  if (folder !== undefined) rmSync(markOf(folder, run), { force: true });
}

/** Says whether a run has the past of one that was imported. */
export async function isImported({ journal, folder }: Store, run: RunId): Promise<boolean> {
  if (folder === undefined || !existsSync(join(folder, IMPORTED))) return false;
  const lineage = await lineageOf(journal, run);
  return lineage.some((each) => existsSync(markOf(folder, each)));
}

function markOf(folder: string, run: RunId): string {
  return join(folder, IMPORTED, nameOf(run));
}
