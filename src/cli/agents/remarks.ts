/** Remarks are what somebody who sets up agents has to know of them, although nothing is wrong: which budgets nobody keeps. */

import { KNOWN_AGENTS } from "../../providers/acp/agents/known.ts";
import { type AgentSettings, kindOf } from "./agent-settings.ts";
import type { Cast, Wanted } from "./agents.ts";

/** What there is to know of an agent that a config sets up, a sentence each. */
export function remarksOn(name: string, settings: AgentSettings): readonly string[] {
  if (settings.budget === undefined) return [];
  const { is = name, output, tokensAt } = settings;
  switch (kindOf(name, settings)) {
    case "command": {
      if (output === "json" && tokensAt !== undefined) return [];
      const how = 'have it print JSON, and say "output": "json" and where they stand in "tokensAt"';
      return [`${name} does not say how many tokens a turn takes, so its budget is not kept: ${how}.`];
    }
    case "acp": {
      const usage = KNOWN_AGENTS.get(is)?.usage;
      if (usage?.at !== "answer" || usage.of !== "last request") return [];
      return [`${name} tells only the tokens of a turn's last request, so its budget is held against those.`];
    }
    case "model":
    case "pi":
      return [];
  }
}

/** The remarks on the agents that somebody wants. */
export function remarksFor({ script, agent, settings }: Cast, wanted: Wanted): readonly string[] {
  if (script !== undefined) return [];
  const names = new Set([...wanted.values()].map((name) => agent ?? name));
  return [...settings].flatMap(([name, one]) => (names.has(name) ? remarksOn(name, one) : []));
}
