/** Which version control a folder is under: that of the nearest folder upwards which has one. */

import { stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { run } from "./programs.ts";

export interface Vcs {
  readonly kind: "git" | "jj" | "none";
  /** The absolute path of the repository's top folder. */
  readonly root: string | null;
  /** True when its program runs here. */
  readonly available: boolean;
}

/** Looks upwards from a folder. Where a folder has both, jj wins: it then works on top of git. */
export async function detectVcs(cwd: string): Promise<Vcs> {
  for (let folder = resolve(cwd); ; folder = dirname(folder)) {
    const kind = await kindOf(folder);
    if (kind !== undefined) return { kind, root: folder, available: await runs(kind, folder) };
    if (dirname(folder) === folder) return { kind: "none", root: null, available: false };
  }
}

async function kindOf(folder: string): Promise<"git" | "jj" | undefined> {
  if (await exists(join(folder, ".jj", "repo"))) return "jj";
  // In a worktree or submodule `.git` is a file that names the place; a mere folder of that name is none.
  const dotGit = join(folder, ".git");
  const isGit = (await exists(join(dotGit, "HEAD"))) || (await isFile(dotGit));
  return isGit ? "git" : undefined;
}

async function runs(program: string, cwd: string): Promise<boolean> {
  return (await run(program, ["--version"], cwd)).code === 0;
}

async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined)) !== undefined;
}

async function isFile(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isFile() ?? false;
}
