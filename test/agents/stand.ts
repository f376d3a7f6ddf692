/** A stand is a real agent in a home of its own, with a fake model as the only thing that it can talk to. */

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AcpAgent } from "../../src/providers/acp/acp-agent.ts";
import { goose } from "../../src/providers/acp/agents/goose.ts";
import { opencode } from "../../src/providers/acp/agents/opencode.ts";
import { type Connect, startProcess, type Wire } from "../../src/providers/acp/wire.ts";
import { GraphServer } from "../../src/providers/mcp/graph-server.ts";
import type { ToolCall } from "../fixtures/fake-model/script.ts";
import { FakeModel } from "../fixtures/fake-model/server.ts";

export type AgentName = "goose" | "opencode";

interface Recipe {
  readonly quirks: typeof goose;
  /** Variables that lead it to the model, after its files were written below `home`. */
  setUp(model: string, home: string): Record<string, string>;
  /** Its own tool that writes a file. */
  write(path: string, content: string): ToolCall;
  /** What its model calls a tool of the graph. */
  graph(tool: string, args: ToolCall["args"]): ToolCall;
}

export const RECIPES: { readonly [Name in AgentName]: Recipe } = {
  goose: {
    quirks: goose,
    setUp: (model) => ({
      ...{ GOOSE_PROVIDER: "openai", GOOSE_MODEL: "fake-model", GOOSE_DISABLE_KEYRING: "1" },
      ...{ OPENAI_HOST: model, OPENAI_BASE_PATH: "v1/chat/completions", OPENAI_API_KEY: "test" },
    }),
    write: (path, content) => ({ tool: "write", args: { path, content } }),
    graph: (tool, args) => ({ tool: `baton__${tool}`, args }),
  },
  opencode: {
    quirks: opencode,
    setUp(model, home) {
      const config = join(home, "opencode.json");
      writeFileSync(config, JSON.stringify(openCodeConfig(model)));
      return {
        ...{ OPENCODE_CONFIG: config, OPENCODE_DISABLE_MODELS_FETCH: "1" },
        ...{ OPENCODE_DISABLE_LSP_DOWNLOAD: "1", OPENCODE_DISABLE_DEFAULT_PLUGINS: "1" },
      };
    },
    write: (filePath, content) => ({ tool: "write", args: { filePath, content } }),
    graph: (tool, args) => ({ tool: `baton_${tool}`, args }),
  },
};

function openCodeConfig(model: string): object {
  const fake = {
    name: "Fake",
    tool_call: true,
    limit: { context: 128_000, output: 4096 },
    cost: { input: 1, output: 2 },
  };
  const options = { baseURL: `${model}/v1`, apiKey: "test" };
  const provider = {
    npm: "@ai-sdk/openai-compatible",
    name: "Fake",
    options,
    models: { "fake-model": fake },
  };
  return { model: "fake/fake-model", small_model: "fake/fake-model", provider: { fake: provider } };
}

export class Stand {
  readonly cwd: string;
  readonly model: FakeModel;
  readonly recipe: Recipe;
  readonly #root: string;
  readonly #program: string;
  readonly #agents: AcpAgent[] = [];
  readonly #wires: Wire[] = [];
  readonly #desks: GraphServer = new GraphServer();

  private constructor(name: AgentName, program: string, model: FakeModel) {
    this.recipe = RECIPES[name];
    this.model = model;
    this.#program = program;
    this.#root = mkdtempSync(join(tmpdir(), `baton-${name}-`));
    this.cwd = join(this.#root, "work");
    mkdirSync(this.cwd);
  }

  static async open(name: AgentName, program: string): Promise<Stand> {
    return new Stand(name, program, await FakeModel.start());
  }

  /** A process of the agent that knows what earlier ones left in their home. */
  agent(): AcpAgent {
    const { quirks } = this.recipe;
    const [, ...args] = quirks.command;
    const home = join(this.#root, "home");
    mkdirSync(home, { recursive: true });
    const folders = ["DATA", "CONFIG", "CACHE", "STATE"].map((name) => [
      `XDG_${name}_HOME`,
      join(home, name),
    ]);
    const env = {
      ...quirks.env,
      HOME: home,
      ...Object.fromEntries(folders),
      ...this.recipe.setUp(this.model.url, home),
    };
    const start = startProcess({
      command: [this.#program, ...args],
      cwd: this.cwd,
      env,
      from: { PATH: "/usr/bin:/bin" },
    });
    const connect: Connect = async (app) => {
      const wire = await start(app);
      this.#wires.push(wire);
      return wire;
    };
    const agent = new AcpAgent({ quirks, connect, cwd: this.cwd, desks: this.#desks });
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
