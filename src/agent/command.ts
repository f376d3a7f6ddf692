/** The port to programs: one argv, run without a shell, bounded in environment, time and output. */

import type { Signal } from "../base/abort.ts";

export interface Commands {
  /** Runs a program to its end. It throws only for bugs: a program that cannot be started is a result too. */
  run(request: CommandRequest): Promise<CommandResult>;
}

export interface CommandRequest {
  /** The program and its arguments, passed on as they are. */
  readonly argv: readonly string[];
  /** Written to its standard input, which is then closed. */
  readonly stdin: string;
  /** After this many milliseconds it gets TERM, and a second later KILL. */
  readonly timeoutMs: number;
  /** More than this on standard output ends it. */
  readonly maxOutputBytes: number;
  /** Names of variables to pass on besides the allow-list. */
  readonly env?: readonly string[];
  /** The folder to run in, absolute, when it is not the usual one. */
  readonly cwd?: string;
  readonly signal: Signal;
}

export interface CommandResult {
  readonly ended: "exited" | "timed_out" | "too_large" | "not_started" | "stopped";
  /** The exit code; `null` when it did not exit by itself. */
  readonly code: number | null;
  readonly stdout: string;
  /** Its end, when it is very long. */
  readonly stderr: string;
}
