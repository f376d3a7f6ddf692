/** claude: Claude Code behind its adapter; tools of MCP servers are offered to its model at once. */

import type { Quirks } from "../quirks.ts";

export const claude: Quirks = {
  name: "claude",
  package: { name: "@agentclientprotocol/claude-agent-acp", tried: "0.100.0" },
  command: ["claude-agent-acp"],
  env: { DISABLE_AUTOUPDATER: "1", ENABLE_TOOL_SEARCH: "false" },
  passes: [
    ...["ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL", "ANTHROPIC_AUTH_TOKEN", "CLAUDE_CODE_OAUTH_TOKEN"],
    ...["CLAUDE_CONFIG_DIR", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "DISABLE_TELEMETRY"],
    ...["DISABLE_ERROR_REPORTING"],
  ],
  clientMeta: { jetbrains: { air: { version: 1, capabilities: ["sessionFailure"] } } },
  returns: ["resume", "load"],
  failures: [{ kind: "meta", path: ["jetbrains", "air", "sessionFailure"] }],
  usage: { at: "answer" },
  mcpWaitMs: 2000,
};
