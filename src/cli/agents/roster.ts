/** A roster is the agents of a run by name; those that a change of its graph brings in are opened beside the others. */

import type { Agent } from "../../agent/agent.ts";
import { NO_USAGE } from "../../agent/agent.ts";
import { failure } from "../../base/failure.ts";
import { agentsOf, type Cast, type Wanted } from "./agents.ts";

export class Roster {
  readonly #cast: Cast;
  readonly #cwd: string;
  readonly #agents: Map<string, Agent> = new Map();

  constructor(cast: Cast, cwd: string) {
    this.#cast = cast;
    this.#cwd = cwd;
  }

  /** Opens those who are not there yet. Throws a `Misuse` when nobody can take the turns of somebody. */
  async open(wanted: Wanted): Promise<void> {
    const missing = new Map([...wanted].filter(([, name]) => !this.#agents.has(this.#called(name))));
    if (missing.size === 0) return;
    const found = await agentsOf(this.#cast, missing, this.#cwd);
    for (const name of missing.values()) this.#agents.set(this.#called(name), found(name));
  }

  /** The agent that takes the turns of whoever names this one. */
  agent(name: string | undefined): Agent {
    return this.#agents.get(this.#called(name)) ?? nobody(name);
  }

  /** A script or `--agent` takes the place of all others. */
  #called(name: string | undefined): string {
    return this.#cast.script === undefined ? (this.#cast.agent ?? name ?? "") : "";
  }
}

/** Takes no turn and says why: a graph may come to name somebody who is not on this machine. */
function nobody(name: string | undefined): Agent {
  const message = `The agent ${name ?? "by default"} cannot be had here. Resume the run where it can, or with --agent.`;
  return {
    session: ({ node }) => node,
    turn: async () => ({ kind: "failed", failure: failure("agent_failed", message), usage: NO_USAGE }),
  };
}
