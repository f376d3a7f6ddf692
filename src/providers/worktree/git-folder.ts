/** What git is asked about a folder, and what it is told to do there. */

import { realpath } from "node:fs/promises";
import { relative, resolve } from "node:path";
import { uncommitted } from "../utilities/git-changes.ts";
import { type Ran, tryGit } from "../utilities/programs.ts";

/** Changes besides the paths that are the run's own, as paths. */
export async function changesIn(cwd: string, root: string, own: readonly string[]): Promise<string[]> {
  const folder = await realpath(cwd);
  const others = own
    .map((path) => relative(root, resolve(folder, path)))
    .filter((path) => path !== "" && !path.startsWith(".."));
  return uncommitted(root, others, must);
}

/** The entries of what git prints with `-z`. */
export function split(text: string): string[] {
  return text.split("\0").filter((entry) => entry !== "");
}

/** Commits need an author and are not signed, which could ask for a passphrase. */
export async function author(folder: string): Promise<string[]> {
  const isKnown = (await printed(folder, "config", "user.email")) !== undefined;
  const named = ["-c", "user.name=Baton", "-c", "user.email=baton@localhost"];
  return ["-c", "commit.gpgSign=false", ...(isKnown ? [] : named)];
}

export async function commitOf(cwd: string, name: string): Promise<string | undefined> {
  return printed(cwd, "rev-parse", "--verify", "--quiet", `${name}^{commit}`);
}

export async function isAncestor(cwd: string, commit: string, of: string): Promise<boolean> {
  return (await tryGit(cwd, "merge-base", "--is-ancestor", commit, of)).code === 0;
}

/** What git printed; nothing when it failed. */
export async function printed(cwd: string, ...args: readonly string[]): Promise<string | undefined> {
  const { code, stdout } = await tryGit(cwd, ...args);
  return code === 0 ? stdout.replace(/\r?\n$/, "") : undefined;
}

/** What git printed; it has to succeed. */
export async function must(cwd: string, ...args: readonly string[]): Promise<string> {
  const ran = await tryGit(cwd, ...args);
  if (ran.code === 0) return ran.stdout.replace(/\r?\n$/, "");
  const verb = args.find((arg) => /^[a-z]/.test(arg) && !arg.includes("=")) ?? "";
  throw new Error(`git ${verb} failed in ${cwd}: ${said(ran)}`);
}

export function said({ code, stderr, stdout }: Ran): string {
  const text = stderr.trim() || stdout.trim();
  return text === "" ? `it ended with code ${code}.` : text;
}
