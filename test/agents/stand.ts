/** A stand is a real agent in a home of its own, with a fake model as the only thing that it can talk to. */

import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { AcpAgent, type AcpAgentOptions } from "../../src/providers/acp/acp-agent.ts";
import { type Connect, startProcess, type Wire } from "../../src/providers/acp/wire.ts";
import { GraphServer } from "../../src/providers/mcp/graph-server.ts";
import { FakeModel } from "../fixtures/fake-model/server.ts";
import type { AgentName, Program } from "./install.ts";
import { RECIPES, type Recipe } from "./recipes.ts";

export class Stand {
  readonly name: AgentName;
  readonly cwd: string;
  readonly model: FakeModel;
  readonly recipe: Recipe;
  /** How the agent is started. */
  readonly command: Program;
  /** What it gets besides a search path: all of it is its own. */
  readonly env: Readonly<Record<string, string>>;
  readonly #root: string;
  readonly #agents: AcpAgent[] = [];
  readonly #wires: Wire[] = [];
  readonly #desks: GraphServer = new GraphServer();

  private constructor(name: AgentName, program: Program, model: FakeModel) {
    this.name = name;
    this.recipe = RECIPES[name];
    this.model = model;
    const { quirks, args = [] } = this.recipe;
    this.command = [...program, ...(quirks?.command.slice(1) ?? []), ...args];
    this.#root = realpathSync(mkdtempSync(join(tmpdir(), `baton-${name}-`)));
    const home = join(this.#root, "home");
    this.cwd = join(this.#root, "work");
    for (const folder of [home, this.cwd]) mkdirSync(folder);
    const folders = ["DATA", "CONFIG", "CACHE", "STATE"];
    this.env = {
      ...{ HOME: home, PATH: [dirname(process.execPath), "/usr/bin", "/bin"].join(delimiter) },
      ...Object.fromEntries(folders.map((folder) => [`XDG_${folder}_HOME`, join(home, folder)])),
      ...this.recipe.setUp(model.url, home),
    };
  }

  static async open(name: AgentName, program: Program): Promise<Stand> {
    return new Stand(name, program, await FakeModel.start());
  }

  /** A process of the agent that knows what earlier ones left in their home. */
  agent(options: Pick<AcpAgentOptions, "limits"> = {}): AcpAgent {
    const { quirks } = this.recipe;
    if (quirks === undefined) throw new Error(`${this.name} is not spoken with over this protocol.`);
    const env = { ...quirks.env, ...this.env };
    const start = startProcess({ command: this.command, cwd: this.cwd, env, from: {} });
    const connect: Connect = async (app) => {
      const wire = await start(app);
      this.#wires.push(wire);
      return wire;
    };
    const agent = new AcpAgent({ quirks, connect, cwd: this.cwd, desks: this.#desks, ...options });
    this.#agents.push(agent);
    return agent;
  }

  /** Kills the process that was started last, as nobody would in peace. */
  kill(): void {
    const pid = this.#wires.at(-1)?.pid;
    if (pid === undefined) throw new Error("Nothing was started.");
    process.kill(pid, "SIGKILL");
  }

  async close(): Promise<void> {
    await Promise.all(this.#agents.map((agent) => agent.close()));
    await this.#desks.close();
    await this.model.close();
    rmSync(this.#root, { recursive: true, force: true });
  }
}
