/** The opening of pi: its program on this machine, the gate that it loads, and what somebody set differently. */

import { fileURLToPath } from "node:url";
import { findProgram } from "../command/find-program.ts";
import { PiAgent, type PiAgentOptions } from "./pi-agent.ts";
import { startPi } from "./pi-wire.ts";

/** The package that brings pi, and the newest version that was tried. */
export const PI_PACKAGE = { name: "@earendil-works/pi-coding-agent", tried: "0.87.1" } as const;

/** Keys of model providers and where pi keeps what it knows; they are passed on when they are there. */
const PASSES = [
  ...[
    "PI_CODING_AGENT_DIR",
    "PI_CODING_AGENT_SESSION_DIR",
    "PI_OFFLINE",
    "PI_TELEMETRY",
    "PI_SKIP_VERSION_CHECK",
  ],
  ...["ANTHROPIC_API_KEY", "OPENAI_API_KEY", "GEMINI_API_KEY", "OPENROUTER_API_KEY", "DEEPSEEK_API_KEY"],
  ...["MISTRAL_API_KEY", "GROQ_API_KEY", "CEREBRAS_API_KEY", "XAI_API_KEY", "AI_GATEWAY_API_KEY"],
];

export interface OpenPiOptions extends Omit<PiAgentOptions, "connect"> {
  /** Program and arguments, in place of `pi`; how it is spoken with is added. */
  readonly command?: readonly [program: string, ...args: string[]];
  /** Set for its process. */
  readonly env?: Readonly<Record<string, string>>;
  /** Names of variables that are passed on to it besides the allow-list and the usual keys. */
  readonly passes?: readonly string[];
}

/** The file of the gate, built or not. */
const GATE = fileURLToPath(
  new URL(import.meta.url.endsWith(".ts") ? "./gate.ts" : "./gate.js", import.meta.url),
);

/** pi as an agent; its processes start with the turns. Throws a sentence when pi is not on this machine. */
export function openPi({ command = ["pi"], env = {}, passes = [], ...more }: OpenPiOptions): PiAgent {
  const [program, ...args] = command;
  const found = findProgram(program, { cwd: more.cwd });
  if (found === undefined) throw new Error(`${program} is not on this machine. ${piInstallLine()}`);
  // Settings and extensions of the project are not loaded: nobody is there to be asked whether to trust them.
  const spoken = [...args, "--mode", "rpc", "--no-approve", "--extension", GATE];
  return new PiAgent({
    ...more,
    connect: startPi({ command: [found, ...spoken], env, passes: [...PASSES, ...passes] }),
  });
}

/** What to do when pi is missing. */
export function piInstallLine(): string {
  return `Install it with: npm install --global ${PI_PACKAGE.name}@${PI_PACKAGE.tried}`;
}
