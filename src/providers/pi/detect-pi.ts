/** Whether pi is on this machine, in which version, and what to write to use it. */

import { findProgram, type SearchOptions } from "../command/find-program.ts";
import { LocalCommands } from "../command/local-commands.ts";
import { PI_PACKAGE, piInstallLine } from "./open-pi.ts";

export interface DetectedPi {
  /** The absolute path of its program; nothing when it is missing. */
  readonly program?: string;
  /** What it says its version is. */
  readonly version?: string;
  /** The newest version that was tried. */
  readonly tried: string;
  /** The line to put into a materia or a node when it is there, else how to get it. */
  readonly advice: string;
}

export async function detectPi({ cwd, env }: SearchOptions): Promise<DetectedPi> {
  const { tried } = PI_PACKAGE;
  const program = findProgram("pi", { cwd, ...(env && { env }) });
  if (program === undefined) return { tried, advice: piInstallLine() };
  const { stdout, stderr, code } = await new LocalCommands({ cwd, ...(env && { env }) }).run({
    ...{ argv: [program, "--version"], stdin: "", timeoutMs: 10_000, maxOutputBytes: 4096 },
    signal: new AbortController().signal,
  });
  const version = code === 0 ? /\d+\.\d+\.\d+[\w.-]*/.exec(stdout + stderr)?.[0] : undefined;
  return { program, ...(version !== undefined && { version }), tried, advice: '"agent": "pi"' };
}
