/**
 * Leftovers are what lies beside a database for runs that are gone: their folders with pictures and worktrees, the
 * folders of forks, and conversations.
 *
 * 1. Only what has a name that Baton gives is looked at, and only in the folders that it has for that.
 * 2. What the log of a run that stays mentions is kept, and so is whatever its lineage left.
 * 3. A folder that is not where its name says, since a link leads elsewhere, is left alone.
 * 4. Worktrees are given back to their repository; branches in it stay. One of a lane or a node that holds changes which
 *    are in no commit is kept, with all that is around it; the folder of a fork is the fork's own, and goes with it.
 */

import { lstat, readdir, readFile, realpath, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { messageOf } from "../../base/failure.ts";
import { isJsonObject, type Json } from "../../base/json.ts";
import type { RunId } from "../../base/names.ts";
import { tryGit } from "../../providers/working-tree/git.ts";
import type { Journal, RunHead } from "../../run/journal.ts";
import { readEvents } from "../../run/load.ts";
import { lineageOf } from "./lineage.ts";

export type LeftoverKind = "run" | "fork" | "conversation";

export interface Leftover {
  readonly kind: LeftoverKind;
  /** Absolute. */
  readonly path: string;
  /** Of everything in it. */
  readonly bytes: number;
}

/** What is called how, beside the database. */
export interface Naming {
  /** The folder of the database, absolute. */
  readonly folder: string;
  /** The name of the folder of a run, and of that of a fork. */
  run(run: RunId): string;
  fork(run: RunId): string;
}

/** Which of it may go. */
export interface Scope {
  /** Only what belongs to these runs; whatever belongs to no run of the journal when absent. */
  readonly of?: readonly RunId[];
  /** Only what was not touched since this time, in milliseconds since 1970 UTC. */
  readonly untouchedSince?: number;
}

const FOLDERS: Readonly<Record<LeftoverKind, string>> = {
  run: "runs",
  fork: "forks",
  conversation: "conversations",
};
/** (1). */
const NAMES: Readonly<Record<LeftoverKind, RegExp>> = {
  run: /^[0-9a-f]{16}$/,
  fork: /^[A-Za-z0-9_-][A-Za-z0-9._-]*$/,
  conversation: /^[\w-]+\.jsonl$/,
};

interface Candidate {
  readonly kind: LeftoverKind;
  readonly name: string;
  readonly path: string;
}

/** What nobody needs once only `staying` is left of the runs of a journal. */
export async function leftoversOf(
  journal: Journal,
  staying: readonly RunHead[],
  { naming, scope = {} }: { readonly naming: Naming; readonly scope?: Scope },
): Promise<readonly Leftover[]> {
  const candidates = (await candidatesIn(naming.folder)).filter(ofRuns(naming, scope));
  const going: Candidate[] = [];
  for (const candidate of candidates) if (await isOf(candidate, scope)) going.push(candidate);
  if (going.length === 0) return [];
  const needed = await neededBy(journal, staying, { naming, going });
  const leftovers = going.filter(({ kind, name }) => !needed.has(`${kind} ${name}`));
  return Promise.all(leftovers.map(async ({ kind, path }) => ({ kind, path, bytes: await bytesIn(path) })));
}

export interface Removed {
  readonly went: readonly Leftover[];
  /** What could not be removed, and why: a sentence each. */
  readonly stays: readonly string[];
}

/** Removes them. */
export async function removeLeftovers(leftovers: readonly Leftover[]): Promise<Removed> {
  const went: Leftover[] = [];
  const stays: string[] = [];
  for (const leftover of leftovers) {
    const { path, kind } = leftover;
    try {
      if (kind !== "conversation") await giveBackWorktrees(path, { isFork: kind === "fork", depth: DEPTH });
      await rm(path, { recursive: true, force: true });
      went.push(leftover);
    } catch (error) {
      stays.push(`${path} stays: ${messageOf(error)}`);
    }
  }
  return { went, stays };
}

async function candidatesIn(folder: string): Promise<Candidate[]> {
  const found: Candidate[] = [];
  const home = await realpath(folder);
  for (const kind of Object.keys(FOLDERS) as LeftoverKind[]) {
    const place = join(home, FOLDERS[kind]);
    for (const name of await readdir(place).catch(() => [])) {
      const path = join(place, name);
      if (!NAMES[kind].test(name) || (await realpath(path).catch(() => "")) !== path) continue; // (1, 3)
      found.push({ kind, name, path });
    }
  }
  return found;
}

/** Those that have the name of one of the runs; conversations are looked into later. */
function ofRuns(naming: Naming, { of }: Scope): (candidate: Candidate) => boolean {
  if (of === undefined) return () => true;
  const names = { run: new Set(of.map(naming.run)), fork: new Set(of.map(naming.fork)) };
  return ({ kind, name }) => kind === "conversation" || names[kind].has(name);
}

async function isOf({ kind, path }: Candidate, { of, untouchedSince }: Scope): Promise<boolean> {
  if (untouchedSince !== undefined && (await lstat(path)).mtimeMs > untouchedSince) return false;
  if (kind !== "conversation" || of === undefined) return true;
  const talking = await talkingIn(path);
  return talking.length > 0 && talking.every((run) => of.includes(run as RunId));
}

/** The runs whose turns are in a conversation, by the roots of their families. */
async function talkingIn(path: string): Promise<readonly string[]> {
  const runs = (await readFile(path, "utf8")).split("\n").flatMap((line) => {
    const turn = turnIn(line);
    return turn === undefined ? [] : [turn];
  });
  return [...new Set(runs)];
}

/** The run of an entry: its turn is `run/step/node/…`. */
function turnIn(line: string): string | undefined {
  try {
    const entry = JSON.parse(line) as Json;
    const turn = isJsonObject(entry) ? entry["turn"] : undefined;
    return typeof turn === "string" ? /^(.+?)\/\d+\//.exec(turn)?.[1] : undefined;
  } catch {
    return undefined; // a line that a crash cut off
  }
}

interface Wanting {
  readonly naming: Naming;
  readonly going: readonly Candidate[];
}

/** What the runs that stay mention, and what their lineage left (2). */
async function neededBy(
  journal: Journal,
  staying: readonly RunHead[],
  { naming, going }: Wanting,
): Promise<ReadonlySet<string>> {
  const needed = new Set<string>();
  const talks = new Map<string, readonly string[]>();
  for (const { kind, name, path } of going)
    if (kind === "conversation") talks.set(name, await talkingIn(path));
  const names = new Map(going.map(({ kind, name }) => [mentionOf(kind, name), `${kind} ${name}`]));
  const mention = new RegExp(`(?<![\\w.-])(?:${[...names.keys()].map(quoted).join("|")})(?![\\w-])`, "g");
  for (const { run, parent } of staying) {
    if (parent === undefined) {
      for (const each of await lineageOf(journal, run)) {
        needed.add(`run ${naming.run(each)}`).add(`fork ${naming.fork(each)}`);
        for (const [name, runs] of talks) if (runs.includes(each)) needed.add(`conversation ${name}`);
      }
    }
    for await (const event of readEvents(journal, run, 0)) {
      for (const [name] of JSON.stringify(event).matchAll(mention)) needed.add(names.get(name) ?? "");
    }
  }
  return needed;
}

/** How a log mentions it: conversations by their id, folders by the end of their path. */
function mentionOf(kind: LeftoverKind, name: string): string {
  return kind === "conversation" ? name.replace(/\.jsonl$/, "") : `${FOLDERS[kind]}/${name}`;
}

function quoted(text: string): string {
  return text.replaceAll(/[^\w-]/g, "\\$&");
}

async function bytesIn(path: string): Promise<number> {
  const found = await lstat(path).catch(() => undefined);
  if (found === undefined) return 0;
  if (!found.isDirectory()) return found.size;
  let bytes = 0;
  for (const name of await readdir(path)) bytes += await bytesIn(join(path, name));
  return bytes;
}

/** How deep worktrees lie in the folder of a run: `lanes/<loop>/<item>` and `worktrees/<node>`. */
const DEPTH = 3;

interface Search {
  readonly isFork: boolean;
  readonly depth: number;
}

/** Tells the repositories of the worktrees in a folder that they are gone (4). */
async function giveBackWorktrees(folder: string, { isFork, depth }: Search): Promise<void> {
  const marker = await stat(join(folder, ".git")).catch(() => undefined);
  if (marker?.isFile()) return giveBack(folder, isFork);
  if (depth === 0) return;
  for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
    if (entry.isDirectory()) await giveBackWorktrees(join(folder, entry.name), { isFork, depth: depth - 1 });
  }
}

async function giveBack(folder: string, isFork: boolean): Promise<void> {
  const force = isFork ? ["--force", "--force"] : [];
  const { code, stderr } = await tryGit({ args: ["worktree", "remove", ...force, folder], cwd: folder });
  const isDirty = !isFork && code !== 0 && /modified or untracked/.test(stderr);
  if (isDirty) throw new Error(`${folder} has changes that are in no commit. Commit or delete them first.`);
}
