/** A model behind an API on loopback takes turns: with tools, decisions of a person, errors on the way, and restarts. */

import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Progress, Turn, TurnRequest } from "../../src/agent/agent.ts";
import { FileConversations, ModelAgent, type ModelAgentOptions, openModel } from "../../src/model.ts";
import { type Step, scripted } from "../fixtures/fake-model/script.ts";
import { FakeModel } from "../fixtures/fake-model/server.ts";

let fake: FakeModel;
let root: string;
let cwd: string;
let shown: Progress[];

beforeAll(async () => {
  fake = await FakeModel.start();
});
afterAll(() => fake.close());
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "baton-model-"));
  cwd = join(root, "work");
  mkdirSync(cwd);
  shown = [];
  fake.asked.length = 0;
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const QUICK = { max: 4, initialInterval: 1, backoffFactor: 2, maxInterval: 5, jitter: true };

async function agentWith(more: Partial<ModelAgentOptions> = {}): Promise<ModelAgent> {
  const choice = {
    provider: "openai-compatible",
    model: "fake-model",
    baseURL: `${fake.url}/v1`,
    apiKeyEnv: "KEY",
  };
  const model = openModel(choice, { KEY: "test" });
  const conversations = new FileConversations(join(root, "conversations"));
  return new ModelAgent({ model, cwd, conversations, retries: QUICK, ...more });
}

function asking(prompt: string | readonly Step[], more: Partial<TurnRequest> = {}): TurnRequest {
  return {
    ...{ node: "n", tools: "coding", idempotencyKey: "run/1/turn:1" },
    prompt: typeof prompt === "string" ? prompt : scripted(...prompt),
    signal: new AbortController().signal,
    progress: (chunk) => shown.push(chunk),
    ...more,
  };
}

const write = (path: string, content = "text\n"): Step => ({ tool: "write", args: { path, content } });

function asksIn(turn: Turn) {
  if (turn.kind !== "asks") throw new Error(JSON.stringify(turn));
  return turn;
}

function results(): readonly string[] {
  const messages = fake.asked.at(-1)?.body["messages"] as readonly { role: string; content: string }[];
  return messages.filter(({ role }) => role === "tool").map(({ content }) => content);
}

describe("a turn", () => {
  test("streams what the model says, and counts its tokens; a cost that nobody said is unknown", async () => {
    const agent = await agentWith();
    const turn = await agent.turn(asking([{ thought: "Hm.", text: "one two three", chunks: 3 }]));
    expect(turn).toMatchObject({
      kind: "done",
      text: "one two three",
      usage: { tokens: 120, costUsd: null },
    });
    expect(shown.filter(({ kind }) => kind === "text")).toHaveLength(3);
    expect(shown).toContainEqual({ kind: "thought", text: "Hm." });
  });

  test("looks without asking anybody, and cannot look outside", async () => {
    writeFileSync(join(root, "secret.txt"), "secret");
    symlinkSync(root, join(cwd, "out"));
    writeFileSync(join(cwd, "a.txt"), "first\nheron\n");
    const agent = await agentWith();
    const tools: Step["tools"] = [
      { tool: "read", args: { path: "a.txt", from: 2, lines: 1 } },
      { tool: "list", args: {} },
      { tool: "search", args: { text: "heron" } },
      { tool: "read", args: { path: "../secret.txt" } },
      { tool: "read", args: { path: "out/secret.txt" } },
      { tool: "read", args: { path: join(root, "secret.txt") } },
    ];
    const turn = await agent.turn(asking([{ tools }, { text: "Seen." }], { tools: "readOnly" }));
    expect(turn).toMatchObject({ kind: "done", text: "Seen." });
    expect(results().slice(0, 3)).toEqual(["heron", "a.txt\nout", "a.txt:2: heron"]);
    expect(results()[3]).toContain('has ".." in it');
    expect(results()[4]).toContain("leads out of the working folder");
    expect(results()[5]).toContain("is absolute");
  });

  test("is offered what its tools allow, and what the policy denies is not offered", async () => {
    const names = async (more: Partial<TurnRequest>, policy = {}) => {
      await (await agentWith({ policy })).turn(asking([{ toolless: true, text: "." }], more));
      const tools = (fake.asked.at(-1)?.body["tools"] ?? []) as readonly { function: { name: string } }[];
      return tools.map((one) => one.function.name).join(" ");
    };
    expect(await names({ tools: "none" })).toBe("");
    expect(await names({ tools: "readOnly" })).toBe("read list search");
    expect(await names({ tools: "coding" })).toBe("read list search write edit run");
    expect(await names({ tools: "coding" }, { execute: "deny" })).toBe("read list search write edit");
    expect(await names({ tools: "coding", writes: "docs" })).toBe("read list search write edit");
    expect(await names({ tools: { type: "custom", tools: ["read", "run"] } })).toBe("read list run");
  });

  test("a file is written after an approval, and another one is not after a denial", async () => {
    const agent = await agentWith();
    const request = asking([write("yes.txt"), write("no.txt"), { text: "Done." }]);
    const first = asksIn(await agent.turn(request));
    expect(first).toMatchObject({ title: "write yes.txt", args: { kind: "edit", paths: ["yes.txt"] } });
    expect(first.args).toMatchObject({ diffs: [{ path: "yes.txt", oldText: null, newText: "text\n" }] });
    expect(existsSync(join(cwd, "yes.txt"))).toBe(false);
    const again = { ...request, cursor: first.cursor ?? null };
    const second = asksIn(await agent.turn({ ...again, approval: { approved: true, asked: first } }));
    expect(readFileSync(join(cwd, "yes.txt"), "utf8")).toBe("text\n");
    expect(second.title).toBe("write no.txt");
    const approval = { approved: false, asked: second, reason: "Not that one." };
    const done = await agent.turn({ ...request, cursor: second.cursor ?? null, approval });
    expect(done).toMatchObject({ kind: "done", text: "Done.", usage: { tokens: 360 } });
    expect(existsSync(join(cwd, "no.txt"))).toBe(false);
    expect(results().at(-1)).toContain("Not that one.");
    expect(fake.asked).toHaveLength(3);
  });

  test("a person changes what is written", async () => {
    const agent = await agentWith();
    const request = asking([write("a.txt"), { text: "Done." }]);
    const asked = asksIn(await agent.turn(request));
    const args = { input: { path: "b.txt", content: "mine\n" } };
    const approval = { approved: true, asked, args };
    expect(await agent.turn({ ...request, cursor: asked.cursor ?? null, approval })).toMatchObject({
      kind: "done",
    });
    expect(existsSync(join(cwd, "a.txt"))).toBe(false);
    expect(readFileSync(join(cwd, "b.txt"), "utf8")).toBe("mine\n");
    expect(results().at(-1)).toContain("A person changed the input");
  });

  test("programs run without a shell; records of version control are nobody's to write", async () => {
    const agent = await agentWith({ policy: { execute: "allow", edit: "allow" } });
    mkdirSync(join(cwd, ".git", "hooks"), { recursive: true });
    symlinkSync(join(cwd, ".git", "hooks"), join(cwd, "innocent"));
    const tools: Step["tools"] = [
      { tool: "run", args: { argv: [process.execPath, "-p", "process.argv[1]", "$(id)"] } },
      { tool: "run", args: { argv: [process.execPath, "-e", "setInterval(() => {}, 9)"], seconds: 1 } },
      { tool: "write", args: { path: ".git/hooks/pre-commit", content: "x" } },
      { tool: "write", args: { path: "innocent/pre-commit", content: "x" } },
      { tool: "edit", args: { path: "none.txt", old: "a", new: "b" } },
    ];
    expect(await agent.turn(asking([{ tools }, { text: "Done." }]))).toMatchObject({ kind: "done" });
    expect(results()[0]).toBe("It ended with code 0.\nStandard output:\n$(id)\n");
    expect(results()[1]).toBe("It was ended after 1 s.");
    expect(results()[2]).toBe("Nobody writes into .git.");
    expect(results()[3]).toBe("Nobody writes into .git.");
    expect(results()[4]).toContain('There is no "none.txt"');
  });

  test("malformed calls are told to the model, which goes on", async () => {
    const agent = await agentWith({ policy: { edit: "allow" } });
    const tools: Step["tools"] = [
      { tool: "write", args: '{"path": "a.txt", "cont' },
      { tool: "write", args: { path: 7 } },
      { tool: "levitate", args: {} },
    ];
    expect(await agent.turn(asking([{ tools }, { text: "Sorry." }]))).toMatchObject({
      kind: "done",
      text: "Sorry.",
    });
    expect(results().join("\n")).toMatch(/JSON parsing failed/);
    expect(results().join("\n")).toMatch(/does not fit: \/path/);
    expect(results().join("\n")).toMatch(/unavailable tool 'levitate'/);
  });

  test("is stopped in mid-stream; the session goes on as if it had not been", async () => {
    const agent = await agentWith();
    const first = await agent.turn(asking([{ text: "The word is heron." }]));
    const cursor = first.kind === "done" ? first.cursor : null;
    const stop = new AbortController();
    const { aborted } = fake;
    const stopped = await agent.turn(
      asking([{ text: "one two three", chunks: 13, delayMs: 50 }], {
        ...{ cursor, idempotencyKey: "2", signal: stop.signal, progress: () => stop.abort() },
      }),
    );
    expect(stopped).toMatchObject({ kind: "failed", failure: { message: "The turn was stopped." }, cursor });
    await expect.poll(() => fake.aborted).toBe(aborted + 1);
    const next = await agent.turn(asking([{ text: "Again." }], { cursor, idempotencyKey: "3" }));
    expect(next).toMatchObject({ kind: "done", text: "Again." });
    expect(JSON.stringify(fake.asked.at(-1)?.body)).toContain("The word is heron.");
    expect(JSON.stringify(fake.asked.at(-1)?.body)).not.toContain("one two three");
  });
});

describe("on the way to the model", () => {
  test.each([429, 500, 503])("a %i is tried again", async (status) => {
    const agent = await agentWith();
    const turn = await agent.turn(asking([{ error: { status, times: 2 }, text: "At last." }]));
    expect(turn).toMatchObject({ kind: "done", text: "At last." });
    expect(fake.asked).toHaveLength(3);
  });

  test("a server that says when to come back is believed", async () => {
    const agent = await agentWith();
    const began = performance.now();
    await agent.turn(
      asking([{ error: { status: 429, times: 1, headers: { "retry-after-ms": "300" } }, text: "." }]),
    );
    expect(performance.now() - began).toBeGreaterThan(290);
  });

  test("tries are bounded, and a request that is wrong is not tried again", async () => {
    const agent = await agentWith();
    const busy = await agent.turn(asking([{ error: { status: 429, message: "Too many." } }]));
    expect(busy).toMatchObject({ kind: "failed", failure: { code: "agent_failed", retryable: true } });
    expect(JSON.stringify(busy)).toContain("answered with 429: Too many.");
    expect(fake.asked).toHaveLength(4);
    const wrong = await agent.turn(
      asking([{ error: { status: 400, message: "No." } }], { idempotencyKey: "2" }),
    );
    expect(wrong).toMatchObject({ kind: "failed", failure: { retryable: false } });
    expect(fake.asked).toHaveLength(5);
  });

  test("nobody there, silence, and a turn that takes too long are failures that can be tried again", async () => {
    const model = openModel(
      { provider: "openai-compatible", model: "m", baseURL: "http://127.0.0.1:9/v1" },
      {},
    );
    const alone = await (await agentWith({ model })).turn(asking([{ text: "." }]));
    expect(alone).toMatchObject({ kind: "failed", failure: { retryable: true } });
    const quiet = await agentWith({ limits: { idleMs: 100 }, retries: { ...QUICK, max: 2 } });
    const silence = await quiet.turn(asking([{ text: "So", hang: true }]));
    expect(JSON.stringify(silence)).toContain("showed no sign of life for 0.1 s");
    const short = await agentWith({ limits: { turnMs: 150 } });
    const late = await short.turn(asking([{ text: "So", hang: true }]));
    expect(late).toMatchObject({
      failure: { retryable: true, message: expect.stringContaining("longer than 0.15 s") },
    });
  });

  test("a budget ends the turn between two answers", async () => {
    const agent = await agentWith({ limits: { tokens: 200 } });
    const steps: Step[] = [1, 2, 3, 4].map(() => ({ tool: "list", args: {} }));
    const turn = await agent.turn(asking([...steps, { text: "." }]));
    expect(turn).toMatchObject({ kind: "failed", usage: { tokens: 240 }, failure: { retryable: false } });
  });
});

describe("a schema", () => {
  const schema = {
    ...{ type: "object", required: ["satisfied"], additionalProperties: false },
    properties: { satisfied: { type: "boolean" }, context: { type: "string", minLength: 1 } },
  };
  const answer: Step = { toolless: true, text: '{"satisfied": true, "context": null}' };

  test("holds the model to its strict form, and the answer is read in its own", async () => {
    const turn = await (await agentWith()).turn(asking([answer], { tools: "none", schema }));
    expect(turn).toMatchObject({ kind: "done", text: '{"satisfied":true}' });
    expect(fake.asked[0]?.body["response_format"]).toMatchObject({
      type: "json_schema",
      json_schema: { schema: { required: ["satisfied", "context"], additionalProperties: false } },
    });
  });

  test("that a model declines is not sent again", async () => {
    const agent = await agentWith();
    const error = { status: 400, overSchema: true } as const;
    const turn = await agent.turn(asking([{ ...answer, error }], { tools: "none", schema }));
    expect(turn).toMatchObject({ kind: "done", text: '{"satisfied":true}' });
    await agent.turn(asking([answer], { tools: "none", schema, idempotencyKey: "2" }));
    expect(fake.asked.map(({ body }) => body["response_format"] !== undefined)).toEqual([true, false, false]);
  });

  test("that cannot be said strictly is left to the prompt", async () => {
    const open = { ...schema, properties: { ...schema.properties, any: {} } };
    await (await agentWith()).turn(asking([answer], { tools: "none", schema: open }));
    expect(fake.asked[0]?.body["response_format"]).toBeUndefined();
  });
});

describe("a conversation", () => {
  test("goes on in another process", async () => {
    const before = await (await agentWith()).turn(asking([{ text: "The word is heron." }]));
    const cursor = before.kind === "done" ? before.cursor : null;
    const next = await (await agentWith()).turn(asking([{ text: "Back." }], { cursor, idempotencyKey: "2" }));
    expect(next).toMatchObject({ kind: "done", text: "Back." });
    expect(JSON.stringify(fake.asked.at(-1)?.body)).toContain("The word is heron.");
  });

  test("that is gone begins again with the full prompt, and a decision counts for what the person was shown", async () => {
    const request = asking([write("a.txt"), { text: "Done." }]);
    const asked = asksIn(await (await agentWith()).turn(request));
    rmSync(join(root, "conversations"), { recursive: true });
    const agent = await agentWith();
    const again = { ...request, fullPrompt: `All of it. ${request.prompt}`, cursor: asked.cursor ?? null };
    const other = { ...asked, args: { kind: "edit", paths: ["other.txt"] } };
    const more = asksIn(await agent.turn({ ...again, approval: { approved: true, asked: other } }));
    expect(existsSync(join(cwd, "a.txt"))).toBe(false);
    expect(JSON.stringify(fake.asked.at(-1)?.body)).toContain("All of it.");
    rmSync(join(root, "conversations"), { recursive: true });
    const approval = { approved: true, asked: more };
    expect(await (await agentWith()).turn({ ...again, approval })).toMatchObject({
      kind: "done",
      text: "Done.",
    });
    expect(existsSync(join(cwd, "a.txt"))).toBe(true);
  });

  test("is taken up where a turn that was cut short had come to: nothing is done or paid for twice", async () => {
    const before = await (await agentWith()).turn(asking([{ text: "Hello." }]));
    const cursor = before.kind === "done" ? before.cursor : null;
    const steps: Step[] = [{ tool: "list", args: {} }, { text: "Done." }];
    const request = asking(steps, { cursor, idempotencyKey: "2" });
    expect(await (await agentWith()).turn(request)).toMatchObject({ kind: "done", text: "Done." });
    const { length } = fake.asked;
    expect(await (await agentWith()).turn(request)).toMatchObject({
      kind: "done",
      text: "Done.",
      usage: { tokens: 240 },
    });
    expect(fake.asked).toHaveLength(length);
  });

  test("that went on elsewhere is copied up to the place", async () => {
    const agent = await agentWith();
    const before = await agent.turn(asking([{ text: "Root." }]));
    const cursor = before.kind === "done" ? before.cursor : null;
    await agent.turn(asking([{ text: "Left." }], { cursor, idempotencyKey: "left" }));
    await agent.turn(asking([{ text: "Right." }], { cursor, idempotencyKey: "right" }));
    const sent = JSON.stringify(fake.asked.at(-1)?.body);
    expect(sent).toContain("Root.");
    expect(sent).not.toContain("Left.");
  });
});

describe("a model in a graph", () => {
  test("sends and finishes with tools of its own, and looks at the run", async () => {
    const sent: unknown[] = [];
    const tools: Step["tools"] = [
      { tool: "send", args: { to: "coder", message: "Build it." } },
      { tool: "send", args: { to: "nobody", message: "Build it." } },
      { tool: "look", args: {} },
      { tool: "finish", args: { ok: true, summary: "Planned." } },
    ];
    const turn = await (await agentWith()).turn({
      ...asking([{ tools }, { text: "Handed on." }], { tools: "none" }),
      send(staged) {
        sent.push(staged);
        return staged.to === "coder"
          ? { ok: true }
          : { ok: false, code: "no_edge", message: "There is no way." };
      },
      finish: () => ({ ok: true }),
      look: () => ({ inbox: 0 }),
    });
    expect(turn).toMatchObject({
      ...{ kind: "done", text: "Handed on.", finish: { ok: true, summary: "Planned." } },
    });
    expect(sent).toHaveLength(2);
    expect(results()[1]).toBe("There is no way.");
    expect(JSON.parse(results()[2] ?? "")).toEqual({ inbox: 0 });
  });

  test("that may not finish has not finished", async () => {
    const steps: Step[] = [{ tool: "finish", args: { ok: true, summary: "Done." } }, { text: "Well." }];
    const finish = () => ({ ok: false, code: "not_yours", message: "That is not yours to close." }) as const;
    const turn = await (await agentWith()).turn(asking(steps, { finish }));
    expect(turn).toMatchObject({ kind: "done", text: "Well." });
    expect(turn).not.toHaveProperty("finish");
  });

  test("asks a person, who answers or does not want to", async () => {
    const steps: Step[] = [{ tool: "ask", args: { question: "Which port?", context: "It is for tests." } }];
    const request = asking([...steps, ...steps, { text: "Good." }], { look: () => null });
    const agent = await agentWith();
    const first = asksIn(await agent.turn(request));
    expect(first).toMatchObject({
      title: "Which port?",
      args: { context: "It is for tests." },
      wants: "answer",
    });
    const answered = { approved: true, answer: "8080", asked: first };
    const second = asksIn(await agent.turn({ ...request, approval: answered }));
    const declined = { approved: false, reason: "Guess.", asked: second };
    expect(await agent.turn({ ...request, approval: declined })).toMatchObject({
      kind: "done",
      text: "Good.",
    });
    expect(results()[0]).toBe("8080");
    expect(results()[1]).toContain("Guess.");
  });
});
