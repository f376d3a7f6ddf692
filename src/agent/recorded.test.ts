import { describe, expect, test } from "vitest";
import type { Agent, Progress, Turn, TurnRequest } from "./agent.ts";
import { RecordedAgent, RecordingAgent, type TapeEntry } from "./recorded.ts";

const USAGE = { tokens: 3, costUsd: null };

function request(prompt: string, more: Partial<TurnRequest> = {}): TurnRequest {
  return {
    ...{ node: "a", prompt, tools: "none", idempotencyKey: "k", progress: () => {} },
    ...{ signal: new AbortController().signal, ...more },
  };
}

/** Asks twice about a prompt that says so, and counts its turns. */
function real(): Agent {
  let asked = 0;
  let turns = 0;
  return {
    session: ({ node }) => node,
    async turn({ prompt, progress }) {
      progress({ kind: "text", text: `On ${prompt}` });
      if (prompt === "Ask." && asked++ < 2) return { kind: "asks", title: `Q${asked}`, args: {} };
      return { kind: "done", text: `Turn ${++turns}`, usage: USAGE, cursor: { session: "s" } };
    },
  };
}

async function recorded(...prompts: readonly string[]): Promise<readonly TapeEntry[]> {
  const tape: TapeEntry[] = [];
  const agent = new RecordingAgent(real(), (entry) => tape.push(structuredClone(entry)));
  for (const prompt of prompts) {
    let turn = await agent.turn(request(prompt));
    while (turn.kind === "asks") {
      const { title, args } = turn;
      turn = await agent.turn(request(prompt, { approval: { approved: true, asked: { title, args } } }));
    }
  }
  return tape;
}

function player(tape: readonly TapeEntry[]): RecordedAgent {
  return new RecordedAgent({ tape, digest: "tape" });
}

describe("a tape", () => {
  test("plays back turn for turn, with what was shown and what it cost", async () => {
    const tape = await recorded("One.", "Two.");
    const agent = player(tape);
    const shown: Progress[] = [];
    const first = await agent.turn(request("One.", { progress: (chunk) => shown.push(chunk) }));
    expect(first).toMatchObject({ kind: "done", text: "Turn 1", usage: USAGE });
    expect(shown).toEqual([{ kind: "text", text: "On One." }]);
    expect(await agent.turn(request("Two.", { cursor: cursorOf(first) }))).toMatchObject({ text: "Turn 2" });
  });

  test("goes on from its cursor in another process (2)", async () => {
    const tape = await recorded("One.", "Two.");
    const cursor = cursorOf(await player(tape).turn(request("One.")));
    expect(await player(tape).turn(request("Two.", { cursor }))).toMatchObject({ text: "Turn 2" });
    const other = new RecordedAgent({ tape, digest: "another" });
    expect(await other.turn(request("One.", { cursor }))).toMatchObject({ text: "Turn 1" });
  });

  test("asks what was asked, and each decision leads on from its question, in any process", async () => {
    const tape = await recorded("Ask.");
    expect(await player(tape).turn(request("Ask."))).toMatchObject({ kind: "asks", title: "Q1" });
    const approval = (title: string) => ({ approved: true, asked: { title, args: {} } });
    const second = await player(tape).turn(request("Ask.", { approval: approval("Q1") }));
    expect(second).toMatchObject({ kind: "asks", title: "Q2" });
    const third = await player(tape).turn(request("Ask.", { approval: approval("Q2") }));
    expect(third).toMatchObject({ kind: "done", text: "Turn 1" });
  });

  test("the first prompt that differs fails, and the line is shown (3)", async () => {
    const agent = player(await recorded("Same.\nOld line.\nRest."));
    expect(await agent.turn(request("Same.\nNew line.\nRest."))).toMatchObject({
      kind: "failed",
      failure: {
        code: "script_exhausted",
        message: expect.stringContaining("line 2 on.\n- Old line.\n+ New line."),
      },
    });
    expect(await agent.turn(request("Same.\nOld line.\nRest.\nMore."))).toMatchObject({
      failure: { message: expect.stringContaining("line 4 on.\n- (it ended here)\n+ More.") },
    });
  });

  test("another decision, or a turn too many, fails too (3)", async () => {
    const agent = player(await recorded("Ask."));
    const denied = await agent.turn(request("Ask.", { approval: { approved: false } }));
    expect(denied).toMatchObject({ failure: { message: expect.stringContaining("The decision differs.") } });
    const end = await agent.turn(request("Ask.", { cursor: { tape: "tape", taken: 3 } }));
    expect(end).toMatchObject({ failure: { message: expect.stringContaining("this would be another one") } });
  });
});

function cursorOf(turn: Turn) {
  if (turn.kind !== "done") throw new Error(JSON.stringify(turn));
  return turn.cursor;
}

test("a recording agent says of writing what the real one says", () => {
  const real = (mayWrite?: boolean): Agent => ({
    session: ({ node }) => node,
    turn: () => Promise.reject(new Error("Nobody asked.")),
    ...(mayWrite !== undefined && { mayWrite: () => mayWrite }),
  });
  const says = [real(true), real(false), real()].map((agent) => new RecordingAgent(agent, () => {}));
  expect(says.map((agent) => agent.mayWrite({ node: "n" }))).toEqual([true, false, true]);
});
