/** What a model agent does with the answers of a model that says whatever a test wants. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { APICallError } from "ai";
import { MockLanguageModelV4, simulateReadableStream } from "ai/test";
import { afterAll, describe, expect, test } from "vitest";
import type { TurnRequest } from "../../agent/agent.ts";
import { type Entry, MemoryConversations } from "./conversations.ts";
import { ModelAgent, type ModelAgentOptions } from "./model-agent.ts";
import type { ModelTool } from "./model-tool.ts";

type Streamed = Awaited<ReturnType<MockLanguageModelV4["doStream"]>>;
type Part = Streamed["stream"] extends ReadableStream<infer P> ? P : never;

const cwd = mkdtempSync(join(tmpdir(), "baton-mock-"));
afterAll(() => rmSync(cwd, { recursive: true, force: true }));

/** An answer of a model; a count that nobody made is undefined. */
function answer(
  parts: readonly Part[],
  reason: "stop" | "tool-calls" | "length" | "content-filter",
  tokens?: number,
): Streamed {
  const usage = {
    inputTokens: { total: tokens, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
    outputTokens: { total: tokens, text: undefined, reasoning: undefined },
  };
  const finish: Part = { type: "finish", finishReason: { unified: reason, raw: reason }, usage };
  return {
    stream: simulateReadableStream({ chunks: [{ type: "stream-start", warnings: [] }, ...parts, finish] }),
  };
}

const said = (text: string): Part[] => [
  { type: "text-start", id: "1" },
  { type: "text-delta", id: "1", delta: text },
  { type: "text-end", id: "1" },
];
const called = (toolName: string, input: object, toolCallId = "c1"): Part => ({
  ...{ type: "tool-call", toolCallId, toolName },
  input: JSON.stringify(input),
});

function agentOf(answers: readonly Streamed[], more: Partial<ModelAgentOptions> = {}) {
  let next = 0;
  const model = new MockLanguageModelV4({
    doStream: async () => answers[next++] ?? answer(said("Over."), "stop"),
  });
  return { model, agent: new ModelAgent({ model, cwd, ...more }) };
}

const REQUEST: TurnRequest = {
  ...{ node: "n", prompt: "Do it.", tools: "coding", idempotencyKey: "run/1/turn:1" },
  ...{ signal: new AbortController().signal, progress: () => {} },
};

describe("what a turn cost", () => {
  test("is not zero when nobody counted", async () => {
    const { agent } = agentOf([answer(said("Hi."), "stop")]);
    expect(await agent.turn(REQUEST)).toMatchObject({ usage: { tokens: 0, costUsd: null, uncounted: true } });
  });

  test("has a price when there is one, and only when all was counted", async () => {
    const parts = [answer([called("list", {})], "tool-calls", 50), answer(said("Hi."), "stop", 50)];
    const { agent } = agentOf(parts, { usdPerMillion: 5 });
    expect(await agent.turn(REQUEST)).toMatchObject({ usage: { tokens: 200, costUsd: 0.001 } });
    const half = [answer([called("list", {})], "tool-calls", 50), answer(said("Hi."), "stop")];
    const other = agentOf(half, { usdPerMillion: 5 });
    expect(await other.agent.turn(REQUEST)).toMatchObject({
      usage: { tokens: 100, costUsd: null, uncounted: true },
    });
  });
});

describe("an answer that ends otherwise than well", () => {
  test.each([
    ["length", "agent_failed", "say no more in one answer"],
    ["content-filter", "agent_refused", "declined to go on"],
  ] as const)("%s is a failure", async (reason, code, message) => {
    const { agent } = agentOf([answer(said("Half"), reason, 1)]);
    expect(await agent.turn(REQUEST)).toMatchObject({
      ...{ kind: "failed", usage: { tokens: 2 } },
      failure: { code, message: expect.stringContaining(message), retryable: false },
    });
  });

  test("a stream that breaks is asked for again, since nothing was done", async () => {
    const broken: Part = { type: "error", error: new TypeError("terminated") };
    const first = { stream: simulateReadableStream({ chunks: [...said("On"), broken] }) };
    const retries = { initialInterval: 1, maxInterval: 1 };
    const { agent, model } = agentOf([first, answer(said("Once more."), "stop")], { retries });
    expect(await agent.turn(REQUEST)).toMatchObject({ kind: "done", text: "Once more." });
    expect(model.doStreamCalls).toHaveLength(2);
  });
});

test("a model that never ends is stopped after so many answers", async () => {
  const endless = Array.from({ length: 9 }, (_, index) =>
    answer([called("list", {}, `c${index}`)], "tool-calls", 1),
  );
  const { agent, model } = agentOf(endless, { limits: { answers: 4 } });
  expect(await agent.turn(REQUEST)).toMatchObject({ kind: "failed", failure: { code: "step_limit" } });
  expect(model.doStreamCalls).toHaveLength(4);
});

test("a turn that names another model, or thinks in a way that there is not, fails with a sentence", async () => {
  const { agent } = agentOf([]);
  const model = await agent.turn({ ...REQUEST, model: "other" });
  expect(model).toMatchObject({ failure: { message: expect.stringContaining('cannot be set to "other"') } });
  const thinking = await agent.turn({ ...REQUEST, thinking: "hard" });
  expect(thinking).toMatchObject({ failure: { message: expect.stringContaining("none, minimal, low") } });
});

test("a custom tool is judged by its kind, and its error is told to the model", async () => {
  const deploy: ModelTool = {
    ...{ name: "deploy", description: "Deploys.", kind: "execute", input: { type: "object" } },
    run: () => Promise.reject(new Error("The server is down.")),
  };
  const tools = { type: "custom", tools: ["deploy"] } as const;
  const { agent, model } = agentOf([answer([called("deploy", {})], "tool-calls")], { tools: [deploy] });
  const asked = await agent.turn({ ...REQUEST, tools });
  if (asked.kind !== "asks") throw new Error(JSON.stringify(asked));
  expect(asked).toMatchObject({ title: "deploy", args: { kind: "execute", input: {} } });
  const done = await agent.turn({ ...REQUEST, tools, approval: { approved: true, asked } });
  expect(done).toMatchObject({ kind: "done", text: "Over." });
  expect(JSON.stringify(model.doStreamCalls[1]?.prompt)).toContain("The server is down.");
});

test("a call that a process began and did not end is not begun again (tool-calls 2)", async () => {
  const conversations = new MemoryConversations();
  const turn = REQUEST.idempotencyKey;
  const call = {
    type: "tool-call",
    toolCallId: "c1",
    toolName: "run",
    input: { argv: ["rm", "-r", "all"] },
  } as const;
  const left: Entry[] = [
    { kind: "message", turn: "before", message: { role: "user", content: "Hello." } },
    { kind: "message", turn, message: { role: "user", content: REQUEST.prompt } },
    { kind: "message", turn, message: { role: "assistant", content: [call] }, finish: "tool-calls" },
    { kind: "began", turn, call: "c1" },
  ];
  await conversations.add("left", left);
  const { agent, model } = agentOf([], { conversations, policy: { execute: "allow" } });
  const cursor = { by: model.provider, conversation: "left", length: 1 };
  expect(await agent.turn({ ...REQUEST, cursor })).toMatchObject({ kind: "done", text: "Over." });
  expect(JSON.stringify(model.doStreamCalls[0]?.prompt)).toContain("nobody knows how far it came");
});

test("a failed turn is forgotten unless its tools did something (talk 4)", async () => {
  const conversations = new MemoryConversations();
  const acting = [
    answer([called("write", { path: "a.txt", content: "a" })], "tool-calls"),
    answer([], "length"),
  ];
  const { agent } = agentOf(acting, { conversations, policy: { edit: "allow" } });
  const acted = await agent.turn(REQUEST);
  expect(acted).toMatchObject({ kind: "failed", cursor: { length: expect.any(Number) } });
  expect(acted.cursor).not.toMatchObject({ length: 0 });
  const { agent: idle } = agentOf([answer(said("Half"), "length")], { conversations });
  expect(await idle.turn(REQUEST)).toMatchObject({ kind: "failed", cursor: { length: 0 } });
});

test("two turns that go on from the same place at the same time do not mix (talk 5)", async () => {
  const conversations = new MemoryConversations();
  const { agent, model } = agentOf([answer(said("Root."), "stop")], { conversations });
  const root = await agent.turn(REQUEST);
  const cursor = root.cursor ?? null;
  const both = await Promise.all(
    ["left", "right"].map((side) =>
      agent.turn({ ...REQUEST, cursor, idempotencyKey: side, prompt: `Go ${side}.` }),
    ),
  );
  const cursors = both.map((turn) => (turn.cursor as { readonly conversation: string }).conversation);
  expect(new Set(cursors).size).toBe(2);
  const prompts = model.doStreamCalls.slice(1).map(({ prompt }) => JSON.stringify(prompt));
  expect(prompts.every((prompt) => prompt.includes("Root."))).toBe(true);
  expect(prompts.filter((prompt) => prompt.includes("left") && prompt.includes("right"))).toEqual([]);
  const next = await agent.turn({ ...REQUEST, cursor: both[0]?.cursor ?? null, idempotencyKey: "next" });
  expect(next.kind).toBe("done");
  expect(JSON.stringify(model.doStreamCalls.at(-1)?.prompt)).toContain("Go left.");
  expect(JSON.stringify(model.doStreamCalls.at(-1)?.prompt)).not.toContain("Go right.");
});

test("a conversation that has become too long goes on with the full prompt alone (turn 2)", async () => {
  const tooLong = new APICallError({
    ...{ message: "This model's maximum context length is 8 tokens.", statusCode: 400 },
    ...{ url: "", requestBodyValues: {}, isRetryable: false },
  });
  const conversations = new MemoryConversations();
  const { agent } = agentOf([answer(said("Root."), "stop")], { conversations });
  const root = await agent.turn(REQUEST);
  const model = new MockLanguageModelV4({
    doStream: async ({ prompt }) => {
      if (JSON.stringify(prompt).includes("Root.")) throw tooLong;
      return answer(said("Short again."), "stop");
    },
  });
  const next = { ...REQUEST, cursor: root.cursor ?? null, idempotencyKey: "2", fullPrompt: "All of it." };
  const turn = await new ModelAgent({ model, cwd, conversations }).turn(next);
  expect(turn).toMatchObject({ kind: "done", text: "Short again." });
  expect(JSON.stringify(model.doStreamCalls.at(-1)?.prompt)).toContain("All of it.");
  expect((await agent.turn({ ...next, idempotencyKey: "3", cursor: turn.cursor ?? null })).kind).toBe("done");
});
