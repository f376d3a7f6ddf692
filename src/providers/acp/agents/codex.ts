/** codex: it reports a failed model as a normal end, and says so apart to clients that ask for it. */

import type { Quirks } from "../quirks.ts";

export const codex: Quirks = {
  name: "codex",
  package: { name: "@agentclientprotocol/codex-acp", tried: "2.6.0" },
  command: ["codex-acp"],
  // In its read-only mode it asks before it writes.
  env: { INITIAL_AGENT_MODE: "read-only", NO_BROWSER: "1" },
  passes: ["CODEX_HOME", "OPENAI_API_KEY", "CODEX_API_KEY", "MODEL_PROVIDER"],
  clientMeta: { jetbrains: { air: { version: 1, capabilities: ["sessionFailure"] } } },
  returns: ["resume", "load"],
  failures: [{ kind: "meta", path: ["jetbrains", "air", "sessionFailure"] }],
  usage: { at: "answer" },
  // It says that they run commands.
  servedMark: ["is_mcp_tool_call"],
  mcpWaitMs: 2000,
};
