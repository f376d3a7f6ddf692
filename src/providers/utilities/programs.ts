/**
 * Version control by its own programs: `git` and `jj`, run without a shell.
 *
 * 1. They never ask: no prompt, no pager, no editor.
 * 2. They run nothing of the repository's: no hooks, no file system monitor.
 * 3. They act on the folder that is named, whatever repository the environment points to.
 */

import { execFile } from "node:child_process";
import { BARE } from "../working-tree/git.ts";
import { Declined } from "./request.ts";

export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program to its end. Code 127 says that it could not be started. */
export function run(program: string, args: readonly string[], cwd: string): Promise<Ran> {
  const options = { cwd, env: environment(), encoding: "utf8", maxBuffer: 1 << 26 } as const;
  return new Promise((resolve) => {
    const child = execFile(program, args, options, (error, stdout, stderr) => {
      const code = error === null ? 0 : typeof error.code === "number" ? error.code : 127;
      resolve({ code, stdout, stderr });
    });
    child.stdin?.end();
  });
}

const JJ = ["--no-pager", "--color=never", "--quiet"];

/** Runs git in a folder; a failure is the caller's to judge. */
export function tryGit(cwd: string, ...args: readonly string[]): Promise<Ran> {
  return run("git", [...BARE, ...args], cwd); // (2)
}

/** Runs git in a folder and returns what it printed, without the last line break. */
export async function git(cwd: string, ...args: readonly string[]): Promise<string> {
  return printed("git", args, await tryGit(cwd, ...args));
}

/** Runs jj in a folder and returns what it printed, without the last line break. */
export async function jj(cwd: string, ...args: readonly string[]): Promise<string> {
  return printed("jj", args, await run("jj", [...JJ, ...args], cwd));
}

function printed(program: string, args: readonly string[], { code, stdout, stderr }: Ran): string {
  if (code === 0) return stdout.replace(/\r?\n$/, "");
  const why = stderr.trim() === "" ? `it ended with code ${code}` : stderr.trim();
  throw new Declined(`${program} ${args[0]} failed: ${why}`);
}

function environment(): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith("GIT_"));
  const quiet = { GIT_TERMINAL_PROMPT: "0", GIT_EDITOR: "true", JJ_EDITOR: "true", LC_ALL: "C" };
  return { ...Object.fromEntries(inherited), ...quiet };
}
