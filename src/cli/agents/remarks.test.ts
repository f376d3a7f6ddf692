import { expect, test } from "vitest";
import type { AgentSettings } from "./agent-settings.ts";
import { agentsIn } from "./agent-settings.ts";
import { remarksFor, remarksOn } from "./remarks.ts";

const budget = { tokens: 1000 };

test.each<[string, AgentSettings, RegExp]>([
  [
    "llm",
    { kind: "command", command: ["llm"], budget },
    /^llm does not say how many tokens .* "tokensAt"\.$/,
  ],
  ["goose", { budget }, /^goose tells only the tokens of a turn's last request/],
  ["coder", { is: "opencode", budget }, /^coder tells only/],
])("of %s as %j it is said that its budget is not kept as one may think", (name, settings, remark) => {
  expect(remarksOn(name, settings)).toEqual([expect.stringMatching(remark)]);
});

test.each<[string, AgentSettings]>([
  ["llm", { kind: "command", command: ["llm"] }],
  ["llm", { kind: "command", command: ["llm"], budget, output: "json", tokensAt: ["usage"] }],
  ["claude", { budget }],
  ["pi", { budget }],
  ["local", { kind: "model", provider: "openai", model: "m", budget }],
])("of %s as %j there is nothing to say", (name, settings) => {
  expect(remarksOn(name, settings)).toEqual([]);
});

test("remarks are made on those whom somebody wants, and on nobody whom a script stands in for", () => {
  const settings = new Map<string, AgentSettings>([
    ["goose", { budget }],
    ["opencode", { budget }],
  ]);
  const wanted = new Map([["coder", "goose"]]);
  expect(remarksFor({ settings, salt: "", configs: [] }, wanted)).toHaveLength(1);
  const script = { path: "/s", digest: "", script: new Map() };
  expect(remarksFor({ settings, salt: "", configs: [], script }, wanted)).toEqual([]);
});

test("every kind of agent takes a budget and retries", () => {
  const entries: readonly AgentSettings[] = [
    { kind: "acp" },
    { kind: "pi" },
    { kind: "command", command: ["llm"] },
    { kind: "model", provider: "openai", model: "m" },
  ];
  for (const entry of entries) {
    const json = { agents: { goose: { ...entry, budget, retries: 2 } } };
    expect(
      agentsIn([{ json: JSON.parse(JSON.stringify(json)), path: "config.json" }]).get("goose"),
    ).toMatchObject({
      budget,
      retries: 2,
    });
  }
});
