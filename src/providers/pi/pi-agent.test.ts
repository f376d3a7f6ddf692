/** pi's protocol, spoken by a fake in this process: what it says, what it asks, how it fails, and how it comes back. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { FakePi, type Play } from "../../../test/fixtures/pi/fake-pi.ts";
import type { Progress, Turn, TurnRequest } from "../../agent/agent.ts";
import type { Json, JsonObject } from "../../base/json.ts";
import { PiAgent, type PiAgentOptions } from "./pi-agent.ts";

const cwd = mkdtempSync(join(tmpdir(), "baton-pi-"));
afterAll(() => rmSync(cwd, { recursive: true, force: true }));

let fakes: FakePi[] = [];
let shown: Progress[] = [];
beforeEach(() => {
  fakes = [];
  shown = [];
});

function agentOf(play: Play, more: Partial<PiAgentOptions> = {}): PiAgent {
  return new PiAgent({
    cwd,
    connect: async (start) => {
      const fake = new FakePi(play, start, join(cwd, `${fakes.length}.jsonl`));
      fakes.push(fake);
      return fake;
    },
    ...more,
  });
}

const later = (act: () => Promise<void>): Promise<void> =>
  new Promise<void>((resolve) => setTimeout(resolve)).then(act);

const asking = (more: Partial<TurnRequest> = {}): TurnRequest => ({
  ...{ node: "n", prompt: "Do it.", tools: "coding", idempotencyKey: "1" },
  ...{ signal: new AbortController().signal, progress: (chunk) => shown.push(chunk) },
  ...more,
});

function asksIn(turn: Turn) {
  if (turn.kind !== "asks") throw new Error(JSON.stringify(turn));
  return turn;
}

describe("a turn", () => {
  test("shows what pi shows, and knows its cost", async () => {
    const turn = await agentOf((pi) => {
      pi.say({ type: "tool_execution_start", toolCallId: "a", toolName: "read", args: { path: "x" } });
      pi.say({ type: "tool_execution_end", toolCallId: "a", toolName: "read", isError: false });
      pi.answer("First.");
      pi.answer("Last.");
    }).turn(asking());
    expect(turn).toMatchObject({ kind: "done", text: "Last.", usage: { tokens: 30, costUsd: 0.5 } });
    expect(shown.slice(0, 2)).toEqual([
      { kind: "tool", title: "read x", status: "running" },
      { kind: "tool", title: "read x", status: "completed" },
    ]);
  });

  test("goes on while pi tries again by itself (exchange 1)", async () => {
    const turn = await agentOf(async (pi) => {
      pi.answer("", { stopReason: "error", errorMessage: "529" });
      pi.say({ type: "agent_end", messages: [], willRetry: true });
      await Promise.resolve();
      pi.answer("At last.");
    }).turn(asking());
    expect(turn).toMatchObject({ kind: "done", text: "At last." });
  });

  test.each([
    [{ stopReason: "error", errorMessage: "No such thing." }, "No such thing."],
    [{ stopReason: "length" }, "say no more in one answer"],
  ])("that ended with %j failed", async (more, message) => {
    const turn = await agentOf((pi) => pi.answer("", more)).turn(asking());
    expect(turn).toMatchObject({ kind: "failed", failure: { message: expect.stringContaining(message) } });
  });

  test("sets the model and how it thinks; what pi refuses is the failure", async () => {
    const agent = agentOf((pi) => pi.answer("."), { provider: "ours" });
    await agent.turn(asking({ model: "big", thinking: "high" }));
    expect(fakes[0]?.heard).toContainEqual(
      expect.objectContaining({ type: "set_model", provider: "ours", modelId: "big" }),
    );
    expect(fakes[0]?.heard).toContainEqual(
      expect.objectContaining({ type: "set_thinking_level", level: "high" }),
    );
    const none = await agent.turn(asking({ model: "other/none" }));
    expect(none).toMatchObject({ kind: "failed", failure: { message: "Model not found." } });
  });

  test("that begins like a command is none", async () => {
    await agentOf((pi) => pi.answer(".")).turn(asking({ prompt: "/quit now" }));
    expect(fakes[0]?.heard).toContainEqual(
      expect.objectContaining({ type: "prompt", message: "\n/quit now" }),
    );
  });
});

describe("a call of a tool", () => {
  const calls =
    (...list: [string, Record<string, unknown>][]): Play =>
    async (pi) => {
      const results: Json[] = [];
      for (const [tool, input] of list) results.push(await pi.call(tool, input));
      pi.answer(JSON.stringify(results));
    };
  const write = { path: join(cwd, "a.txt"), content: "a" };

  test("that looks needs nobody, and one that the turn may not make is refused", async () => {
    const play = calls(["read", { path: "a" }], ["bash", { command: "id" }]);
    const turn = await agentOf(play).turn(asking({ tools: "readOnly" }));
    expect(turn).toMatchObject({ text: '[{"path":"a"},"This turn may not do that."]' });
  });

  test("waits for a person: approved, changed, denied", async () => {
    const agent = agentOf(
      calls(["write", { ...write }], ["write", { ...write }], ["bash", { command: "id" }]),
    );
    const first = asksIn(await agent.turn(asking()));
    expect(first).toMatchObject({
      title: "write a.txt",
      args: { kind: "edit", paths: ["a.txt"], input: write },
    });
    const second = asksIn(await agent.turn(asking({ approval: { approved: true, asked: first } })));
    const args = { input: { path: "b.txt", content: "b" } };
    const third = asksIn(await agent.turn(asking({ approval: { approved: true, asked: second, args } })));
    expect(third).toMatchObject({ title: "bash id", args: { kind: "execute" } });
    const denied = { approved: false, asked: third, reason: "Not here." };
    const done = await agent.turn(asking({ approval: denied }));
    expect(done).toMatchObject({
      kind: "done",
      text: expect.stringContaining('{"path":"b.txt","content":"b"}'),
    });
    expect(JSON.stringify(done)).toContain("A person declined this and says: Not here.");
    expect(fakes).toHaveLength(1);
  });

  test("is asked again by another process; the decision counts for what the person was shown (2)", async () => {
    const agent = agentOf(calls(["write", { ...write }]));
    const asked = asksIn(await agent.turn(asking()));
    await fakes[0]?.close();
    const other = { ...asked, args: { kind: "edit" } };
    const again = asksIn(await agent.turn(asking({ approval: { approved: true, asked: other } })));
    expect(fakes[1]?.start.session).toBe(fakes[0]?.file);
    await fakes[1]?.close();
    const done = await agent.turn(
      asking({ cursor: again.cursor ?? null, approval: { approved: true, asked: again } }),
    );
    expect(done).toMatchObject({ kind: "done", text: JSON.stringify([write]) });
  });
});

describe("a dialog of another extension", () => {
  const rows: [request: JsonObject, approval: { approved: boolean; args?: Json }, answer: JsonObject][] = [
    [{ method: "confirm", title: "Sure?", message: "All?" }, { approved: true }, { confirmed: true }],
    [{ method: "confirm", title: "Sure?" }, { approved: false }, { confirmed: false }],
    [
      { method: "select", title: "Which?", options: ["a", "b"] },
      { approved: true, args: { value: "b" } },
      { value: "b" },
    ],
    [{ method: "select", title: "Which?", options: ["a", "b"] }, { approved: true }, { value: "a" }],
    [{ method: "input", title: "Name?" }, { approved: true, args: "me" }, { value: "me" }],
    [{ method: "editor", title: "Edit", prefill: "x" }, { approved: false }, { cancelled: true }],
  ];
  test.each(rows)("%j, decided %j, is answered with %j", async (request, approval, answer) => {
    let answered: JsonObject = {};
    const agent = agentOf(async (pi) => {
      pi.say({ type: "extension_ui_request", id: "told", method: "notify", message: "Just so." });
      answered = await pi.dialog(request);
      pi.answer("Done.");
    });
    const asked = asksIn(await agent.turn(asking()));
    expect(asked.title).toBe(request["title"]);
    expect(await agent.turn(asking({ approval: { ...approval, asked } }))).toMatchObject({ kind: "done" });
    expect(answered).toMatchObject(answer);
  });
});

test("two turns of one session take it one after the other (1)", async () => {
  let running = 0;
  let most = 0;
  const agent = agentOf(async (pi, prompt) => {
    most = Math.max(most, ++running);
    await later(async () => {});
    pi.answer(prompt);
    running--;
  });
  const cursor = (await agent.turn(asking())).cursor ?? null;
  const turns = await Promise.all(
    ["a", "b"].map((prompt) => agent.turn(asking({ prompt, cursor, idempotencyKey: prompt }))),
  );
  expect(turns.map((turn) => turn.kind === "done" && turn.text)).toEqual(["a", "b"]);
  expect([most, fakes.length]).toEqual([1, 1]);
});

describe("an end", () => {
  const hanging: Play = (pi) =>
    new Promise((resolve) => {
      pi.aborted = resolve;
      pi.say({ type: "message_update", assistantMessageEvent: { type: "text_delta", delta: "So" } });
    });

  test("when the turn is stopped: pi is told, and lives", async () => {
    const stop = new AbortController();
    const agent = agentOf(hanging);
    const turn = await agent.turn(asking({ signal: stop.signal, progress: () => stop.abort() }));
    expect(turn).toMatchObject({ kind: "failed", failure: { message: "The turn was stopped." } });
    expect(fakes[0]?.heard).toContainEqual(expect.objectContaining({ type: "abort" }));
    expect(fakes[0]?.isOpen).toBe(true);
  });

  test("of one that does not stop is forced", async () => {
    const agent = agentOf(() => new Promise(() => {}), { limits: { idleMs: 30, cancelMs: 30 } });
    const turn = await agent.turn(asking());
    expect(turn).toMatchObject({
      failure: { retryable: true, message: "pi showed no sign of life for 0.03 s." },
    });
    expect(fakes[0]?.isOpen).toBe(false);
  });

  test("of a turn that takes too long, or above its budget", async () => {
    const late = await agentOf(hanging, { limits: { turnMs: 30 } }).turn(asking());
    expect(late).toMatchObject({ failure: { message: "pi took longer than 0.03 s for its turn." } });
    const greedy = agentOf(
      (pi) => {
        pi.answer("Much.");
        return hanging(pi, "");
      },
      { limits: { tokens: 10 } },
    );
    expect(await greedy.turn(asking())).toMatchObject({
      failure: { code: "step_limit", message: "The turn took 15 tokens, and its budget is 10." },
    });
  });

  test("of its process fails the turn; the next one starts another and has the history", async () => {
    let plays = 0;
    const agent = agentOf((pi) => (plays++ === 0 ? later(() => pi.close()) : pi.answer("Back.")));
    const dead = await agent.turn(asking());
    expect(dead).toMatchObject({
      kind: "failed",
      failure: { message: "pi ended (code 1).", retryable: true },
    });
    const next = asking({ idempotencyKey: "2", cursor: dead.cursor ?? null, fullPrompt: "All." });
    expect(await agent.turn(next)).toMatchObject({ kind: "done", text: "Back." });
    expect(fakes[1]?.start.session).toBe(fakes[0]?.file);
    expect(fakes[1]?.heard).toContainEqual(expect.objectContaining({ type: "prompt", message: "Do it." }));
  });

  test("of its file means the full prompt (3)", async () => {
    const agent = agentOf((pi) => pi.answer("."));
    const cursor = { agent: "pi", file: join(cwd, "gone.jsonl"), cwd };
    await agent.turn(asking({ cursor, fullPrompt: "All of it." }));
    expect(fakes[0]?.start.session).toBeUndefined();
    expect(fakes[0]?.heard).toContainEqual(expect.objectContaining({ message: "All of it." }));
  });
});
