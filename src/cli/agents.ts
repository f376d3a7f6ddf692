/**
 * The choice of agents for a run: a script takes every turn when there is one; otherwise each materia names its agent,
 * and an agent that does not exist is refused before anything runs.
 */

import { existsSync } from "node:fs";
import type { Agent } from "../agent/agent.ts";
import { ScriptedAgent } from "../agent/scripted.ts";
import { LocalWorkspace } from "../providers/workspace/local-workspace.ts";
import { systemClock } from "../run/clock.ts";
import { Misuse } from "./misuse.ts";
import type { RunRequest, ScriptRecord } from "./request.ts";
import { readScript, type ScriptFile } from "./script-file.ts";
import type { Terminal } from "./terminal.ts";
import type { Options } from "./verb.ts";

const SCRIPTED = "scripted";

/** Who takes turns. */
export interface Cast {
  readonly agent?: string;
  readonly script?: ScriptFile;
}

/** The cast that the flags ask for. */
export function castFrom({ agent, script }: Pick<Options, "agent" | "script">): Cast {
  if (agent !== undefined && agent !== SCRIPTED) {
    const hint = `Known: ${SCRIPTED}, which plays a script (--script FILE).`;
    throw new Misuse("no_agent", `There is no agent ${agent}.`, { hint });
  }
  if (agent === SCRIPTED && script === undefined) {
    throw new Misuse("no_agent", "The scripted agent plays a script: name one with --script FILE.");
  }
  return {
    ...(agent !== undefined && { agent }),
    ...(script !== undefined && { script: readScript(script) }),
  };
}

/** The cast of a run that is taken up again: what the flags say, else what it was started with. */
export function castAgain(options: Options, { agent, script }: RunRequest, terminal: Terminal): Cast {
  if (options.agent !== undefined || options.script !== undefined) return castFrom(options);
  if (script === undefined) return agent === undefined ? {} : { agent };
  return { ...(agent !== undefined && { agent }), script: scriptAgain(script, terminal) };
}

function scriptAgain({ path, digest }: ScriptRecord, terminal: Terminal): ScriptFile {
  if (!existsSync(path)) {
    const hint = "Put it back, or name another with --script FILE.";
    throw new Misuse("not_found", `The script that the run was started with is gone: ${path}.`, { hint });
  }
  const file = readScript(path);
  if (file.digest !== digest) {
    terminal.warn(
      `${path} has changed since the run was started; the new script is played from its beginning.`,
    );
  }
  return file;
}

/** The agents of a cast, by name. */
export function agentsOf({ script }: Cast, cwd: string): (name: string | undefined) => Agent {
  if (script === undefined) {
    return (name) => {
      throw new Misuse("no_agent", `There is no agent ${name ?? "by default"}.`);
    };
  }
  const scripted = new ScriptedAgent({
    script: script.script,
    digest: script.digest,
    workspace: new LocalWorkspace(cwd),
    sleep: (milliseconds, signal) => systemClock.sleep(milliseconds, signal),
  });
  return () => scripted;
}

/** Refuses a run whose turns nobody can take. `wanted` is the agent that each materia names, by its id. */
export function refuseWithoutAgent(cast: Cast, wanted: ReadonlyMap<string, string | undefined>): void {
  if (cast.script !== undefined) return;
  const [first] = wanted;
  if (first === undefined) return;
  const [materia, agent] = first;
  const named = agent === undefined ? "" : ` (${agent})`;
  const hint = "This version knows one agent, which plays a script: name its file with --script FILE.";
  throw new Misuse("no_agent", `Nobody can take the turns of ${materia}${named}.`, { hint });
}
