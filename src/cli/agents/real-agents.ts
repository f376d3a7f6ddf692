/** Real agents are opened by kind: coding agents over a protocol, pi, language models, and any other program. */

import { join as joinPath } from "node:path";
import type { Agent } from "../../agent/agent.ts";
import { messageOf } from "../../base/failure.ts";
import type { DetectedAgent } from "../../providers/acp/detect-agents.ts";
import { CommandAgent } from "../../providers/agent-command/command-agent.ts";
import { findProgram } from "../../providers/command/find-program.ts";
import { LocalCommands } from "../../providers/command/local-commands.ts";
import { openPi as openPiAgent } from "../../providers/pi/open-pi.ts";
import { Misuse } from "../misuse.ts";
import { type AgentKind, type AgentSettings, kindOf, millisecondsIn } from "./agent-settings.ts";
import { join } from "./crew.ts";
import { LazyDesks } from "./lazy-desks.ts";
import { loadOptional } from "./load-optional.ts";

/** Where agents of a run work and keep things. */
export interface Surroundings {
  /** The folder of the run. */
  readonly cwd: string;
  /** Where what is said to models is kept for later processes; in memory when absent. */
  readonly keep?: string;
  /** What makes the names of conversations those of the run. */
  readonly salt?: string;
}

type Open = (name: string, settings: AgentSettings, around: Surroundings) => Promise<Agent>;

/** Opens an agent; its process starts with its first turn. Throws a `Misuse` that says what is missing. */
export async function openReal(name: string, settings: AgentSettings, around: Surroundings): Promise<Agent> {
  const open = OPENERS[kindOf(name, settings)];
  try {
    return await open(name, settings, around);
  } catch (error) {
    if (error instanceof Misuse) throw error;
    throw new Misuse("no_agent", messageOf(error));
  }
}

/** The agents of the protocol that are on this machine, and how to get the others. Throws a `Misuse` without its package. */
export async function detectReal(cwd: string): Promise<readonly DetectedAgent[]> {
  await loadAcp();
  const { detectAgents } = await import("../../providers/acp/detect-agents.ts");
  return detectAgents({ cwd });
}

const OPENERS: { readonly [K in AgentKind]: Open } = {
  acp: openAcp,
  command: openCommand,
  model: openModel,
  pi: openPi,
};

async function openAcp(name: string, settings: AgentSettings, { cwd }: Surroundings): Promise<Agent> {
  const { openAgent } = await loadAcp();
  const { is = name, command, env = [], model, permissions } = settings;
  const [program, ...args] = command ?? [];
  const agent = join(
    openAgent(is, {
      ...{ cwd, passes: env, limits: limitsOf(settings), desks: join(new LazyDesks()) },
      ...retriesOf(settings),
      ...(program !== undefined && { command: [program, ...args] as const }),
      ...(permissions && { policy: permissions }),
    }),
  );
  return model === undefined ? agent : withModel(agent, model);
}

async function openCommand(name: string, settings: AgentSettings, { cwd }: Surroundings): Promise<Agent> {
  const { command: [program = "", ...args] = [], env, model, output, textAt, tokensAt, costUsdAt } = settings;
  const found = findProgram(program, { cwd });
  if (found === undefined) throw new Error(`${program}, the program of ${name}, is not on this machine.`);
  const { turnMs: timeoutMs, tokens } = limitsOf(settings);
  const agent = new CommandAgent({
    commands: (own) => new LocalCommands({ cwd: own ?? cwd }),
    argv: [found, ...args],
    ...(env && { env }),
    ...(output && { output }),
    ...(textAt && { textAt }),
    ...(tokensAt && { tokensAt }),
    ...(costUsdAt && { costUsdAt }),
    ...(timeoutMs !== undefined && { timeoutMs }),
    ...(tokens !== undefined && { tokens }),
    ...retriesOf(settings),
  });
  return model === undefined ? agent : withModel(agent, model);
}

async function openModel(
  _: string,
  settings: AgentSettings,
  { cwd, keep, salt }: Surroundings,
): Promise<Agent> {
  const { FileConversations, ModelAgent, openModel: open } = await loadModels();
  const { provider = "", model = "", baseURL, apiKeyEnv, permissions } = settings; // both are needed
  const { instructions, structured, usdPerMillion } = settings;
  const choice = { provider, model, ...(baseURL && { baseURL }), ...(apiKeyEnv && { apiKeyEnv }) };
  return new ModelAgent({
    ...{ model: open(choice), cwd },
    limits: limitsOf(settings),
    ...(keep !== undefined && { conversations: new FileConversations(joinPath(keep, "conversations")) }),
    ...(salt !== undefined && { salt }),
    ...(permissions && { policy: permissions }),
    ...retriesOf(settings),
    ...(instructions !== undefined && { instructions }),
    ...(structured !== undefined && { structured }),
    ...(usdPerMillion !== undefined && { usdPerMillion }),
  });
}

async function openPi(_: string, settings: AgentSettings, { cwd }: Surroundings): Promise<Agent> {
  const { command: [program, ...args] = [], env = [], provider, model, permissions } = settings;
  const agent = join(
    openPiAgent({
      ...{ cwd, passes: env, limits: limitsOf(settings), ...retriesOf(settings) },
      ...(program !== undefined && { command: [program, ...args] as const }),
      ...(provider !== undefined && { provider }),
      ...(permissions && { policy: permissions }),
    }),
  );
  return model === undefined ? agent : withModel(agent, model);
}

function limitsOf({ timeout, idleTimeout, budget }: AgentSettings): {
  readonly turnMs?: number;
  readonly idleMs?: number;
  readonly tokens?: number;
} {
  const turnMs = timeout === undefined ? undefined : millisecondsIn(timeout);
  const idleMs = idleTimeout === undefined ? undefined : millisecondsIn(idleTimeout);
  return {
    ...(turnMs !== undefined && { turnMs }),
    ...(idleMs !== undefined && { idleMs }),
    ...(budget && { tokens: budget.tokens }),
  };
}

function retriesOf({ retries }: AgentSettings): { readonly retries?: number } {
  return retries === undefined ? {} : { retries };
}

function loadAcp(): Promise<typeof import("../../providers/acp/open-agent.ts")> {
  const what = "Coding agents are reached through";
  return loadOptional("@agentclientprotocol/sdk", what, () => import("../../providers/acp/open-agent.ts"));
}

type Models = typeof import("../../providers/model/model-agent.ts") &
  typeof import("../../providers/model/file-conversations.ts") &
  typeof import("../../providers/model/open-model.ts");

function loadModels(): Promise<Models> {
  return loadOptional("ai", "Models are reached through", async () => ({
    ...(await import("../../providers/model/model-agent.ts")),
    ...(await import("../../providers/model/file-conversations.ts")),
    ...(await import("../../providers/model/open-model.ts")),
  }));
}

/** The same agent, asked for a model where a turn names none. */
function withModel(agent: Agent, model: string): Agent {
  return {
    session: (request) => agent.session(request),
    turn: (request) => agent.turn({ ...request, model: request.model ?? model }),
    ...(agent.mayWrite && { mayWrite: (request) => agent.mayWrite?.(request) ?? true }),
  };
}
