/** The folder of a run is where it keeps the files that are not worth a place in the database. */

import { mkdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { RunId } from "../base/names.ts";
import { sha256 } from "../engines/local.ts";
import type { Store } from "./store.ts";

/** Makes the folder of a run; it has the same one in every process. */
export function folderFor(run: RunId, { folder }: Pick<Store, "folder">): string {
  const name = sha256(run).slice("sha256:".length, "sha256:".length + 16);
  const path = join(folder ?? join(tmpdir(), "baton"), "runs", name);
  mkdirSync(path, { recursive: true });
  return path;
}
