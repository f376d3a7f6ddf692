import { describe, expect, test } from "vitest";
import type { Json } from "../base/json.ts";
import type { Progress, Turn, TurnRequest } from "./agent.ts";
import { parseScript } from "./script.ts";
import { ScriptedAgent } from "./scripted.ts";

/** An agent with what it did to the world. */
function scripted(json: Json, { digest = "d1", folder = true } = {}) {
  const parsed = parseScript(json);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.issues));
  const written: [string, string][] = [];
  const slept: number[] = [];
  const write = async (path: string, content: string): Promise<void> => {
    if (path.startsWith("..")) throw new Error("It leaves the folder.");
    written.push([path, content]);
  };
  const sleep = async (milliseconds: number): Promise<void> => {
    slept.push(milliseconds);
  };
  const workspace = folder ? { workspace: { root: "/w", write } } : {};
  const agent = new ScriptedAgent({ script: parsed.script, digest, sleep, ...workspace });
  return { agent, written, slept };
}

function request(more: Partial<TurnRequest> = {}): TurnRequest {
  const base = { node: "a", prompt: "", tools: "none", idempotencyKey: "k", progress: () => {} } as const;
  return { ...base, signal: new AbortController().signal, ...more };
}

async function play(agent: ScriptedAgent, turns: number, more: Partial<TurnRequest> = {}): Promise<Turn[]> {
  const played: Turn[] = [];
  let cursor = more.cursor;
  for (let turn = 0; turn < turns; turn++) {
    const outcome = await agent.turn(request({ ...more, ...(cursor !== undefined && { cursor }) }));
    if (outcome.kind !== "asks") cursor = outcome.cursor ?? cursor;
    played.push(outcome);
  }
  return played;
}

const texts = (turns: readonly Turn[]) =>
  turns.map((turn) =>
    turn.kind === "done" ? turn.text : turn.kind === "failed" ? turn.failure.code : "asks",
  );

describe("work on an item", () => {
  test("has the list of its item, where there is one", () => {
    const { agent } = scripted({ "Socket-1": ["any"], "Socket-1@WI-2": ["second"], Build: ["by role"] });
    const session = (item: string) => agent.session({ node: "Socket-1", role: "Build", item });
    expect([session("WI-1"), session("WI-2")]).toEqual(["Socket-1", "Socket-1@WI-2"]);
  });
});

describe("a turn in a folder of its own", () => {
  const json = { a: [{ $: "turn", text: "ok", write: { path: "x", content: "y" } }] };

  test("writes there, and not to the usual one", async () => {
    const parsed = parseScript(json);
    if (!parsed.ok) throw new Error("the script is fine");
    const written: string[] = [];
    const at = (root: string) => ({
      root,
      write: async (path: string) => void written.push(`${root}/${path}`),
    });
    const sleep = async (): Promise<void> => {};
    const options = { script: parsed.script, digest: "d", sleep, workspace: at("/w") };
    const agent = new ScriptedAgent({ ...options, workspaceAt: at });
    expect(await agent.turn(request({ cwd: "/lane" }))).toMatchObject({ kind: "done" });
    expect(written).toEqual(["/lane/x"]);
  });

  test("fails when nothing can write there", async () => {
    const { agent, written } = scripted(json);
    expect(await agent.turn(request({ cwd: "/lane" }))).toMatchObject({ kind: "failed" });
    expect(written).toEqual([]);
  });
});

describe("the list that applies", () => {
  const { agent } = scripted({ "Socket-1": ["by node"], Build: ["by role"] });
  test.each([
    ["Socket-1", "Build", "Socket-1"],
    ["Socket-2", "Build", "Build"],
    ["Socket-2", "Plan", "Socket-2"],
    ["Socket-2", undefined, "Socket-2"],
  ])("node %s with role %s has the session %s", (node, role, session) => {
    expect(agent.session({ node, ...(role !== undefined && { role }) })).toBe(session);
  });
});

describe("the place in the list", () => {
  test("each turn takes one output, and the list runs out with a clear failure", async () => {
    const turns = await play(scripted({ a: ["one", "two"] }).agent, 3);
    expect(texts(turns)).toEqual(["one", "two", "script_exhausted"]);
    expect(turns[2]).toMatchObject({
      failure: { message: expect.stringMatching(/"a" has 2 outputs and this is turn 3/), retryable: false },
    });
  });

  test("a turn that was not recorded is played again", async () => {
    const { agent } = scripted({ a: ["one", "two"] });
    expect(texts([await agent.turn(request()), await agent.turn(request())])).toEqual(["one", "one"]);
  });

  test("a list that repeats starts again", async () => {
    const { agent } = scripted({ a: { outputs: ["one", "two"], repeat: true } });
    expect(texts(await play(agent, 5))).toEqual(["one", "two", "one", "two", "one"]);
  });

  test("an empty list has nothing to repeat", async () => {
    const { agent } = scripted({ a: { outputs: [], repeat: true } });
    expect(texts(await play(agent, 1))).toEqual(["script_exhausted"]);
  });

  test("another script starts at its beginning, the same one goes on", async () => {
    const cursor = { script: "d1", taken: 1 };
    const json = { a: ["one", "two"] };
    expect(texts(await play(scripted(json).agent, 1, { cursor }))).toEqual(["two"]);
    expect(texts(await play(scripted(json, { digest: "d2" }).agent, 1, { cursor }))).toEqual(["one"]);
  });

  test("a missing list says which names were looked up, and which one may have been meant", async () => {
    const [turn] = await play(scripted({ coder: ["x"] }).agent, 1, { node: "codr", role: "dev" });
    expect(turn).toMatchObject({
      failure: { code: "script_exhausted", message: expect.stringMatching(/"codr" or "dev".*"coder"/) },
    });
  });
});

describe("steering", () => {
  test("a turn sends, finishes, costs and takes its time", async () => {
    const sends = [{ to: "b", message: "m", structured: { n: 1 } }];
    const finish = { ok: true, summary: "s" };
    const usage = { tokens: 9, costUsd: null };
    const { agent, slept } = scripted({
      a: [{ $: "turn", text: "t", sends, finish, usage, delayMs: 5 }, "free"],
    });
    const [first, second] = await play(agent, 2);
    const cursor = { script: "d1", taken: 1 };
    expect(first).toEqual({ kind: "done", text: "t", sends, finish, usage, cursor });
    expect(slept).toEqual([5]);
    expect(second).toMatchObject({ usage: { tokens: 0, costUsd: 0 } });
  });

  test("a turn that fails has taken its output and what it cost", async () => {
    const { agent } = scripted({ a: [{ $: "turn", fail: "broken", usage: { tokens: 3 } }, "two"] });
    const [first, second] = await play(agent, 2);
    expect(first).toMatchObject({
      failure: { code: "agent_failed", message: "broken", retryable: false, at: "a" },
      usage: { tokens: 3 },
    });
    expect(second).toMatchObject({ kind: "done", text: "two" });
  });

  test("a turn that is stopped while it waits does nothing and has taken its output", async () => {
    const write = { path: "p", content: "c" };
    const parsed = parseScript({ a: [{ $: "turn", text: "half", delayMs: 60_000, write }] });
    if (!parsed.ok) throw new Error("the script is sound");
    const stop = new AbortController();
    const shown: Progress[] = [];
    const agent = new ScriptedAgent({
      script: parsed.script,
      digest: "d",
      sleep: async () => stop.abort(),
    });
    const turn = await agent.turn(
      request({ signal: stop.signal, progress: (chunk) => void shown.push(chunk) }),
    );
    expect(turn).toMatchObject({
      failure: { message: "The turn was stopped." },
      cursor: { script: "d", taken: 1 },
    });
    expect(shown).toEqual([{ kind: "text", text: "half" }]);
  });

  test("a write that is refused, or that has no folder, fails the turn with the reason", async () => {
    const write = [
      { path: "ok", content: "1" },
      { path: "../x", content: "2" },
    ];
    const json = { a: [{ $: "turn", write }] };
    const inside = scripted(json);
    expect(await play(inside.agent, 1)).toMatchObject([
      {
        failure: { code: "agent_failed", message: "The script could not write ../x. It leaves the folder." },
      },
    ]);
    expect(inside.written).toEqual([["ok", "1"]]);
    const without = scripted(json, { folder: false });
    expect(await play(without.agent, 1)).toMatchObject([
      { failure: { message: expect.stringContaining("no working folder") } },
    ]);
  });
});

describe("asking", () => {
  const ask = { title: "Write?", args: { path: "a.md", why: "because" } };
  const write = { path: "a.md", content: "A" };
  const sends = [{ to: "b", message: "m" }];
  const json = {
    a: [{ $: "turn", text: "end", delayMs: 5, ask, write, sends, finish: { ok: true, summary: "" } }],
  };

  test("it waits for its approval and does nothing else", async () => {
    const { agent, written } = scripted(json);
    expect(await agent.turn(request())).toEqual({ kind: "asks", ...ask });
    expect(written).toEqual([]);
  });

  test("approved, it writes and sends, and does not take its time again", async () => {
    const { agent, written, slept } = scripted(json);
    const turn = await agent.turn(request({ approval: { approved: true, args: ask.args } }));
    expect(turn).toMatchObject({ kind: "done", text: "end", sends, cursor: { taken: 1 } });
    expect(written).toEqual([["a.md", "A"]]);
    expect(slept).toEqual([]);
  });

  test("denied, it does neither, claims no end and ends with its text", async () => {
    const { agent, written } = scripted(json);
    const turn = await agent.turn(request({ approval: { approved: false, reason: "no" } }));
    const usage = { tokens: 0, costUsd: 0 };
    expect(turn).toEqual({ kind: "done", text: "end", usage, cursor: { script: "d1", taken: 1 } });
    expect(written).toEqual([]);
  });

  test.each<[args: Json, path: string, content: string, to: string]>([
    [{ content: "B" }, "a.md", "B", "b"],
    [{ path: "b.md", content: "B", why: "x" }, "b.md", "B", "b"],
    [{ path: "a.md", to: "c" }, "a.md", "A", "c"],
    [{ content: 1, path: null }, "a.md", "A", "b"],
    ["go on", "a.md", "A", "b"],
  ])("edited to %j, it writes %s with %s and sends to %s", async (args, path, content, to) => {
    const { agent, written } = scripted(json);
    const turn = await agent.turn(request({ approval: { approved: true, args } }));
    expect(written).toEqual([[path, content]]);
    expect(turn).toMatchObject({ sends: [{ to, message: "m" }] });
  });

  test("arguments that nobody changed change nothing, also where the script shows others than it uses", async () => {
    const shown = { path: "shown", content: "shown" };
    const { agent, written } = scripted({ a: [{ $: "turn", ask: { title: "?", args: shown }, write }] });
    await agent.turn(request({ approval: { approved: true, args: shown } }));
    expect(written).toEqual([["a.md", "A"]]);
  });
});

describe("what a turn may write (5)", () => {
  const script = {
    a: {
      outputs: [
        {
          $: "turn",
          text: "x",
          write: [
            { path: "docs/a", content: "1" },
            { path: "b", content: "2" },
          ],
        },
      ],
      repeat: true,
    },
    b: ["only talks"],
  };

  test.each([
    ["all", undefined, 2],
    ["docs", "The script writes b, and this turn may only write documents.", 0],
    ["none", "The script writes docs/a, and this turn may only look.", 0],
  ] as const)("%s", async (writes, why, files) => {
    const { agent, written } = scripted(script);
    const turn = await agent.turn(request({ writes }));
    expect(turn.kind === "failed" ? turn.failure.message : undefined).toBe(why);
    expect(written).toHaveLength(files);
  });

  test("a session says whether it ever writes", () => {
    const { agent } = scripted(script);
    expect(["a", "b", "c"].map((node) => agent.mayWrite({ node }))).toEqual([true, false, false]);
  });
});
