/**
 * Worktrees of git on this machine.
 *
 * 1. Git runs without a shell, without hooks, and never asks (`programs.ts` sees to that).
 * 2. Nothing that anybody worked in is removed by force: a worktree with changes and a branch that is not merged stay,
 *    because git refuses to delete them.
 * 3. One call at a time, since the worktrees of a repository share its locks.
 */

import { access, mkdir, readFile, realpath, rename } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { Begun, Landed, Merged, Sealed, Worktree, Worktrees } from "../../agent/worktree.ts";
import { tryGit } from "../utilities/programs.ts";
import { author, changesIn, commitOf, isAncestor, must, printed, said, split } from "./git-folder.ts";

/** The most paths that a sentence names. */
const NAMED = 5;

export class GitWorktrees implements Worktrees {
  #turn: Promise<unknown> = Promise.resolve();

  begin(cwd: string, own: readonly string[]): Promise<Begun> {
    return this.#inTurn(async () => {
      const root = await printed(cwd, "rev-parse", "--show-toplevel");
      if (root === undefined) {
        return {
          ok: false,
          why: `There is no git repository in ${cwd}: make one (git init) and commit what is there.`,
        };
      }
      const commit = await commitOf(cwd, "HEAD");
      if (commit === undefined)
        return { ok: false, why: "The repository has no commit yet: make the first one." };
      const changes = await changesIn(cwd, root, own);
      if (changes.length === 0) return { ok: true, commit };
      const more = changes.length > NAMED ? ` and ${changes.length - NAMED} more` : "";
      const named = `${changes.slice(0, NAMED).join(", ")}${more}`;
      return {
        ok: false,
        why: `${named} ${changes.length === 1 ? "is" : "are"} not committed, and a worktree has only what is. Commit with \`git add --all && git commit\`, or put it aside with \`git stash --include-untracked\` and take it back with \`git stash pop\` when the run is over.`,
      };
    });
  }

  open(tree: Worktree): Promise<string> {
    return this.#inTurn(async () => {
      await ready(tree);
      const prefix = (await must(tree.cwd, "rev-parse", "--show-prefix")).trim();
      const folder = resolve(tree.folder, prefix);
      await mkdir(folder, { recursive: true });
      return folder;
    });
  }

  seal({ folder, base }: Worktree, message: string): Promise<Sealed> {
    return this.#inTurn(async () => {
      const unresolved = await unresolvedIn(folder);
      if (unresolved.length > 0) return { kind: "unresolved", files: unresolved };
      await must(folder, "add", "--all");
      const isMerging = (await commitOf(folder, "MERGE_HEAD")) !== undefined;
      if (isMerging || (await must(folder, "status", "--porcelain")) !== "") {
        await must(
          folder,
          ...(await author(folder)),
          "commit",
          "--quiet",
          "--no-verify",
          "--message",
          message,
        );
      }
      const commit = await must(folder, "rev-parse", "HEAD");
      return { kind: "sealed", commit: commit === base ? null : commit };
    });
  }

  merge({ folder }: Worktree, commit: string, message: string): Promise<Merged> {
    return this.#inTurn(async () => {
      // What a merge that was cut off left here is nobody's work.
      await must(folder, "reset", "--quiet", "--hard");
      const merged = await merge(folder, commit, message);
      if (merged.kind === "conflict") await must(folder, "merge", "--abort");
      return merged;
    });
  }

  bring({ folder }: Worktree, from: Worktree): Promise<Merged> {
    return this.#inTurn(async () => {
      const open = await unmergedIn(folder);
      if (open.length > 0) return { kind: "conflict", files: open };
      if ((await commitOf(folder, "MERGE_HEAD")) !== undefined) return { kind: "merged" };
      const commit = await must(from.folder, "rev-parse", "HEAD");
      return merge(folder, commit, "Merge the work on earlier items");
    });
  }

  land({ cwd, folder }: Worktree): Promise<Landed> {
    return this.#inTurn(async () => {
      const head = await must(cwd, "rev-parse", "HEAD");
      if (!(await isAncestor(folder, head, "HEAD"))) {
        await must(folder, "reset", "--quiet", "--hard");
        const merged = await merge(folder, head, "Merge what was committed meanwhile");
        if (merged.kind === "conflict") {
          await must(folder, "merge", "--abort");
          const files = merged.files.join(", ");
          return {
            ok: false,
            why: `What was committed there meanwhile conflicts in ${files}: merge the branch by hand.`,
          };
        }
      }
      const joined = await must(folder, "rev-parse", "HEAD");
      const ran = await tryGit(cwd, "merge", "--quiet", "--ff-only", joined);
      return ran.code === 0 ? { ok: true } : { ok: false, why: `Git says: ${said(ran)}` };
    });
  }

  close({ cwd, folder, branch }: Worktree): Promise<boolean> {
    return this.#inTurn(async () => {
      if (await isWorktree(folder)) {
        const commit = await must(folder, "rev-parse", "HEAD");
        if (!(await isAncestor(cwd, commit, "HEAD"))) return false;
        const removed = await tryGit(cwd, "worktree", "remove", folder);
        if (removed.code !== 0) return false;
      }
      if ((await commitOf(cwd, `refs/heads/${branch}`)) === undefined) return true;
      return (await tryGit(cwd, "branch", "--quiet", "--delete", branch)).code === 0;
    });
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#turn.then(work);
    this.#turn = result.catch(() => {});
    return result;
  }
}

/** How often, and after how many milliseconds, to look whether a worktree that somebody began is made by now. */
const LOOKS = 10;
const LOOK_MS = 100;

/**
 * Sees that the worktree is there. One that git began and did not finish, because it was killed, has nobody's work in
 * it yet and is made anew; whatever else lies in its place is put aside.
 */
async function ready(tree: Worktree): Promise<void> {
  const { cwd, folder } = tree;
  let standing = await standingOf(folder);
  for (let look = 0; look < LOOKS && (standing === "begun" || standing === "other"); look++) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    standing = await standingOf(folder);
  }
  if (standing === "made") return;
  if (standing === "begun") await must(cwd, "worktree", "remove", "--force", "--force", folder);
  if (standing === "other") await rename(folder, `${folder}-aside-${Date.now()}`);
  await add(tree);
}

/** What lies in the place of a worktree. Git locks one with the reason `initializing` until it is made. */
async function standingOf(folder: string): Promise<"none" | "begun" | "made" | "other"> {
  if (!(await access(folder).then(yes, no))) return "none";
  if (!(await isWorktree(folder))) return "other";
  const own = await must(folder, "rev-parse", "--absolute-git-dir");
  const lock = await readFile(join(own, "locked"), "utf8").catch(() => "");
  return lock.startsWith("initializing") ? "begun" : "made";
}

const yes = () => true;
const no = () => false;

/** Adds the worktree, on its branch where there is one already: that has the work of an earlier try. */
async function add({ cwd, folder, branch, base }: Worktree): Promise<void> {
  await must(cwd, "worktree", "prune");
  const exists = (await commitOf(cwd, `refs/heads/${branch}`)) !== undefined;
  const onto = exists ? [folder, branch] : ["-b", branch, folder, base];
  await must(cwd, "worktree", "add", "--quiet", ...onto);
}

/** Says whether a folder is the top of a worktree, and not just inside of one. */
async function isWorktree(folder: string): Promise<boolean> {
  if (!(await access(folder).then(yes, no))) return false;
  const top = await printed(folder, "rev-parse", "--show-toplevel");
  return top !== undefined && resolve(top) === (await realpath(folder));
}

async function merge(folder: string, commit: string, message: string): Promise<Merged> {
  if (await isAncestor(folder, commit, "HEAD")) return { kind: "merged" };
  const flags = ["--quiet", "--no-edit", "--no-verify", "--ff", "--message", message];
  const ran = await tryGit(folder, ...(await author(folder)), "merge", ...flags, commit);
  if (ran.code === 0) return { kind: "merged" };
  const files = await unmergedIn(folder);
  if (files.length > 0) return { kind: "conflict", files };
  throw new Error(`git merge failed in ${folder}: ${said(ran)}`);
}

/** Files that a merge left to be resolved. */
async function unmergedIn(folder: string): Promise<string[]> {
  return split(await must(folder, "diff", "--name-only", "-z", "--diff-filter=U"));
}

/** Those of them that still have the marks of a conflict. */
async function unresolvedIn(folder: string): Promise<string[]> {
  const files = await unmergedIn(folder);
  const texts = await Promise.all(files.map((file) => readFile(join(folder, file), "utf8").catch(() => "")));
  return files.filter((_, index) => /^<{7}( |$)/m.test(texts[index] ?? ""));
}
