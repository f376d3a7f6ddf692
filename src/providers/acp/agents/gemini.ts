/** gemini: the Gemini CLI. Its sessions do not come back: loading one within a minute of its start destroys it. */

import type { Quirks } from "../quirks.ts";

export const gemini: Quirks = {
  name: "gemini",
  package: { name: "@google/gemini-cli", tried: "0.61.0" },
  command: ["gemini", "--acp", "--skip-trust"],
  env: { GEMINI_CLI_NO_RELAUNCH: "true" },
  passes: [
    ...["GEMINI_API_KEY", "GOOGLE_API_KEY", "GOOGLE_GEMINI_BASE_URL", "GOOGLE_CLOUD_PROJECT"],
    ...["GOOGLE_CLOUD_LOCATION", "GOOGLE_APPLICATION_CREDENTIALS", "GOOGLE_GENAI_USE_VERTEXAI"],
  ],
  // It also replays the history after it has answered, in the middle of the next turn.
  returns: [],
  failures: [],
  usage: { at: "answer_meta", path: ["quota", "token_count"] },
  mcpWaitMs: 2000,
};
