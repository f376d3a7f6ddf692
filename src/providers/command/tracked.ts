/**
 * A tracked file is one that came with a repository, as far as git can say.
 *
 * 1. In a repository where git gives no answer, the file may well have come with it, and counts as tracked.
 * 2. Where a link leads counts as well as where it lies.
 * 3. Git is asked without running anything of the repository's: no file system monitor, and no folder of it that only
 *    looks like a repository, which could say what it likes and name programs. A name is no pattern.
 */

import { spawnSync } from "node:child_process";
import { existsSync, realpathSync } from "node:fs";
import { basename, dirname, join } from "node:path";

/** How git ends when it does not know a file. */
const NOT_TRACKED = 1;

/** (3) */
const WARY: readonly string[] = [
  ...["-c", "safe.bareRepository=explicit", "-c", "core.fsmonitor=false"],
  "--literal-pathspecs",
];

/** Says whether git tracks a file that is there, or what it leads to. */
export function isTracked(path: string): boolean {
  const lies = join(realpathSync(dirname(path)), basename(path));
  return [...new Set([lies, realpathSync(path)])].some(isKnown); // (2)
}

/** (1) */
function isKnown(path: string): boolean {
  const cwd = dirname(path);
  if (!hasRepository(cwd)) return false;
  const args = [...WARY, "ls-files", "--error-unmatch", "--", basename(path)];
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith("GIT_"));
  const env = { ...Object.fromEntries(inherited), GIT_OPTIONAL_LOCKS: "0" };
  return spawnSync("git", args, { cwd, env, stdio: "ignore" }).status !== NOT_TRACKED;
}

function hasRepository(folder: string): boolean {
  if (existsSync(join(folder, ".git"))) return true;
  const parent = dirname(folder);
  return parent !== folder && hasRepository(parent);
}
