/** `batonjs/acp`: coding agents of this machine, over the Agent Client Protocol. It needs `@agentclientprotocol/sdk`. */

export type { Policy, ToolKind, Verdict } from "./agent/policy.ts";
export { AcpAgent, type AcpAgentOptions, type AcpLimits } from "./providers/acp/acp-agent.ts";
export { KNOWN_AGENTS } from "./providers/acp/agents/known.ts";
export { type DetectedAgent, detectAgents } from "./providers/acp/detect-agents.ts";
export { type OpenOptions, openAgent } from "./providers/acp/open-agent.ts";
export type { FailureSign, Quirks, UsagePlace } from "./providers/acp/quirks.ts";
export { type Connect, startProcess, type Wire } from "./providers/acp/wire.ts";
export type { ProcessOptions } from "./providers/agent-process/agent-process.ts";
