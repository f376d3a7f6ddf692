/**
 * Forked worktrees hold the files that the worktrees of single nodes held at the moment that a fork begins at.
 *
 * 1. Those of the run that is forked are not touched, and none of them is shared: what has no picture is begun anew.
 * 2. Each lies on a branch of the fork's own that begins where the other one began; what was committed there since is
 *    in its files.
 */

import { mkdir, rm } from "node:fs/promises";
import { basename, dirname, join, sep } from "node:path";
import type { Worktree } from "../../agent/worktree.ts";
import { messageOf } from "../../base/failure.ts";
import { assign, isJsonObject, type Json, type JsonObject } from "../../base/json.ts";
import type { RunId } from "../../base/names.ts";
import { archiveState } from "../../kernel/archive.ts";
import type { Event } from "../../kernel/event.ts";
import { evolve } from "../../kernel/evolve.ts";
import { emptyState } from "../../kernel/state.ts";
import { git, tryGit } from "../../providers/working-tree/git.ts";
import type { Journal } from "../../run/journal.ts";
import { readEvents } from "../../run/load.ts";
import type { TreeStore } from "../tree-store.ts";
import { type RecordedTree, treesOf } from "../trees.ts";

/** A worktree as the state of a run has it, and the latest picture of its files. */
export interface PicturedWorktree {
  readonly worktree: Worktree;
  readonly picture: RecordedTree | undefined;
}

/** The worktrees that a run had right after an event, or has at its latest one. */
export async function worktreesAt(
  journal: Journal,
  run: RunId,
  at: number = Number.POSITIVE_INFINITY,
): Promise<readonly PicturedWorktree[]> {
  const state = emptyState(run);
  const past: Event[] = [];
  for await (const event of readEvents(journal, run, 0)) {
    if (event.seq > at) break;
    evolve(state, event);
    past.push(event);
  }
  if (state.program?.dialect !== "inbox") return []; // the only one whose nodes may have them
  const found = new Map<string, Worktree>();
  visit(JSON.parse(JSON.stringify(archiveState(state))) as Json, (worktree) => {
    found.set(worktree.folder, worktree);
  });
  const pictures = treesOf(past);
  return [...found.values()].map((worktree) => ({
    worktree,
    picture: pictures.findLast(({ folder }) => folder !== undefined && isWithin(folder, worktree.folder)),
  }));
}

function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}${sep}`);
}

export interface ForkedWorktrees {
  /** The new worktrees, by the folders of those that they stand for. */
  readonly made: ReadonlyMap<string, { readonly worktree: Worktree; readonly seq: number }>;
  /** Why others were not made, a sentence each. */
  readonly missed: readonly string[];
  /** Takes them all back. */
  remove(): Promise<void>;
}

export interface ForkedWorktreesOptions {
  readonly store: TreeStore;
  /** The folder of the fork, in whose repository they are made, absolute. */
  readonly cwd: string;
  /** Where they lie, absolute. */
  readonly folder: string;
  /** What tells their branches from those of others. */
  readonly name: string;
}

/** Makes a worktree for each that has a picture. */
export async function forkWorktrees(
  wanted: readonly PicturedWorktree[],
  { store, cwd, folder, name }: ForkedWorktreesOptions,
): Promise<ForkedWorktrees> {
  const made = new Map<string, { readonly worktree: Worktree; readonly seq: number }>();
  const missed: string[] = [];
  for (const { worktree: old, picture } of wanted) {
    const worktree: Worktree = {
      ...{ cwd, folder: join(folder, basename(old.folder)), base: await baseIn(cwd, old.base) },
      branch: `baton/${name}/${basename(old.branch)}`,
    };
    if (picture === undefined) continue; // its node never had anything to compare
    try {
      await make(worktree, store, picture.object);
      made.set(old.folder, { worktree, seq: picture.seq });
    } catch (error) {
      await unmake(worktree);
      const why = messageOf(error);
      missed.push(`${basename(old.folder)} begins anew: ${why}`);
    }
  }
  return {
    made,
    missed,
    remove: async () => {
      for (const { worktree } of made.values()) await unmake(worktree);
    },
  };
}

/** The commit that the old one began at, where the repository has it; else the one that is checked out. */
async function baseIn(cwd: string, commit: string): Promise<string> {
  const known = await tryGit({ args: ["rev-parse", "--verify", "--quiet", `${commit}^{commit}`], cwd });
  if (known.code === 0) return commit;
  return (await tryGit({ args: ["rev-parse", "--verify", "--quiet", "HEAD"], cwd })).stdout.trim();
}

async function make(
  { cwd, folder, branch, base }: Worktree,
  store: TreeStore,
  object: string,
): Promise<void> {
  if ((await store.find(object)) === undefined) {
    throw new Error("the pictures of its files are not on this machine any more");
  }
  await mkdir(dirname(folder), { recursive: true });
  const add = ["worktree", "add", "--quiet", "--no-checkout", "-b", branch, folder, base];
  await git({ args: add, cwd });
  await store.checkOut(object, folder);
  await git({ args: ["reset", "--quiet"], cwd: folder }); // an index like its commit; the files stay
}

async function unmake({ cwd, folder, branch }: Worktree): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await tryGit({ args: ["worktree", "prune"], cwd });
  await tryGit({ args: ["branch", "--quiet", "-D", branch], cwd });
}

/** The state of a run with other worktrees; what has none in the map is begun anew by its node (1). */
export function withWorktrees<T extends Json>(state: T, made: ForkedWorktrees["made"]): T {
  return moved(state, made) as T; // of the same shape, save what was left out
}

const OF_A_PLACE: readonly string[] = ["worktree", "folder", "mark"];

function moved(value: Json, made: ForkedWorktrees["made"]): Json {
  if (Array.isArray(value)) return value.map((item) => moved(item as Json, made));
  if (!isJsonObject(value)) return value;
  const old = worktreeIn(value);
  const now = old && made.get(old.folder)?.worktree;
  const copy: Record<string, Json> = {};
  for (const [key, held] of Object.entries(value)) {
    if (old === undefined || !OF_A_PLACE.includes(key)) assign(copy, key, moved(held, made));
    else if (now === undefined) continue;
    else if (key === "worktree") assign(copy, key, { ...now });
    else if (key === "folder") assign(copy, key, `${now.folder}${String(held).slice(old.folder.length)}`);
    else assign(copy, key, held);
  }
  return copy;
}

function visit(value: Json, told: (worktree: Worktree) => void): void {
  if (Array.isArray(value)) for (const item of value) visit(item as Json, told);
  if (!isJsonObject(value)) return;
  const worktree = worktreeIn(value);
  if (worktree !== undefined) told(worktree);
  for (const held of Object.values(value)) visit(held, told);
}

/** The worktree of a place or a desk, known by its shape. */
function worktreeIn({ worktree }: JsonObject): Worktree | undefined {
  if (!isJsonObject(worktree)) return undefined;
  const isOne = ["cwd", "folder", "branch", "base"].every((key) => typeof worktree[key] === "string");
  return isOne ? (worktree as unknown as Worktree) : undefined; // looked at just now
}
