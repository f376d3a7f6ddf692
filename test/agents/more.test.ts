/**
 * The other agents go through the same story where they are asked for: `BATON_TEST_AGENTS=codex,claude`. Each is installed
 * at the version that its lock file says, 100 to 460 MB, below the cache.
 */

import { type AgentName, installAgents } from "./install.ts";
import { tellStory } from "./story.ts";

const NAMES: readonly AgentName[] = ["codex", "claude", "gemini", "qwen", "pi"];
const wanted = (process.env["BATON_TEST_AGENTS"] ?? "").split(",");

for (const name of NAMES) {
  if (!wanted.includes(name)) {
    tellStory(name, { ok: false, why: `BATON_TEST_AGENTS does not name ${name}.` });
    continue;
  }
  const installed = await installAgents(name);
  if (!installed.ok) throw new Error(installed.why); // somebody asked for it
  tellStory(name, installed);
}
