/** The recipes of the agents that tests drive: how each is led to the fake model, and what it calls its tools. */

import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { claude } from "../../src/providers/acp/agents/claude.ts";
import { codex } from "../../src/providers/acp/agents/codex.ts";
import { gemini } from "../../src/providers/acp/agents/gemini.ts";
import { goose } from "../../src/providers/acp/agents/goose.ts";
import { opencode } from "../../src/providers/acp/agents/opencode.ts";
import { qwen } from "../../src/providers/acp/agents/qwen.ts";
import type { Quirks } from "../../src/providers/acp/quirks.ts";
import type { ToolCall } from "../fixtures/fake-model/script.ts";
import type { AgentName } from "./install.ts";

export interface Recipe {
  /** Absent where it is not spoken with over the Agent Client Protocol. */
  readonly quirks?: Quirks;
  /** Arguments besides those of its record. */
  readonly args?: readonly string[];
  /** Variables that lead it to the model, after its files were written below `home`. */
  setUp(model: string, home: string): Record<string, string>;
  /** More of its entry in a config. */
  readonly settings?: object;
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
    setUp: (model, home) => ({
      OPENCODE_CONFIG: file(home, "opencode.json", openCodeConfig(model)),
      ...{ OPENCODE_DISABLE_MODELS_FETCH: "1", OPENCODE_DISABLE_LSP_DOWNLOAD: "1" },
      OPENCODE_DISABLE_DEFAULT_PLUGINS: "1",
    }),
    write: (filePath, content) => ({ tool: "write", args: { filePath, content } }),
    graph: (tool, args) => ({ tool: `baton_${tool}`, args }),
  },
  codex: {
    quirks: codex,
    setUp: (model, home) => ({
      CODEX_HOME: dirname(file(home, "codex/config.toml", codexConfig(model))),
      ...{ FAKE_KEY: "test", MODEL_PROVIDER: "fake" },
    }),
    write: (path, content) => ({ tool: "apply_patch", args: addedFile(path, content), isCustom: true }),
    // It offers tools of servers only to a search; called by their names they work nevertheless.
    graph: (tool, args) => ({ tool, args, namespace: "mcp__baton" }),
  },
  claude: {
    quirks: claude,
    setUp: (model, home) => ({
      ...{ ANTHROPIC_BASE_URL: model, ANTHROPIC_API_KEY: "test", CLAUDE_CONFIG_DIR: join(home, "claude") },
      ...{
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
        DISABLE_TELEMETRY: "1",
        DISABLE_ERROR_REPORTING: "1",
      },
    }),
    write: (file_path, content) => ({ tool: "Write", args: { file_path, content } }),
    graph: (tool, args) => ({ tool: `mcp__baton__${tool}`, args }),
  },
  gemini: {
    quirks: gemini,
    args: ["-m", "gemini-2.5-flash"],
    setUp(model, home) {
      file(home, ".gemini/settings.json", {
        security: { auth: { selectedType: "gemini-api-key" } },
        ...{ privacy: { usageStatisticsEnabled: false }, general: { enableAutoUpdate: false } },
      });
      return { GOOGLE_GEMINI_BASE_URL: model, GEMINI_API_KEY: "test" };
    },
    write: (file_path, content) => ({ tool: "write_file", args: { file_path, content } }),
    graph: (tool, args) => ({ tool: `mcp_baton_${tool}`, args }),
  },
  qwen: {
    quirks: qwen,
    args: ["--auth-type", "openai"],
    setUp(model, home) {
      file(home, ".qwen/settings.json", {
        ...{ tools: { toolSearch: { enabled: false } }, privacy: { usageStatisticsEnabled: false } },
        general: { enableAutoUpdate: false },
      });
      return { OPENAI_BASE_URL: `${model}/v1`, OPENAI_API_KEY: "test", OPENAI_MODEL: "fake-model" };
    },
    write: (file_path, content) => ({ tool: "write_file", args: { file_path, content } }),
    graph: (tool, args) => ({ tool: `mcp__baton__${tool}`, args }),
  },
  pi: {
    settings: { kind: "pi", provider: "fake", model: "fake-model" },
    setUp(model, home) {
      const models = [{ id: "fake-model", name: "Fake", contextWindow: 128_000, maxTokens: 4096 }];
      const fake = { baseUrl: `${model}/v1`, api: "openai-completions", apiKey: "test", models };
      const path = file(home, "pi/models.json", { providers: { fake } });
      return { PI_CODING_AGENT_DIR: dirname(path), PI_OFFLINE: "1", PI_TELEMETRY: "0" };
    },
    write: (path, content) => ({ tool: "write", args: { path, content } }),
    graph: (tool, args) => ({ tool: `baton_${tool}`, args }),
  },
};

function openCodeConfig(model: string): object {
  const fake = {
    ...{ name: "Fake", tool_call: true, cost: { input: 1, output: 2 } },
    limit: { context: 128_000, output: 4096 },
  };
  const provider = {
    ...{ npm: "@ai-sdk/openai-compatible", name: "Fake", models: { "fake-model": fake } },
    options: { baseURL: `${model}/v1`, apiKey: "test" },
  };
  return { model: "fake/fake-model", small_model: "fake/fake-model", provider: { fake: provider } };
}

/** With a name of a model that it knows, it offers its ordinary tools. */
function codexConfig(model: string): string {
  return `model = "gpt-5.5"
model_provider = "fake"
approval_policy = "on-request"
sandbox_mode = "read-only"

[model_providers.fake]
name = "Fake"
base_url = "${model}/v1"
env_key = "FAKE_KEY"
wire_api = "responses"
request_max_retries = 0
stream_max_retries = 0
`;
}

/** A patch in codex's own form. */
function addedFile(path: string, content: string): string {
  const lines = content
    .trimEnd()
    .split("\n")
    .map((line) => `+${line}`);
  return ["*** Begin Patch", `*** Add File: ${path}`, ...lines, "*** End Patch"].join("\n");
}

/** Writes a file below the home, and returns where it is. */
function file(home: string, name: string, content: string | object): string {
  const path = join(home, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
  return path;
}
