import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type AgentCapabilities,
  methods,
  RequestError,
  type ToolCallUpdate,
} from "@agentclientprotocol/sdk/unstable";
import { describe, expect, test } from "vitest";
import { type Act, OPTIONS, Play, type PlayOptions, type Scene } from "../../../test/fixtures/acp/play.ts";
import type { Progress, Turn, TurnRequest } from "../../agent/agent.ts";
import { AcpAgent, type AcpAgentOptions } from "./acp-agent.ts";
import type { Quirks } from "./quirks.ts";

const CWD = mkdtempSync(join(tmpdir(), "baton-acp-"));

const QUIRKS: Quirks = {
  ...{ name: "play", package: { name: "play", tried: "1.0.0" }, command: ["play"], env: {}, passes: [] },
  ...{ returns: ["resume", "load"], failures: [], usage: { at: "answer" }, mcpWaitMs: 0 },
};

const EDIT: ToolCallUpdate = {
  ...{ toolCallId: "c1", title: "Write a.txt", kind: "edit" },
  rawInput: { path: join(CWD, "a.txt"), content: "A" },
};

/** An agent on a stage: the play behind it, and what it showed. */
function stage(act: Act, more: Partial<PlayOptions> & { readonly options?: Partial<AcpAgentOptions> } = {}) {
  const play = new Play({ act, ...more });
  const shown: Progress[] = [];
  const limits = { cancelMs: 200, startMs: 2000 };
  const agent = new AcpAgent({ quirks: QUIRKS, connect: play.connect, cwd: CWD, limits, ...more.options });
  const turn = (changes: Partial<TurnRequest> = {}): Promise<Turn> =>
    agent.turn({
      ...{ node: "n", prompt: "Do it.", tools: "coding", idempotencyKey: "r/1/turn:1" },
      ...{ signal: new AbortController().signal, progress: (chunk) => shown.push(chunk) },
      ...changes,
    });
  return { play, agent, turn, shown };
}

function cursorOf(turn: Turn) {
  if (turn.kind === "asks" || turn.cursor === undefined)
    throw new Error(`no cursor: ${JSON.stringify(turn)}`);
  return turn.cursor;
}

const RETURNS: AgentCapabilities = { loadSession: true, sessionCapabilities: { resume: {} } };

describe("a turn", () => {
  test("shows text, thoughts, plans and tools, and ends with what was said after the last tool", async () => {
    const { turn, shown } = stage(async ({ say, show }) => {
      await show({ sessionUpdate: "agent_thought_chunk", content: { type: "text", text: "Hm." } });
      await show({
        sessionUpdate: "plan",
        entries: [{ content: "Look", priority: "low", status: "completed" }],
      });
      await say("I look first.");
      await show({
        sessionUpdate: "tool_call",
        toolCallId: "t",
        title: "Read x",
        kind: "read",
        status: "in_progress",
      });
      await show({ sessionUpdate: "tool_call_update", toolCallId: "t", status: "completed" });
      await say('{"ok":');
      await say("true}");
      return undefined;
    });
    expect(await turn()).toMatchObject({
      kind: "done",
      text: '{"ok":true}',
      cursor: { agent: "play", sessionId: "s1" },
    });
    expect(shown).toEqual([
      { kind: "thought", text: "Hm." },
      { kind: "thought", text: "[x] Look\n" },
      { kind: "text", text: "I look first." },
      { kind: "tool", title: "Read x", status: "running" },
      { kind: "tool", title: "Read x", status: "completed" },
      { kind: "text", text: '{"ok":' },
      { kind: "text", text: "true}" },
    ]);
  });

  test("an update without its call counts, and a call that never closes is closed", async () => {
    const { turn, shown } = stage(async ({ say, show }) => {
      await show({
        sessionUpdate: "tool_call_update",
        toolCallId: "t",
        title: "Late",
        status: "in_progress",
      });
      await say("End.");
      return undefined;
    });
    await turn();
    expect(shown.filter(({ kind }) => kind === "tool")).toEqual([
      { kind: "tool", title: "Late", status: "running" },
      { kind: "tool", title: "Late", status: "failed" },
    ]);
  });

  test("one process serves all sessions, and each has its own folder", async () => {
    const { turn, play } = stage(async ({ say, sessionId }) => void (await say(sessionId)));
    const other = mkdtempSync(join(tmpdir(), "baton-acp-"));
    const turns = await Promise.all([
      turn({ node: "a", idempotencyKey: "a" }),
      turn({ node: "b", idempotencyKey: "b", cwd: other }),
    ]);
    expect(turns.map((one) => one.kind === "done" && one.text)).toEqual(["s1", "s2"]);
    expect(play.starts).toBe(1);
    const cwds = play.requests
      .filter(({ method }) => method === "new")
      .map(({ params }) => (params as { cwd: string }).cwd);
    expect(cwds).toEqual([CWD, other]);
  });

  test("turns of one session come one after the other", async () => {
    let open = 0;
    let most = 0;
    const { turn } = stage(async ({ say }) => {
      most = Math.max(most, ++open);
      await new Promise((resolve) => setTimeout(resolve, 20));
      open--;
      await say("ok");
      return undefined;
    });
    const cursor = cursorOf(await turn());
    await Promise.all(["2", "3", "4"].map((idempotencyKey) => turn({ cursor, idempotencyKey })));
    expect(most).toBe(1);
  });

  test("methods that nobody knows are refused and ignored", async () => {
    const { turn } = stage(async ({ client, say }) => {
      await client.notify("_auth/status_update", {});
      const error = await client.request("craft/drain", {}).catch((thrown: unknown) => thrown);
      await say(String((error as RequestError).code));
      return undefined;
    });
    expect(await turn()).toMatchObject({ kind: "done", text: "-32601" });
  });

  test("an aborted signal starts nothing", async () => {
    const { turn, play } = stage(() => undefined);
    expect(await turn({ signal: AbortSignal.abort() })).toMatchObject({ kind: "failed" });
    expect(play.starts).toBe(0);
  });
});

describe("permissions", () => {
  const asking: Act = async ({ ask, say }) => void (await say(`It was ${await ask(EDIT)}.`));

  test("a turn asks, its prompt stays, and the decision goes to the same prompt, chosen by kind", async () => {
    const { turn, play } = stage(asking);
    expect(await turn()).toMatchObject({
      ...{ kind: "asks", title: "Write a.txt" },
      args: { kind: "edit", paths: ["a.txt"], input: { content: "A" } },
      cursor: { sessionId: "s1" },
    });
    expect(await turn({ approval: { approved: true } })).toMatchObject({
      kind: "done",
      text: "It was allow_once.",
    });
    expect(play.prompts).toEqual(["Do it."]);
  });

  test("taken again without a decision, it asks again", async () => {
    const { turn, play } = stage(asking);
    const asked = await turn();
    expect(await turn()).toEqual(asked);
    expect(play.prompts).toHaveLength(1);
  });

  test("a decision on something else is not applied", async () => {
    const { turn } = stage(asking);
    const asked = await turn();
    const other = { title: "Delete everything", args: {} };
    expect(await turn({ approval: { approved: true, asked: other } })).toEqual(asked);
  });

  test("several requests at once are decided one after the other", async () => {
    const { turn } = stage(async ({ ask, say }) => {
      const calls = ["c1", "c2"].map((toolCallId) => ask({ ...EDIT, toolCallId, title: toolCallId }));
      await say((await Promise.all(calls)).join(" "));
      return undefined;
    });
    expect(await turn()).toMatchObject({ kind: "asks", title: "c1" });
    expect(await turn({ approval: { approved: true } })).toMatchObject({ kind: "asks", title: "c2" });
    expect(await turn({ approval: { approved: false } })).toMatchObject({ text: "allow_once reject_once" });
  });

  test("the diff of the call before the request is part of what is shown", async () => {
    const { turn } = stage(async ({ ask, show }) => {
      const diff = { type: "diff" as const, path: join(CWD, "a.txt"), oldText: "A", newText: "B" };
      await show({
        sessionUpdate: "tool_call",
        toolCallId: "c1",
        title: "Patch",
        kind: "edit",
        content: [diff],
      });
      await ask({ toolCallId: "c1" });
      return undefined;
    });
    const diffs = [{ path: "a.txt", oldText: "A", newText: "B" }];
    expect(await turn()).toMatchObject({ kind: "asks", title: "Patch", args: { diffs, paths: ["a.txt"] } });
  });

  const rows: [string, Partial<TurnRequest>, ToolCallUpdate, string][] = [
    ["what looks is allowed", {}, { ...EDIT, kind: "read" }, "allow_once"],
    ["changing the mode is denied", {}, { ...EDIT, kind: "switch_mode" }, "reject_once"],
    ["a turn without tools may nothing", { tools: "none" }, { ...EDIT, kind: "read" }, "reject_once"],
    ["a turn that only reads may not edit", { tools: "readOnly" }, EDIT, "reject_once"],
    [
      "a custom list leaves out the rest",
      { tools: { type: "custom", tools: ["read"] } },
      EDIT,
      "reject_once",
    ],
    [
      "a turn that writes nothing runs nothing",
      { writes: "none" },
      { ...EDIT, kind: "execute" },
      "reject_once",
    ],
    ["documents only: other files are denied", { writes: "docs" }, EDIT, "reject_once"],
  ];
  test.each(rows)("%s, and nobody is asked", async (_, request, call, chosen) => {
    const { turn } = stage(async ({ ask, say }) => void (await say(await ask(call))));
    expect(await turn(request)).toMatchObject({ kind: "done", text: chosen });
  });

  test("a turn that may write documents asks for one", async () => {
    const { turn } = stage(
      async ({ ask }) => void (await ask({ ...EDIT, rawInput: { path: "docs/plan.md" } })),
    );
    expect(await turn({ writes: "docs" })).toMatchObject({ kind: "asks" });
  });

  test("without an option of the right kind the request is cancelled, never allowed", async () => {
    const { turn } = stage(async ({ ask, say }) => void (await say(await ask(EDIT, OPTIONS.slice(0, 1)))));
    await turn();
    expect(await turn({ approval: { approved: false } })).toMatchObject({ text: "cancelled" });
  });

  test("the policy of an agent changes the default", async () => {
    const { turn } = stage(asking, { options: { policy: { edit: "allow" } } });
    expect(await turn()).toMatchObject({ kind: "done", text: "It was allow_once." });
  });

  test("a tool that the agent calls other is known by its name", async () => {
    const quirks: Quirks = { ...QUIRKS, toolName: ["x", "tool"], kinds: { write: "edit" } };
    const { turn } = stage(
      async ({ ask, show }) => {
        await show({
          sessionUpdate: "tool_call",
          toolCallId: "c",
          title: "w",
          _meta: { x: { tool: "write" } },
        });
        await ask({ toolCallId: "c", kind: "other" });
        return undefined;
      },
      { options: { quirks } },
    );
    expect(await turn()).toMatchObject({ kind: "asks", args: { kind: "edit" } });
  });

  test("an agent that ends over a declined request is told so and goes on", async () => {
    const { turn, play } = stage(async ({ ask, say, turn: count }) => {
      if (count === 1) await ask(EDIT);
      else await say("Then not.");
      return undefined;
    });
    await turn();
    const approval = { approved: false, reason: "Not this file." };
    expect(await turn({ approval })).toMatchObject({ kind: "done", text: "Then not." });
    expect(play.prompts[1]).toContain("Not this file.");
  });

  test("changed arguments are never passed off as a plain yes", async () => {
    const { turn, play } = stage(async ({ ask, say, turn: count }) => {
      await say(count === 1 ? `It was ${await ask(EDIT)}.` : "As you like.");
      return undefined;
    });
    await turn();
    const approval = { approved: true, args: { kind: "edit", input: { content: "B" } } };
    expect(await turn({ approval })).toMatchObject({ kind: "done", text: "As you like." });
    expect(play.prompts[1]).toContain('"content":"B"');
  });

  test("an agent that stops over every request is told so three times, and no more", async () => {
    const { turn, play } = stage(async ({ ask }) => void (await ask(EDIT)), {
      options: { policy: { edit: "deny" } },
    });
    expect(await turn()).toMatchObject({ kind: "done", text: "" });
    expect(play.prompts).toHaveLength(4);
  });

  test("a file is written for the agent only when an edit was allowed, and only inside the folder", async () => {
    const writing = (path: string): Act => {
      return async ({ client, sessionId, ask, say }) => {
        const write = (): Promise<unknown> =>
          client.request(methods.client.fs.writeTextFile, { sessionId, path, content: "A" });
        const before = await write().then(
          () => "written",
          () => "refused",
        );
        await ask(EDIT);
        const after = await write().then(
          () => "written",
          () => "refused",
        );
        await say(`${before}, then ${after}`);
        return undefined;
      };
    };
    const inside = stage(writing(join(CWD, "a.txt")));
    await inside.turn();
    expect(await inside.turn({ approval: { approved: true } })).toMatchObject({
      text: "refused, then written",
    });
    expect(readFileSync(join(CWD, "a.txt"), "utf8")).toBe("A");
    const outside = stage(writing(join(CWD, "..", "a.txt")));
    await outside.turn();
    expect(await outside.turn({ approval: { approved: true } })).toMatchObject({
      text: "refused, then refused",
    });
  });
});

describe("stopping", () => {
  test("a signal cancels the prompt, and the session goes on afterwards", async () => {
    const { turn, play } = stage(async ({ say, cancelled, turn: count }) => {
      await say("Half");
      if (count > 1) return undefined;
      await cancelled;
      return { stopReason: "cancelled" };
    });
    const stop = new AbortController();
    setTimeout(() => stop.abort(), 30);
    const stopped = await turn({ signal: stop.signal });
    expect(stopped).toMatchObject({ kind: "failed", failure: { message: "The turn was stopped." } });
    expect(play.requests.map(({ method }) => method)).toContain("cancel");
    expect(await turn({ cursor: cursorOf(stopped), idempotencyKey: "2" })).toMatchObject({
      kind: "done",
      text: "Half",
    });
    expect(play.starts).toBe(1);
  });

  test("an agent that does not stop is ended", async () => {
    const { turn, play } = stage(() => new Promise(() => {}));
    const stop = new AbortController();
    setTimeout(() => stop.abort(), 20);
    await turn({ signal: stop.signal });
    expect(play.closes).toBe(1);
  });

  test("the next turn of a session cancels an exchange that nobody came back for", async () => {
    const answers: string[] = [];
    const { turn } = stage(async ({ ask, say, turn: count }) => {
      if (count === 1) answers.push(await ask(EDIT));
      else await say("Second.");
      return count === 1 ? { stopReason: "cancelled" } : undefined;
    });
    const asked = await turn();
    const cursor = asked.kind === "asks" ? asked.cursor : undefined;
    expect(await turn({ idempotencyKey: "2", ...(cursor && { cursor }) })).toMatchObject({ text: "Second." });
    expect(answers).toEqual(["cancelled"]);
  });

  test.each([
    ["no sign of life", { idleMs: 40 }],
    ["longer than", { turnMs: 40 }],
  ])("a limit ends the turn: %s", async (message, limits) => {
    const act: Act = async ({ cancelled }) => {
      await cancelled;
      return { stopReason: "cancelled" };
    };
    const { turn } = stage(act, { options: { limits } });
    expect(await turn()).toMatchObject({
      failure: { message: expect.stringContaining(message), retryable: true },
    });
  });

  test("a person's time counts for no limit", async () => {
    const { turn } = stage(async ({ ask, say }) => void (await say(await ask(EDIT))), {
      options: { limits: { idleMs: 40, turnMs: 60 } },
    });
    await turn();
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(await turn({ approval: { approved: true } })).toMatchObject({ kind: "done", text: "allow_once" });
  });
});

describe("crashes and restarts", () => {
  const dying: Act = async ({ turn, prompt, say, die }) => {
    if (prompt === "Die." && turn === 1) die();
    else await say("Back.");
    return undefined;
  };

  test("the end of the process fails the turn, and the next one starts it again", async () => {
    const { turn, play } = stage(dying, { capabilities: RETURNS });
    const crashed = await turn({ prompt: "Die." });
    expect(crashed).toMatchObject({
      ...{ kind: "failed", usage: { costUsd: null }, cursor: { sessionId: "s1" } },
      failure: { code: "agent_failed", retryable: true, message: "The play ended." },
    });
    expect(await turn({ cursor: cursorOf(crashed) })).toMatchObject({
      text: "Back.",
      cursor: { sessionId: "s1" },
    });
    expect(play.starts).toBe(2);
    expect(play.requests.map(({ method }) => method)).toContain("resume");
  });

  const ways: [string, AgentCapabilities, Quirks["returns"], readonly string[]][] = [
    ["resume first", RETURNS, ["resume", "load"], ["resume"]],
    ["load when that is all", { loadSession: true }, ["resume", "load"], ["load"]],
    ["what the record does not trust is not tried", RETURNS, [], ["new"]],
    ["nothing offered: a new one", {}, ["resume", "load"], ["new"]],
  ];
  test.each(ways)("a session comes back: %s", async (_, capabilities, returns, methodsUsed) => {
    const quirks = { ...QUIRKS, returns };
    const { turn, play } = stage(async ({ say }) => void (await say("ok")), {
      capabilities,
      options: { quirks },
    });
    const cursor = { agent: "play", sessionId: "old", cwd: CWD, costUsd: null };
    await turn({ cursor, prompt: "More.", fullPrompt: "Everything." });
    expect(play.requests.map(({ method }) => method).slice(1, -1)).toEqual(methodsUsed);
    expect(play.prompts).toEqual([methodsUsed[0] === "new" ? "Everything." : "More."]);
  });

  test("a session that is gone is replaced by a new one, with the full prompt", async () => {
    const { turn, play } = stage(async ({ say }) => void (await say("ok")), {
      capabilities: RETURNS,
      onReturn: () => {
        throw RequestError.invalidParams(undefined, "Invalid session identifier");
      },
    });
    const cursor = { agent: "play", sessionId: "old", cwd: CWD, costUsd: null };
    expect(await turn({ cursor, fullPrompt: "Everything." })).toMatchObject({ cursor: { sessionId: "s1" } });
    expect(play.prompts).toEqual(["Everything."]);
  });

  test("the history that a load replays is not part of the next turn", async () => {
    const { turn, shown } = stage(async ({ say }) => void (await say("New.")), {
      capabilities: { loadSession: true },
      onReturn: (_, sessionId, client) =>
        client.notify(methods.client.session.update, {
          sessionId,
          update: { sessionUpdate: "agent_message_chunk", content: { type: "text", text: "Old." } },
        }),
    });
    const cursor = { agent: "play", sessionId: "old", cwd: CWD, costUsd: null };
    expect(await turn({ cursor })).toMatchObject({ text: "New." });
    expect(shown).toEqual([{ kind: "text", text: "New." }]);
  });

  test("a cursor of another agent or folder begins a new session", async () => {
    const { turn, play } = stage(async ({ say }) => void (await say("ok")), { capabilities: RETURNS });
    await turn({ cursor: { agent: "other", sessionId: "old", cwd: CWD, costUsd: null } });
    await turn({
      cursor: { agent: "play", sessionId: "old", cwd: "/elsewhere", costUsd: null },
      idempotencyKey: "2",
    });
    expect(play.requests.filter(({ method }) => method === "new")).toHaveLength(2);
  });

  const again: Act = async ({ ask, say }) => void (await say(`It was ${await ask(EDIT)}.`));

  test("a decision outlives the process: it is applied to the same request, once", async () => {
    const first = stage(again, { capabilities: RETURNS });
    const asked = await first.turn();
    if (asked.kind !== "asks") throw new Error("It did not ask.");
    await first.agent.close();
    const second = stage(
      async ({ ask, say }) => {
        await say(await ask(EDIT));
        await ask({ ...EDIT, toolCallId: "c2" });
        return undefined;
      },
      { capabilities: RETURNS },
    );
    const approval = { approved: true, asked: { title: asked.title, args: asked.args } };
    const next = await second.turn({ approval, ...(asked.cursor && { cursor: asked.cursor }) });
    expect(next).toMatchObject({ kind: "asks", title: "Write a.txt" });
    expect(second.shown).toContainEqual({ kind: "text", text: "allow_once" });
    expect(second.play.requests.map(({ method }) => method)).toContain("resume");
  });

  test("another request than the one decided on is asked about again", async () => {
    const { turn } = stage(again, { capabilities: RETURNS });
    const approval = {
      approved: true,
      asked: { title: "Write a.txt", args: { kind: "edit", input: "other" } },
    };
    expect(await turn({ approval })).toMatchObject({ kind: "asks" });
  });

  test("the same process remembers what was asked, also when nobody says it", async () => {
    let scene: Scene | undefined;
    const { turn } = stage(
      async (now) => {
        scene = now;
        return again(now);
      },
      { capabilities: RETURNS },
    );
    await turn();
    scene?.die();
    expect(await turn({ approval: { approved: true } })).toMatchObject({
      kind: "done",
      text: "It was allow_once.",
    });
  });
});

test("a process that dies under a decision before it heard it gets it again in the next one", async () => {
  let deaths = 0;
  const { turn, play } = stage(
    async ({ ask, say, die }) => {
      const chosen = ask(EDIT);
      if (deaths++ === 0) setTimeout(die, 30);
      await say(`It was ${await chosen}.`);
      return deaths === 1 ? new Promise(() => {}) : undefined;
    },
    { capabilities: RETURNS },
  );
  await turn();
  await expect.poll(() => deaths).toBe(1);
  await new Promise((resolve) => setTimeout(resolve, 60));
  expect(await turn({ approval: { approved: true } })).toMatchObject({
    kind: "done",
    text: "It was allow_once.",
  });
  expect(play.starts).toBe(2);
});

describe("failures and costs", () => {
  test.each<[string, Act, Partial<Quirks>, object]>([
    [
      "an error of the protocol",
      () => Promise.reject(RequestError.internalError({ details: "HTTP 400" })),
      {},
      { code: "agent_failed", retryable: true, message: expect.stringContaining("HTTP 400") },
    ],
    [
      "nobody logged in",
      () => Promise.reject(RequestError.authRequired()),
      {},
      { code: "agent_failed", retryable: false, message: expect.stringContaining("not logged in") },
    ],
    ["a refusal", () => ({ stopReason: "refusal" }), {}, { code: "agent_refused" }],
    ["no room left", () => ({ stopReason: "max_tokens" }), {}, { code: "agent_failed" }],
    ["no requests left", () => ({ stopReason: "max_turn_requests" }), {}, { code: "agent_failed" }],
    [
      "cancelled by nobody",
      () => ({ stopReason: "cancelled" }),
      {},
      { code: "agent_failed", retryable: true },
    ],
    [
      "an error told as text",
      async ({ say }) => void (await say("Ran into this error: 400")),
      { failures: [{ kind: "text", begins: "Ran into this error:" }] },
      { code: "agent_failed", message: expect.stringContaining("400") },
    ],
    [
      "an error told apart",
      () => ({
        stopReason: "end_turn",
        _meta: { jetbrains: { air: { sessionFailure: { title: "Bad key" } } } },
      }),
      { failures: [{ kind: "meta", path: ["jetbrains", "air", "sessionFailure"] }] },
      { code: "agent_failed", message: expect.stringContaining("Bad key") },
    ],
    ["silence", () => undefined, { failures: [{ kind: "silence" }] }, { code: "agent_failed" }],
  ])("%s is a failure", async (_, act, quirks, failure) => {
    const { turn } = stage(act, { options: { quirks: { ...QUIRKS, ...quirks } } });
    expect(await turn()).toMatchObject({ kind: "failed", failure });
  });

  test("an agent that speaks another version, or does not start, fails the turn, and the next one tries again", async () => {
    let version = 2;
    const { turn, play } = stage(async ({ say }) => void (await say("ok")), {
      initialize: () => ({ protocolVersion: version }),
    });
    expect(await turn()).toMatchObject({
      kind: "failed",
      failure: { message: expect.stringContaining("version 2") },
    });
    version = 1;
    expect(await turn()).toMatchObject({ kind: "done" });
    expect(play.starts).toBe(2);
  });

  test("tokens and the cost of each turn are told; unknown stays unknown", async () => {
    let total = 0;
    const { turn } = stage(async ({ show, say }) => {
      await say("ok");
      total += 0.25;
      await show({
        sessionUpdate: "usage_update",
        used: 1,
        size: 2,
        cost: { amount: total, currency: "USD" },
      });
      return { stopReason: "end_turn", usage: { totalTokens: 7, inputTokens: 5, outputTokens: 2 } };
    });
    const first = await turn();
    expect(first).toMatchObject({ usage: { tokens: 7, costUsd: 0.25 }, cursor: { costUsd: 0.25 } });
    const second = await turn({ cursor: cursorOf(first), idempotencyKey: "2" });
    expect(second).toMatchObject({ usage: { costUsd: 0.25 }, cursor: { costUsd: 0.5 } });
    const silent = stage(async ({ say }) => void (await say("ok")));
    expect(await silent.turn()).toMatchObject({ usage: { tokens: 0, costUsd: null } });
  });

  test.each<[string, Quirks["usage"], Act]>([
    [
      "in the meta of the answer",
      { at: "answer_meta", path: ["quota", "token_count"] },
      () => ({
        stopReason: "end_turn",
        _meta: { quota: { token_count: { input_tokens: 5, output_tokens: 2 } } },
      }),
    ],
    [
      "in the meta of a chunk",
      { at: "chunk_meta", path: ["usage"] },
      async ({ show }) => {
        const content = { type: "text" as const, text: "" };
        await show({ sessionUpdate: "agent_message_chunk", content, _meta: { usage: { totalTokens: 7 } } });
        return undefined;
      },
    ],
  ])("tokens are found %s", async (_, usage, act) => {
    const { turn } = stage(act, { options: { quirks: { ...QUIRKS, usage } } });
    expect(await turn()).toMatchObject({ usage: { tokens: 7, costUsd: null } });
  });

  test("a model is chosen in the session, and one that it does not offer is refused", async () => {
    const { turn, play } = stage(async ({ say }) => void (await say("ok")));
    expect(await turn({ model: "large" })).toMatchObject({ kind: "done" });
    expect(play.requests).toContainEqual({
      method: "set",
      params: { sessionId: "s1", configId: "m", value: "large" },
    });
    const message = expect.stringContaining("It offers: small, large.");
    expect(await turn({ model: "huge", idempotencyKey: "2" })).toMatchObject({ failure: { message } });
  });
});
