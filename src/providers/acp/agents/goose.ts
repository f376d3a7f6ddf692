/** goose: small, quick to start, and it reports an error of its model as text. It counts a turn's last request only. */

import type { Quirks } from "../quirks.ts";

export const goose: Quirks = {
  name: "goose",
  package: { name: "@aaif/goose-acp", tried: "1.50.0" },
  command: ["goose", "acp", "--with-builtin", "developer"],
  env: { GOOSE_MODE: "approve" },
  passes: [
    ...["GOOSE_PROVIDER", "GOOSE_MODEL", "GOOSE_DISABLE_KEYRING", "OPENAI_API_KEY", "OPENAI_HOST"],
    ...["OPENAI_BASE_PATH", "ANTHROPIC_API_KEY", "ANTHROPIC_HOST", "GOOGLE_API_KEY", "OPENROUTER_API_KEY"],
  ],
  returns: ["load"],
  failures: [{ kind: "text", begins: "Ran into this error:" }],
  usage: { at: "answer", of: "last request" },
  // It calls every tool "other".
  toolName: ["goose", "toolCall", "toolName"],
  kinds: { write: "edit", edit: "edit", shell: "execute", tree: "read", read_image: "read" },
  // It connects to its servers with each prompt, before it asks its model.
  mcpWaitMs: 0,
};
