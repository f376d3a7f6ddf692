/** The files of a fork: laid out as they were, in a folder of its own, with worktrees for the nodes that had some. */

import { tmpdir } from "node:os";
import { join } from "node:path";
import { messageOf } from "../../base/failure.ts";
import type { RunId } from "../../base/names.ts";
import { newRunId } from "../../history/family.ts";
import type { Edit } from "../../history/fork/edit.ts";
import { type Forked, forkRun } from "../../history/fork/fork.ts";
import { type ForkedFolder, forkFolder } from "../../history/fork/forked-folder.ts";
import { type ForkedWorktrees, forkWorktrees, worktreesAt } from "../../history/fork/forked-worktrees.ts";
import { pictureAt } from "../../history/fork/picture-at.ts";
import { GitWorkingTree } from "../../providers/working-tree/git-working-tree.ts";
import { requestIn } from "./request.ts";
import { folderOf, nameOf } from "./run-folder.ts";
import type { Store } from "./store.ts";
import { FORKS, folderName, treeFolder, treesFor } from "./trees.ts";

/** What became of the files: where they are and which event recorded them, or why there are none. */
export type Files = (Restored | { readonly why: string }) & {
  /** The worktrees of single nodes. */
  readonly worktrees?: readonly Restored[];
  /** Why others begin anew, a sentence each. */
  readonly missed?: readonly string[];
};

export interface Restored {
  readonly folder: string;
  readonly seq: number;
}

export interface WantedFork {
  readonly id: string;
  readonly at?: number;
  readonly edit: readonly Edit[];
}

/** Forks a run and lays out its files; what was laid out goes when the fork is refused. */
export async function forkWithFiles(
  store: Store,
  run: RunId,
  wanted: WantedFork,
): Promise<Forked & { readonly files: Files }> {
  const { journal } = store;
  const now = Date.now();
  const fork = await newRunId(journal, wanted.id);
  const [first] = await journal.read(run, 0, 1);
  const { cwd } = requestIn(first) ?? {};
  const main = await mainFolder(store, run, { ...wanted, cwd });
  const isRestored = "remove" in main;
  const home = isRestored ? main.cwd : cwd;
  const trees =
    home === undefined ? undefined : await nodeFolders(store, run, { ...wanted, fork, cwd: home });
  try {
    if (isRestored || trees !== undefined) {
      // Tasks that are open in it compare the files with how they found them, so its own shadow has to know that.
      const tree = new GitWorkingTree({ cwd: home ?? "", store: treeFolder(fork, store), own: store.own });
      if (isRestored) await tree.mark();
      for (const { worktree } of trees?.made.values() ?? []) await tree.mark(worktree.folder);
    }
    const forked = await forkRun(journal, run, {
      ...{ ...wanted, now },
      ...(isRestored && { cwd: main.cwd }),
      ...(trees && { worktrees: trees.made }),
    });
    return { ...forked, files: { ...filesOf(main), ...(trees && nodeFiles(trees)) } };
  } catch (error) {
    await trees?.remove();
    if (isRestored) await main.remove();
    throw error;
  }
}

function filesOf(main: Main): Restored | { readonly why: string } {
  return "remove" in main ? { folder: main.cwd, seq: main.seq } : main;
}

function nodeFiles({ made, missed }: ForkedWorktrees): Pick<Files, "worktrees" | "missed"> {
  const worktrees = [...made.values()].map(({ worktree: { folder }, seq }) => ({ folder, seq }));
  return { ...(worktrees.length > 0 && { worktrees }), ...(missed.length > 0 && { missed }) };
}

type Main = (ForkedFolder & { readonly seq: number }) | { readonly why: string };

interface Place extends WantedFork {
  readonly cwd: string | undefined;
}

/** A folder with the files of the run at that moment, or why there is none. */
async function mainFolder(store: Store, run: RunId, { id, at, cwd }: Place): Promise<Main> {
  const tree = await pictureAt(store.journal, run, at);
  if (tree === undefined || cwd === undefined)
    return { why: "the log does not say what the files were then" };
  const folder = join(store.folder ?? join(tmpdir(), "baton"), FORKS, folderName(id));
  const trees = await treesFor(run, store, cwd);
  const made = await forkFolder({ store: trees, object: tree.object, folder, cwd }).catch(sentenceOf);
  return typeof made === "string" ? { why: made } : { ...made, seq: tree.seq };
}

/** The worktrees that single nodes had at that moment; nothing where none had one. */
async function nodeFolders(
  store: Store,
  run: RunId,
  { at, fork, cwd }: Place & { readonly fork: RunId; readonly cwd: string },
): Promise<ForkedWorktrees | undefined> {
  const worktrees = await worktreesAt(store.journal, run, at);
  if (worktrees.length === 0) return undefined;
  const trees = await treesFor(run, store, cwd);
  const folder = join(folderOf(fork, store), "worktrees");
  return forkWorktrees(worktrees, { store: trees, cwd, folder, name: nameOf(fork) });
}

function sentenceOf(error: unknown): string {
  const message = messageOf(error);
  return message.replace(/\.$/, "");
}
