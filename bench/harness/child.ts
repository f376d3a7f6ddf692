/** A child is a fresh Node process that measures or that is measured, for at most so long. */

import { spawn } from "node:child_process";

export interface ChildResult {
  /** What it printed, or `undefined` when its time was over. */
  readonly stdout: string | undefined;
  /** From the start of the process to its end, in milliseconds. */
  readonly milliseconds: number;
}

export interface ChildOptions {
  /** Milliseconds after which it is ended. */
  readonly limit: number;
  readonly cwd?: string;
  /** The exit code that it should end with, 0 by default. */
  readonly code?: number;
}

/** Runs Node with these arguments. Throws when it fails. */
export async function runNode(args: readonly string[], options: ChildOptions): Promise<ChildResult> {
  const { limit, cwd, code: expected = 0 } = options;
  const start = performance.now();
  const child = spawn(process.execPath, args, {
    stdio: ["ignore", "pipe", "pipe"],
    timeout: limit,
    killSignal: "SIGTERM",
    ...(cwd !== undefined && { cwd }),
  });
  let stdout = "";
  let stderr = "";
  child.stdout.on("data", (chunk) => {
    stdout += chunk;
  });
  child.stderr.on("data", (chunk) => {
    stderr += chunk;
  });
  const end = await new Promise<number | undefined>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code, signal) => resolve(signal === null ? (code ?? undefined) : undefined));
  });
  const milliseconds = performance.now() - start;
  if (milliseconds >= limit) return { stdout: undefined, milliseconds };
  if (end !== expected) throw new Error(`node ${args.join(" ")} ended with ${end}: ${stderr.slice(-600)}`);
  return { stdout, milliseconds };
}
