/**
 * A forked folder holds the files of the moment that a fork begins at, beside those of the run that it came from.
 *
 * 1. The folder of that run, its index and its branches are not touched.
 * 2. Where the run's repository is at hand the folder is a worktree of it, with no branch checked out; else it is a
 *    repository of its own, whose one commit has the files.
 */

import { mkdir, rm, stat } from "node:fs/promises";
import { join, relative } from "node:path";
import { git, tryGit } from "../../providers/working-tree/git.ts";
import type { TreeStore } from "../tree-store.ts";

export interface ForkedFolder {
  /** The folder for the fork to work in: where that of the run lay in its repository, absolute. */
  readonly cwd: string;
  /** Takes it all back. */
  remove(): Promise<void>;
}

export interface ForkedFolderOptions {
  readonly store: TreeStore;
  /** The picture of the files. */
  readonly object: string;
  /** The folder to make, absolute. */
  readonly folder: string;
  /** The folder of the run that is forked, absolute. */
  readonly cwd: string;
}

/** Makes the folder. Rejects with a sentence where that cannot be done, and leaves nothing then. */
export async function forkFolder({ store, object, folder, cwd }: ForkedFolderOptions): Promise<ForkedFolder> {
  if ((await stat(folder).catch(() => undefined)) !== undefined)
    throw new Error(`There is something at ${folder} already.`);
  if ((await store.find(object)) === undefined) {
    throw new Error("The pictures of its files are not on this machine any more.");
  }
  const home = await homeOf(cwd);
  const remove = async () => {
    await rm(folder, { recursive: true, force: true });
    if (home !== undefined) await tryGit({ args: ["worktree", "prune"], cwd: home.top });
  };
  try {
    if (home === undefined) await ownRepository(store, object, folder);
    else await worktree({ store, object, folder, top: home.top });
  } catch (error) {
    await remove();
    throw error;
  }
  const place = join(folder, home?.below ?? "");
  await mkdir(place, { recursive: true });
  return { cwd: place, remove };
}

/** The repository of a folder, once it has a commit, and where the folder lies in it. */
async function homeOf(cwd: string): Promise<{ readonly top: string; readonly below: string } | undefined> {
  if ((await stat(cwd).catch(() => undefined)) === undefined) return undefined;
  const { code, stdout } = await tryGit({ args: ["rev-parse", "--show-toplevel"], cwd });
  const hasCommit = (await tryGit({ args: ["rev-parse", "--verify", "--quiet", "HEAD"], cwd })).code === 0;
  if (code !== 0 || !hasCommit) return undefined;
  const top = stdout.replace(/\r?\n$/, "");
  const prefix = await tryGit({ args: ["rev-parse", "--show-prefix"], cwd });
  return { top, below: relative("", prefix.stdout.trim()) };
}

interface Layout {
  readonly store: TreeStore;
  readonly object: string;
  readonly folder: string;
  readonly top: string;
}

async function worktree({ store, object, folder, top }: Layout): Promise<void> {
  const add = ["worktree", "add", "--quiet", "--detach", "--no-checkout", folder, "HEAD"];
  await git({ args: add, cwd: top });
  await store.checkOut(object, folder);
  await git({ args: ["reset", "--quiet"], cwd: folder }); // an index like HEAD; the files stay
}

async function ownRepository(store: TreeStore, object: string, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await git({ args: ["init", "-q", "--template=", folder], cwd: folder });
  await store.checkOut(object, folder);
  const author = ["-c", "user.name=Baton", "-c", "user.email=baton@localhost", "-c", "commit.gpgSign=false"];
  await git({ args: ["add", "--all", "--force"], cwd: folder });
  await git({
    args: [...author, "commit", "--quiet", "--allow-empty", "-m", `The files of picture ${object}`],
    cwd: folder,
  });
}
