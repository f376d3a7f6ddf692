/** opencode: it asks only for what its configuration says, and gives what a session costs. It counts like goose. */

import type { Quirks } from "../quirks.ts";

/** Merged over the user's own configuration. */
const CONFIG = {
  ...{ autoupdate: false, share: "disabled" },
  permission: { edit: "ask", bash: "ask", webfetch: "ask" },
  // A tool of ours may wait for a person; its own limit is a minute.
  experimental: { mcp_timeout: 600_000 },
};

export const opencode: Quirks = {
  name: "opencode",
  package: { name: "opencode-ai", tried: "1.18.33" },
  command: ["opencode", "acp"],
  env: { OPENCODE_CONFIG_CONTENT: JSON.stringify(CONFIG), OPENCODE_DISABLE_AUTOUPDATE: "1" },
  passes: [
    ...["OPENCODE_CONFIG", "OPENCODE_CONFIG_DIR", "OPENCODE_DISABLE_MODELS_FETCH"],
    ...["OPENCODE_DISABLE_LSP_DOWNLOAD", "OPENCODE_DISABLE_DEFAULT_PLUGINS"],
    ...["XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME"],
    ...["OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GEMINI_API_KEY", "OPENROUTER_API_KEY", "OPENCODE_API_KEY"],
  ],
  returns: ["resume", "load"],
  failures: [],
  usage: { at: "answer", of: "last request" },
  sharesServers: true,
  mcpWaitMs: 2000,
};
