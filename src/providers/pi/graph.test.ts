/** pi in a graph: its model finds the tools of the turn, and what it calls is the turn's, whatever becomes of its process. */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { FakePi, type Play } from "../../../test/fixtures/pi/fake-pi.ts";
import type { SendVerdict, StagedSend, Turn, TurnRequest } from "../../agent/agent.ts";
import { PiAgent, type PiAgentOptions } from "./pi-agent.ts";

const cwd = mkdtempSync(join(tmpdir(), "baton-pi-graph-"));
afterAll(() => rmSync(cwd, { recursive: true, force: true }));

let fakes: FakePi[] = [];
let sent: string[] = [];
beforeEach(() => {
  fakes = [];
  sent = [];
});

function agentOf(play: Play, more: Partial<PiAgentOptions> = {}): PiAgent {
  return new PiAgent({
    cwd,
    connect: async (start) => {
      const fake = new FakePi(play, start, join(cwd, `${Math.random()}.jsonl`));
      fakes.push(fake);
      return fake;
    },
    ...more,
  });
}

const sending =
  (when = ""): ((staged: StagedSend) => SendVerdict) =>
  ({ to, message }) => {
    if (to !== "worker") return { ok: false, code: "no_edge", message: "No edge leads there." };
    sent.push(`${when}${message}`);
    return { ok: true };
  };

const asking = (more: Partial<TurnRequest> = {}): TurnRequest => ({
  ...{ node: "lead", prompt: "Do it.", tools: "none", idempotencyKey: "1" },
  ...{ signal: new AbortController().signal, progress: () => {}, send: sending() },
  ...more,
});

function asksIn(turn: Turn) {
  if (turn.kind !== "asks") throw new Error(JSON.stringify(turn));
  return turn;
}

const QUESTION = { title: "Which colour?", args: { context: "For the door." }, wants: "answer" } as const;
const asks: Play = async (pi) =>
  pi.answer(await pi.use("baton_ask", { question: "Which colour?", context: "For the door." }));

describe("a model in a graph", () => {
  test("is offered the tools that mean something in its turn, and needs nobody's permission for them", async () => {
    const agent = agentOf(async (pi) => {
      const said = [
        ...[pi.offered.join(" "), await pi.use("baton_send", { to: "worker", message: "Begin." })],
        await pi.use("baton_send", { to: "judge", message: "Look." }).catch(String),
        await pi.use("baton_send", { to: "worker" }).catch(String),
        await pi.use("baton_look", {}),
      ];
      pi.answer(said.join("\n"));
    });
    const turn = await agent.turn(asking({ look: () => ["lead", "worker"] }));
    const text = turn.kind === "done" ? turn.text : JSON.stringify(turn);
    expect(text).toContain("baton_send baton_ask baton_look");
    expect(text).toContain("Staged for worker.");
    expect(text).toContain("Error: No edge leads there.");
    expect(text).toContain("/message");
    expect(sent).toEqual(["Begin."]);
  });

  test("closes the goal with what was accepted", async () => {
    const play: Play = async (pi) => pi.answer(await pi.use("baton_finish", { ok: true, summary: "Built." }));
    const turn = await agentOf(play).turn(asking({ finish: () => ({ ok: true }) }));
    expect(turn).toMatchObject({ kind: "done", finish: { ok: true, summary: "Built." } });
  });

  test("that can write to nobody has no send, until it can: another process goes on with its session", async () => {
    const agent = agentOf((pi) => pi.answer(pi.offered.join(" ")));
    const alone = await agent.turn(asking({ contacts: [] }));
    expect(alone).toMatchObject({ text: "baton_ask" });
    const cursor = alone.cursor ?? null;
    const joined = await agent.turn(asking({ contacts: ["worker"], cursor, idempotencyKey: "2" }));
    expect(joined).toMatchObject({ text: "baton_send baton_ask" });
    expect(fakes.map(({ isOpen }) => isOpen)).toEqual([false, true]);
    expect(fakes[1]?.start.session).toBe(fakes[0]?.file);
  });
});

describe("a question in words", () => {
  test("parks the turn, and the answer goes to the very call that asked", async () => {
    const agent = agentOf(asks);
    expect(await agent.turn(asking())).toMatchObject({ kind: "asks", ...QUESTION });
    const approval = { approved: true, answer: "Blue.", asked: QUESTION };
    expect(await agent.turn(asking({ approval }))).toMatchObject({ kind: "done", text: "Blue." });
    expect(fakes).toHaveLength(1);
  });

  test("outlives the process: the answer counts for the same question", async () => {
    const agent = agentOf(asks);
    const { cursor = null } = asksIn(await agent.turn(asking()));
    await fakes[0]?.close();
    const approval = { approved: true, answer: "Blue.", asked: QUESTION };
    expect(await agent.turn(asking({ approval, cursor }))).toMatchObject({ kind: "done", text: "Blue." });
    expect(fakes).toHaveLength(2);
  });

  test("is dismissed when the turn is stopped", async () => {
    const stop = new AbortController();
    let heard = "";
    const agent = agentOf(async (pi) => {
      const asked = pi.use("baton_ask", { question: "Which colour?" });
      stop.abort();
      heard = await asked.catch(String);
    });
    expect(await agent.turn(asking({ signal: stop.signal }))).toMatchObject({ kind: "failed" });
    expect(heard).toContain("The turn ended before anybody answered.");
  });

  test("a send that comes beside it is part of the turn that goes on", async () => {
    const agent = agentOf(async (pi) => {
      const asked = pi.use("baton_ask", { question: "Which colour?" });
      await new Promise((resolve) => setTimeout(resolve, 30)); // the turn has returned by now
      const told = pi.use("baton_send", { to: "worker", message: "Hello." });
      pi.answer((await Promise.all([asked, told])).join(" "));
    });
    await agent.turn(asking({ send: sending("before: ") }));
    await new Promise((resolve) => setTimeout(resolve, 60));
    expect(sent).toEqual([]);
    const approval = { approved: true, answer: "Blue." };
    const after = await agent.turn(asking({ send: sending("after: "), approval }));
    expect(after).toMatchObject({ kind: "done", text: "Blue. Staged for worker." });
    expect(sent).toEqual(["after: Hello."]);
  });
});

describe("another try", () => {
  const retries = { max: 3, initialInterval: 1, maxInterval: 1 };
  const busy = { stopReason: "error", errorMessage: "529 overloaded_error: Overloaded" };

  test("is made when the model could not be reached and nothing was done, and says so", async () => {
    let plays = 0;
    const agent = agentOf((pi) => (plays++ === 0 ? pi.answer("", busy) : pi.answer("At last.")), { retries });
    expect(await agent.turn(asking())).toMatchObject({
      kind: "done",
      text: "At last.",
      usage: { tokens: 30 },
    });
    expect(plays).toBe(2);
    expect(fakes.map(({ isOpen }) => isOpen)).toEqual([false, true]);
  });

  test("is made when pi ends before it has shown anything", async () => {
    let plays = 0;
    const agent = agentOf((pi) => (plays++ === 0 ? pi.close() : pi.answer("At last.")), { retries });
    expect(await agent.turn(asking())).toMatchObject({ kind: "done", text: "At last." });
  });

  test("is not made after a tool was called", async () => {
    let plays = 0;
    const play: Play = async (pi) => {
      plays++;
      await pi.use("baton_send", { to: "worker", message: "Begin." });
      pi.answer("", busy);
    };
    expect(await agentOf(play, { retries }).turn(asking())).toMatchObject({ kind: "failed" });
    expect([plays, sent]).toEqual([1, ["Begin."]]);
  });
});

test("a turn whose last answer goes above its budget has failed", async () => {
  const agent = agentOf((pi) => pi.answer("Much."), { limits: { tokens: 10 } });
  expect(await agent.turn(asking())).toMatchObject({
    failure: { code: "step_limit", message: "The turn took 15 tokens, and its budget is 10." },
    usage: { tokens: 15 },
  });
});
