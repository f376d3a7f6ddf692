/**
 * The choice of agents for a run: a script takes every turn when there is one, else the agent that `--agent` names, else
 * the one that each materia or node names. Whoever does not exist is refused before anything runs.
 */

import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { Agent } from "../../agent/agent.ts";
import { RecordedAgent, RecordingAgent, type TapeEntry } from "../../agent/recorded.ts";
import { ScriptedAgent } from "../../agent/scripted.ts";
import { LocalWorkspace } from "../../providers/workspace/local-workspace.ts";
import { systemClock } from "../../run/clock.ts";
import { Misuse } from "../misuse.ts";
import type { RunRequest, ScriptRecord } from "../runs/request.ts";
import { readLayers, type SourceFile } from "../runs/source.ts";
import type { Terminal } from "../terminal/terminal.ts";
import type { Options } from "../verb.ts";
import type { AgentSettings } from "./agent-settings.ts";
import { withHeartbeat } from "./heartbeat.ts";
import { openReal } from "./real-agents.ts";
import { readScript, type ScriptFile } from "./script-file.ts";
import { beginTape, requireRoom } from "./tape-file.ts";

const SCRIPTED = "scripted";

/** Who takes turns. */
export interface Cast {
  readonly agent?: string;
  readonly script?: ScriptFile;
  /** Where to record what agents say. */
  readonly record?: string;
  /** Where what is said to models is kept for later processes; in memory when absent. */
  readonly keep?: string;
  /** What makes the names of conversations those of the run. */
  readonly salt: string;
  /** What configs say of agents. */
  readonly settings: ReadonlyMap<string, AgentSettings>;
  /** Those of them that are not the user's own. */
  readonly configs: readonly SourceFile[];
}

/** The cast that the flags ask for. */
export function castFrom(options: Pick<Options, "agent" | "script" | "record" | "config" | "db">): Cast {
  const { agent, script, record } = options;
  if (agent === SCRIPTED && script === undefined) {
    throw new Misuse("no_agent", "The scripted agent plays a script: name one with --script FILE.");
  }
  if (agent !== undefined && agent !== SCRIPTED && script !== undefined) {
    throw new Misuse("no_agent", `Either ${agent} takes the turns (--agent) or a script does (--script).`);
  }
  const { agents: settings, setups: configs } = readLayers(options);
  return {
    ...(agent !== undefined && { agent }),
    ...(script !== undefined && { script: readScript(script) }),
    ...(record !== undefined && { record }),
    ...(options.db !== ":memory:" && { keep: dirname(resolve(options.db)) }),
    salt: randomUUID(),
    settings,
    configs,
  };
}

/** The cast of a run that is taken up again: what the flags say, else what it was started with. */
export function castAgain(options: Options, { agent, script, salt }: RunRequest, terminal: Terminal): Cast {
  const asked = { ...castFrom(options), ...(salt !== undefined && { salt }) };
  if (options.agent !== undefined || options.script !== undefined) return asked;
  return {
    ...asked,
    ...(agent !== undefined && { agent }),
    ...(script !== undefined && { script: scriptAgain(script, terminal) }),
  };
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

/** Who wants which agent: the name, by the materia or node. */
export type Wanted = ReadonlyMap<string, string | undefined>;

/** The agents of a cast by name, opened before anything runs. Refuses when nobody can take the turns of somebody. */
export async function agentsOf(
  cast: Cast,
  wanted: Wanted,
  cwd: string,
): Promise<(name: string | undefined) => Agent> {
  const tape = cast.record === undefined ? undefined : lazily(cast.record);
  const taped = (agent: Agent) => (tape === undefined ? agent : new RecordingAgent(agent, tape));
  if (cast.script !== undefined) {
    const played = taped(playerOf(cast.script, cwd));
    return () => played;
  }
  const agents = new Map<string, Agent>();
  for (const [role, name] of wanted) {
    const chosen = cast.agent ?? name;
    refuseUnlessReal(chosen, role);
    if (agents.has(chosen)) continue;
    const around = { cwd, salt: cast.salt, ...(cast.keep !== undefined && { keep: cast.keep }) };
    const real = await openReal(chosen, cast.settings.get(chosen) ?? {}, around);
    agents.set(chosen, withHeartbeat(taped(real)));
  }
  return (name) => {
    const agent = agents.get(cast.agent ?? name ?? "");
    if (agent === undefined) throw new Misuse("no_agent", `There is no agent ${name ?? "by default"}.`);
    return agent;
  };
}

/** A tape that begins with its first entry, so that a run that is refused leaves none. */
function lazily(file: string): (entry: TapeEntry) => void {
  requireRoom(file);
  let keep: ((entry: TapeEntry) => void) | undefined;
  return (entry) => {
    keep ??= beginTape(file);
    keep(entry);
  };
}

function playerOf({ script, tape, digest }: ScriptFile, cwd: string): Agent {
  if (tape !== undefined) return new RecordedAgent({ tape, digest });
  return new ScriptedAgent({
    ...{ script, digest },
    workspace: new LocalWorkspace(cwd),
    workspaceAt: (folder) => new LocalWorkspace(folder),
    sleep: (milliseconds, signal) => systemClock.sleep(milliseconds, signal),
  });
}

function refuseUnlessReal(name: string | undefined, role: string): asserts name is string {
  if (name === SCRIPTED) {
    throw new Misuse("no_agent", `${role} is played from a script: name its file with --script FILE.`);
  }
  if (name !== undefined) return;
  const hint =
    "Name one with --agent NAME (`baton doctor` lists those on this machine), or play a script: --script FILE.";
  throw new Misuse("no_agent", `Nobody can take the turns of ${role}.`, { hint });
}

/** What agents do that a config sets up: something to know before trusting a definition. */
export function startedBy({ script, agent, settings }: Cast, wanted: Wanted): readonly string[] {
  if (script !== undefined) return [];
  const names = new Set([...wanted.values()].map((name) => agent ?? name));
  return [...settings].flatMap(([name, { command, provider, baseURL, apiKeyEnv }]) => {
    if (!names.has(name)) return [];
    const whom = baseURL ?? provider;
    const key = apiKeyEnv === undefined ? "" : `, with the key in ${apiKeyEnv}`;
    return [
      ...(command === undefined ? [] : [`start \`${command.join(" ")}\``]),
      ...(whom === undefined ? [] : [`send what it works on to ${whom}${key}`]),
    ];
  });
}
