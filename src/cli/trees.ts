/** Where the pictures of a run's files are: in the shadows of its own folder, and in the repository that it worked in. */

import { join } from "node:path";
import type { RunId } from "../base/names.ts";
import { sha256 } from "../engines/local.ts";
import { TreeStore } from "../history/tree-store.ts";
import { folderFor } from "./run-folder.ts";
import type { Store } from "./store.ts";

/** The folder of a run in which its pictures lie; `inbox-runs.ts` has them taken there. */
export function treeFolder(run: RunId, store: Store): string {
  return join(folderFor(run, store), "tree");
}

/** The pictures of a run that worked in this folder. */
export function treesFor(run: RunId, store: Store, cwd: string | undefined): Promise<TreeStore> {
  return TreeStore.of(treeFolder(run, store), cwd);
}

/** An id as the name of a folder; ids that look alike in it are told apart by their hash. */
export function folderName(run: string): string {
  const plain = run.replaceAll(/[^A-Za-z0-9._-]/g, "-");
  return plain === run && !plain.startsWith(".")
    ? plain
    : `${plain.slice(0, 40)}-${sha256(run).slice(7, 15)}`;
}
