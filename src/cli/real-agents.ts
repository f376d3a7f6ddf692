/** Real agents are coding agents on this machine, reached over the Agent Client Protocol. */

import type { Agent } from "../agent/agent.ts";
import type { DetectedAgent } from "../providers/acp/detect-agents.ts";
import type { AgentSettings } from "./agent-settings.ts";
import { join } from "./crew.ts";
import { Misuse } from "./misuse.ts";

/** The package that carries the protocol; it is optional, so it may be missing. */
const SDK = "@agentclientprotocol/sdk";

/** Opens an agent; its process starts with its first turn. Throws a `Misuse` that says what to install. */
export async function openReal(name: string, settings: AgentSettings, cwd: string): Promise<Agent> {
  const { openAgent } = await loadProtocol();
  const { is = name, command, env = [], model, permissions, turnMs } = settings;
  const [program, ...args] = command ?? [];
  try {
    const agent = join(
      openAgent(is, {
        ...{ cwd, passes: env },
        ...(program !== undefined && { command: [program, ...args] as const }),
        ...(permissions && { policy: permissions }),
        ...(turnMs !== undefined && { limits: { turnMs } }),
      }),
    );
    return model === undefined ? agent : withModel(agent, model);
  } catch (error) {
    throw new Misuse("no_agent", error instanceof Error ? error.message : String(error));
  }
}

/** The agents that are on this machine, and how to get the others. Throws a `Misuse` when the package is missing. */
export async function detectReal(cwd: string): Promise<readonly DetectedAgent[]> {
  await loadProtocol();
  const { detectAgents } = await import("../providers/acp/detect-agents.ts");
  return detectAgents({ cwd });
}

async function loadProtocol(): Promise<typeof import("../providers/acp/open-agent.ts")> {
  try {
    return await import("../providers/acp/open-agent.ts");
  } catch (error) {
    const isMissing = error instanceof Error && "code" in error && error.code === "ERR_MODULE_NOT_FOUND";
    if (!isMissing || !error.message.includes(SDK)) throw error;
    const hint = `Install it with: npm install ${SDK}`;
    throw new Misuse(
      "no_agent",
      `Real agents are reached through the package ${SDK}, which is not installed.`,
      { hint },
    );
  }
}

/** The same agent, asked for a model where a turn names none. */
function withModel(agent: Agent, model: string): Agent {
  return {
    session: (request) => agent.session(request),
    turn: (request) => agent.turn({ ...request, model: request.model ?? model }),
    ...(agent.mayWrite && { mayWrite: (request) => agent.mayWrite?.(request) ?? true }),
  };
}
