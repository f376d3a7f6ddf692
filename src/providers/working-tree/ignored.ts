/**
 * Ignored files are what a repository does not look at: settings and secrets, and what tools leave behind.
 *
 * 1. They are told apart by hashes. Their contents are kept nowhere, since secrets are among them.
 * 2. Whole folders that are ignored (dependencies, build output) are left alone: tools write there all the time.
 */

import { createHash } from "node:crypto";
import { lstat, readFile } from "node:fs/promises";
import { join } from "node:path";
import { git } from "./git.ts";

/** A hash for each file, by its path relative to the top. */
export type Hashes = { readonly [path: string]: string };

/** The most files that are looked at. */
const MOST_FILES = 1000;
/** A longer file is told apart by its size and time. */
const MOST_BYTES = 1 << 20;

/** The ignored files of a working tree as they are now, those in `own` folders (relative, with `/`) left out. */
export async function ignoredFiles(top: string, own: readonly string[]): Promise<Hashes> {
  const list = ["ls-files", "-z", "--others", "--ignored", "--exclude-standard", "--directory"];
  const found = (await git({ args: list, cwd: top })).split("\0");
  const isOwn = (path: string) => own.some((folder) => path.startsWith(`${folder}/`));
  const files = found.filter((path) => path !== "" && !path.endsWith("/") && !isOwn(path)); // (2)
  const hashes = files.slice(0, MOST_FILES).map(async (path): Promise<[string, string][]> => {
    const hash = await hashOf(join(top, path)).catch(() => undefined); // it is gone, or nobody may read it
    return hash === undefined ? [] : [[path, hash]];
  });
  return Object.fromEntries((await Promise.all(hashes)).flat());
}

async function hashOf(path: string): Promise<string | undefined> {
  const found = await lstat(path);
  const { size, mtimeMs } = found;
  if (!found.isFile()) return undefined;
  if (size > MOST_BYTES) return `${size} bytes at ${mtimeMs}`;
  return createHash("sha256")
    .update(await readFile(path))
    .digest("hex");
}

/** The files that were added, changed or removed. */
export function changedBetween(before: Hashes, after: Hashes): string[] {
  const paths = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...paths].filter((path) => before[path] !== after[path]).sort();
}
