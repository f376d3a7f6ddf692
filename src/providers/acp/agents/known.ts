/** The agents that Baton knows how to speak with, by name. */

import type { Quirks } from "../quirks.ts";
import { claude } from "./claude.ts";
import { codex } from "./codex.ts";
import { gemini } from "./gemini.ts";
import { goose } from "./goose.ts";
import { opencode } from "./opencode.ts";
import { qwen } from "./qwen.ts";

export const KNOWN_AGENTS: ReadonlyMap<string, Quirks> = new Map(
  [claude, codex, gemini, goose, opencode, qwen].map((quirks) => [quirks.name, quirks]),
);
