/** The opening of a known agent: its record, its program on this machine, and what somebody set differently. */

import { findProgram } from "../command/find-program.ts";
import { AcpAgent, type AcpAgentOptions } from "./acp-agent.ts";
import { KNOWN_AGENTS } from "./agents/known.ts";
import type { Quirks } from "./quirks.ts";
import { startProcess } from "./wire.ts";

export interface OpenOptions
  extends Pick<AcpAgentOptions, "cwd" | "policy" | "mcpServers" | "desks" | "limits" | "retries"> {
  /** Program and arguments, in place of the record's. */
  readonly command?: readonly [program: string, ...args: string[]];
  /** Set for its process, in place of what the record sets. */
  readonly env?: Readonly<Record<string, string>>;
  /** Names of variables that are passed on to it besides the allow-list and those of the record. */
  readonly passes?: readonly string[];
}

/**
 * An agent by its name, such as `goose`; its process starts with its first turn. Throws a sentence when there is no
 * such agent, or its program is not on this machine.
 */
export function openAgent(name: string, options: OpenOptions): AcpAgent {
  const quirks = KNOWN_AGENTS.get(name);
  if (quirks === undefined) {
    throw new Error(
      `There is no agent ${JSON.stringify(name)}. Known: ${[...KNOWN_AGENTS.keys()].join(", ")}.`,
    );
  }
  const { cwd, command: [program, ...args] = quirks.command, env, passes = [], ...more } = options;
  const found = findProgram(program, { cwd });
  if (found === undefined) throw new Error(`${program} is not on this machine. ${installLine(quirks)}`);
  const connect = startProcess({
    ...{ command: [found, ...args], cwd },
    ...{ env: { ...quirks.env, ...env }, passes: [...quirks.passes, ...passes] },
  });
  return new AcpAgent({ quirks, connect, cwd, ...more });
}

/** What to do when an agent is missing. */
export function installLine({ package: { name, tried } }: Quirks): string {
  return `Install it with: npm install --global ${name}@${tried}`;
}
