/** Which of the agents that Baton knows are on this machine, in which version, and what to write to use one. */

import { findProgram, type SearchOptions } from "../command/find-program.ts";
import { LocalCommands } from "../command/local-commands.ts";
import { KNOWN_AGENTS } from "./agents/known.ts";
import { installLine } from "./open-agent.ts";
import type { Quirks } from "./quirks.ts";

export interface DetectedAgent {
  readonly name: string;
  /** The absolute path of its program; nothing when it is missing. */
  readonly program?: string;
  /** What it says its version is; nothing when it does not say. */
  readonly version?: string;
  /** The newest version that was tried. */
  readonly tried: string;
  /** The line to put into a materia or a node when it is there, else how to get it. */
  readonly advice: string;
}

/** How long a program may take to tell its version, in milliseconds. */
const VERSION_MS = 10_000;

/** Looks for every known agent, one after the other, so that a small machine is not flooded. */
export async function detectAgents(options: SearchOptions): Promise<readonly DetectedAgent[]> {
  const found: DetectedAgent[] = [];
  for (const quirks of KNOWN_AGENTS.values()) found.push(await detect(quirks, options));
  return found;
}

async function detect(quirks: Quirks, options: SearchOptions): Promise<DetectedAgent> {
  const { name } = quirks;
  const { tried } = quirks.package;
  const program = findProgram(quirks.command[0], options);
  if (program === undefined) return { name, tried, advice: installLine(quirks) };
  const version = await versionOf(program, options);
  return { name, program, ...(version !== undefined && { version }), tried, advice: `"agent": "${name}"` };
}

async function versionOf(program: string, { cwd, env }: SearchOptions): Promise<string | undefined> {
  const commands = new LocalCommands({ cwd, ...(env && { env }) });
  const { ended, code, stdout } = await commands.run({
    ...{ argv: [program, "--version"], stdin: "", timeoutMs: VERSION_MS, maxOutputBytes: 4096 },
    signal: new AbortController().signal,
  });
  return ended === "exited" && code === 0 ? /\d+\.\d+\.\d+[\w.-]*/.exec(stdout)?.[0] : undefined;
}
