/** Where the pictures of a run's files are: in the shadows of its own folder, and in the repository that it worked in. */

import { join } from "node:path";
import type { RunId } from "../../base/names.ts";
import { sha256 } from "../../engines/local.ts";
import { lineageOf } from "../../history/retention/lineage.ts";
import { TreeStore } from "../../history/tree-store.ts";
import { folderOf } from "./run-folder.ts";
import type { Store } from "./store.ts";

/** The folder of a run in which its pictures lie. */
export function treeFolder(run: RunId, store: Store): string {
  return join(folderOf(run, store), "tree");
}

/** The pictures of a run that worked in this folder, and of the runs that it has its past from. */
export async function treesFor(run: RunId, store: Store, cwd: string | undefined): Promise<TreeStore> {
  const lineage = await lineageOf(store.journal, run);
  return TreeStore.of(
    lineage.map((each) => treeFolder(each, store)),
    cwd,
  );
}

/** The folder of all forks that have files of their own, beside the database. */
export const FORKS = "forks";

/** An id as the name of a folder; ids that look alike in it are told apart by their hash. */
export function folderName(run: string): string {
  const plain = run.replaceAll(/[^A-Za-z0-9._-]/g, "-");
  return plain === run && !plain.startsWith(".")
    ? plain
    : `${plain.slice(0, 40)}-${sha256(run).slice(7, 15)}`;
}
