/** What a turn may take, what is tried again in it, and what comes while a person decides. */

import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { RequestError } from "@agentclientprotocol/sdk/unstable";
import { describe, expect, test } from "vitest";
import { type Act, Play, type Scene } from "../../../test/fixtures/acp/play.ts";
import type { Progress, StagedSend, Turn, TurnRequest } from "../../agent/agent.ts";
import type { Offer, OfferFor, ToolDesks } from "../../agent/tool-desk.ts";
import { AcpAgent, type AcpAgentOptions } from "./acp-agent.ts";
import type { Quirks } from "./quirks.ts";

const CWD = mkdtempSync(join(tmpdir(), "baton-acp-limits-"));

const QUIRKS: Quirks = {
  ...{ name: "play", package: { name: "play", tried: "1.0.0" }, command: ["play"], env: {}, passes: [] },
  ...{ returns: [], failures: [{ kind: "text", begins: "Error:" }], usage: { at: "answer" }, mcpWaitMs: 0 },
};

const SOON = { max: 3, initialInterval: 1, maxInterval: 1 };

function stage(act: Act, options: Partial<AcpAgentOptions> = {}) {
  const play = new Play({ act, capabilities: { mcpCapabilities: { http: true, sse: false } } });
  const shown: Progress[] = [];
  const { limits, ...more } = options;
  const agent = new AcpAgent({
    ...{ quirks: QUIRKS, connect: play.connect, cwd: CWD },
    ...{ limits: { cancelMs: 200, startMs: 2000, ...limits }, ...more },
  });
  const turn = (changes: Partial<TurnRequest> = {}): Promise<Turn> =>
    agent.turn({
      ...{ node: "n", prompt: "Do it.", tools: "coding", idempotencyKey: "r/1/turn:1" },
      ...{ signal: new AbortController().signal, progress: (chunk) => shown.push(chunk) },
      ...changes,
    });
  return { play, turn, shown };
}

/** Says something, and at its end how many tokens it took. */
const taking =
  (totalTokens: number): Act =>
  async ({ say }) => {
    await say("All of it.");
    return { stopReason: "end_turn", usage: { totalTokens, inputTokens: totalTokens, outputTokens: 0 } };
  };

describe("a budget", () => {
  const limits = { tokens: 100 };
  const above = {
    kind: "failed",
    failure: { code: "step_limit", message: "The turn took 150 tokens, and its budget is 100." },
  };

  test("stops the turn as soon as the agent tells that it is above", async () => {
    const { turn, play } = stage(
      async ({ show, cancelled }) => {
        await show({ sessionUpdate: "usage_update", used: 150, size: 1000 });
        await cancelled;
        return { stopReason: "cancelled" };
      },
      { limits },
    );
    expect(await turn()).toMatchObject({ ...above, usage: { tokens: 150, uncounted: true } });
    expect(play.requests.map(({ method }) => method)).toContain("cancel");
  });

  test("adds up what an agent tells in its messages, while it tells it", async () => {
    const quirks: Quirks = { ...QUIRKS, usage: { at: "chunk_meta", path: ["usage"] } };
    const { turn } = stage(
      async ({ show, cancelled }) => {
        const content = { type: "text" as const, text: "More." };
        const _meta = { usage: { totalTokens: 75 } };
        for (const _ of [1, 2]) await show({ sessionUpdate: "agent_message_chunk", content, _meta });
        await cancelled;
        return { stopReason: "cancelled" };
      },
      { limits, quirks },
    );
    expect(await turn()).toMatchObject({ ...above, usage: { tokens: 150 } });
  });

  test("is held against the answer of an agent that tells at the end only", async () => {
    const greedy = stage(taking(150), { limits });
    expect(await greedy.turn()).toMatchObject({ ...above, usage: { tokens: 150 }, cursor: {} });
    const modest = stage(taking(100), { limits });
    expect(await modest.turn()).toMatchObject({ kind: "done", usage: { tokens: 100 } });
  });

  test("of an agent that tells nothing is not kept, and whoever watches hears so", async () => {
    const { turn, shown } = stage(({ say }) => say("Done.").then(() => undefined), { limits });
    expect(await turn()).toMatchObject({ kind: "done", usage: { tokens: 0, uncounted: true } });
    const text = "play does not say how many tokens this turn took: its budget was not kept.\n";
    expect(shown).toContainEqual({ kind: "thought", text });
  });
});

describe("another try", () => {
  const retries = SOON;
  /** Plays one scene after the other, the last one again and again. */
  const scenes = (...acts: readonly Act[]): Act => {
    let made = 0;
    return (scene) => acts[Math.min(made++, acts.length - 1)]?.(scene);
  };
  const busy: Act = () => {
    throw new RequestError(-32603, "Internal error: 429 Too Many Requests");
  };
  const saysBusy: Act = ({ say }) => say("Error: 503 Service Unavailable").then(() => undefined);
  const dies: Act = async ({ die }: Scene) => {
    die();
    return undefined;
  };
  const works: Act = ({ say }) => say("Done.").then(() => undefined);

  test.each([
    ["an error of the protocol", busy],
    ["the text of a normal end", saysBusy],
    ["the end of the process before it has shown anything", dies],
  ])("is made when the model could not be reached, which shows as %s", async (_, act) => {
    const { turn, play, shown } = stage(scenes(act, works), { retries });
    expect(await turn()).toMatchObject({ kind: "done", text: "Done." });
    expect(play.prompts).toEqual(["Do it.", "Do it."]);
    expect(JSON.stringify(shown)).toContain("Trying again.");
  });

  test("is made when the agent ends while it starts", async () => {
    let starts = 0;
    const play = new Play({ act: works });
    const connect: AcpAgentOptions["connect"] = async (app) => {
      const wire = await play.connect(app);
      if (++starts === 1) wire.connection.close();
      return wire;
    };
    const { turn } = stage(works, { connect, retries });
    expect(await turn()).toMatchObject({ kind: "done" });
    expect(starts).toBe(2);
  });

  const call = { toolCallId: "c", title: "Run it", kind: "execute" as const };
  test.each<[string, Act]>([
    ["a tool was called", ({ show }) => show({ sessionUpdate: "tool_call", ...call }).then(() => undefined)],
    ["a permission was asked", ({ ask }) => ask({ ...call, kind: "read" }).then(() => undefined)],
  ])("is not made after %s", async (_, act) => {
    const acts: Act = async (scene) => {
      await act(scene);
      return busy(scene);
    };
    const { turn, play } = stage(scenes(acts, works), { retries });
    expect(await turn()).toMatchObject({ kind: "failed", failure: { retryable: true } });
    expect(play.prompts).toHaveLength(1);
  });

  test.each<[string, Act]>([
    ["what another try would meet too", () => Promise.reject(new RequestError(-32603, "400 No such model."))],
    ["the end of a process that had begun to speak", (scene) => scene.say("I").then(() => dies(scene))],
  ])("is not made for %s", async (_, act) => {
    const { turn, play } = stage(scenes(act, works), { retries });
    expect(await turn()).toMatchObject({ kind: "failed" });
    expect(play.prompts).toHaveLength(1);
  });
});

describe("a desk", () => {
  class Desks implements ToolDesks {
    readonly opened: (readonly (keyof Offer)[])[] = [];
    offer: Offer | OfferFor | undefined;

    async open(tools: readonly (keyof Offer)[]) {
      this.opened.push(tools);
      return {
        ...{ name: "baton", url: "http://127.0.0.1:1/mcp", headers: {}, found: Promise.resolve() },
        serve: (offer: Offer | OfferFor | undefined) => {
          this.offer = offer;
        },
        close: () => {},
      };
    }

    async close(): Promise<void> {}
  }

  test("keeps a send that comes beside a question for the turn that goes on", async () => {
    const desks = new Desks();
    const { turn } = stage(
      async ({ say }) => {
        const { ask, send } = desks.offer as Offer; // it has a desk of its own
        const asked = ask?.({ title: "Go?", args: {}, wants: "answer" }, new AbortController().signal);
        await new Promise((resolve) => setTimeout(resolve, 50)); // the turn has returned by now
        const [answer, verdict] = await Promise.all([asked, send?.({ to: "x", message: "Hello." })]);
        await say(JSON.stringify([answer?.answer, verdict?.ok]));
        return undefined;
      },
      { desks },
    );
    const sent: string[] = [];
    const sendIn =
      (when: string) =>
      ({ message }: StagedSend) => {
        sent.push(`${when}: ${message}`);
        return { ok: true } as const;
      };
    expect(await turn({ send: sendIn("before") })).toMatchObject({ kind: "asks", title: "Go?" });
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(sent).toEqual([]);
    const after = await turn({ send: sendIn("after"), approval: { approved: true, answer: "Yes." } });
    expect(after).toMatchObject({ text: '["Yes.",true]' });
    expect(sent).toEqual(["after: Hello."]);
  });

  test("has no send for who can write to nobody, and another desk is opened once there is somebody", async () => {
    const desks = new Desks();
    const quirks: Quirks = { ...QUIRKS, returns: ["resume"] };
    const { turn, play } = stage(({ say }) => say("Done.").then(() => undefined), { desks, quirks });
    const send = () => ({ ok: true }) as const;
    const first = await turn({ send, contacts: [] });
    const cursor = first.cursor ?? null;
    await turn({ send, contacts: [], cursor, idempotencyKey: "2" });
    expect(desks.opened).toEqual([["ask"]]);
    await turn({ send, contacts: ["x"], cursor, idempotencyKey: "3", fullPrompt: "All of it." });
    expect(desks.opened).toEqual([["ask"], ["send", "ask"]]);
    expect(play.prompts).toEqual(["Do it.", "Do it.", "All of it."]); // this agent cannot take its session up anew
  });
});
