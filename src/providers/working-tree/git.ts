/**
 * Git as a program: run without a shell, without a prompt, and with nothing of the environment that would point it to
 * another repository.
 */

import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";

export interface GitCall {
  readonly args: readonly string[];
  readonly cwd: string;
  /** Set besides what is inherited. */
  readonly env?: Readonly<Record<string, string>>;
  /** Written to its standard input. */
  readonly input?: string;
  /** It is ended once it has printed more than this many bytes. */
  readonly mostBytes?: number;
}

export interface GitResult {
  /** 127 when it could not be started. */
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  /** True when it printed more than was wanted; `stdout` is then its beginning. */
  readonly isCut: boolean;
}

/** Takes no lock that it can do without. */
const QUIET = { GIT_TERMINAL_PROMPT: "0", GIT_OPTIONAL_LOCKS: "0", LC_ALL: "C" };
/** Before every call: git then runs no program that the repository names, neither its hooks nor its monitor. */
export const BARE: readonly string[] = [
  "-c",
  "core.hooksPath=/dev/null",
  "-c",
  "core.fsmonitor=false",
  // A folder in it that only looks like a repository could name programs.
  "-c",
  "safe.bareRepository=explicit",
  "--no-pager",
];

/** Runs git to its end; a failure is the caller's to judge. */
export async function tryGit({ args, cwd, env = {}, input = "", mostBytes }: GitCall): Promise<GitResult> {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith("GIT_"));
  const child = spawn("git", [...BARE, ...args], {
    cwd,
    env: { ...Object.fromEntries(inherited), ...QUIET, ...env },
    stdio: "pipe",
  });
  const ended = new Promise<number>((resolve) => {
    child.on("error", () => resolve(127));
    child.on("close", (code) => resolve(code ?? 1));
  });
  child.stdin.on("error", () => {}); // it may end without having read everything
  child.stdin.end(input);
  const stderr = text(child.stderr);
  const chunks: Buffer[] = [];
  let size = 0;
  let isCut = false;
  for await (const chunk of child.stdout as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    size += chunk.length;
    isCut = mostBytes !== undefined && size > mostBytes;
    if (isCut) break;
  }
  if (isCut) child.kill();
  const code = await ended;
  return { code, stdout: Buffer.concat(chunks).toString("utf8"), stderr: await stderr, isCut };
}

/** Runs git to its end and gives back what it printed. Rejects with what it had to say when it failed. */
export async function git(call: GitCall): Promise<string> {
  const { code, stdout, stderr } = await tryGit(call);
  if (code === 0) return stdout;
  const what = call.args.find((arg) => /^[a-z]+(-[a-z]+)*$/.test(arg)) ?? "";
  throw new Error(`git ${what} failed: ${stderr.trim() || `it ended with code ${code}`}`);
}
