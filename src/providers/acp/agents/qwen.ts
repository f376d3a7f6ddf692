/** qwen: Qwen Code. Without its approval mode being named, a model of its own decides and nobody is asked. */

import type { Quirks } from "../quirks.ts";

export const qwen: Quirks = {
  name: "qwen",
  package: { name: "@qwen-code/qwen-code", tried: "0.24.4" },
  command: ["qwen", "--acp", "--approval-mode", "default"],
  env: { QWEN_CODE_NO_RELAUNCH: "true" },
  passes: ["OPENAI_API_KEY", "OPENAI_BASE_URL", "OPENAI_MODEL", "DASHSCOPE_API_KEY"],
  returns: ["resume", "load"],
  failures: [],
  usage: { at: "chunk_meta", path: ["usage"] },
  // The title of a call of a server's tool are its arguments.
  toolName: ["toolName"],
  mcpWaitMs: 2000,
};
