/** Agents at a desk: what they stage, ask and close counts as the turn's, whatever becomes of their process. */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { AgentCapabilities, ToolCallUpdate } from "@agentclientprotocol/sdk/unstable";
import { afterAll, describe, expect, test } from "vitest";
import { type Act, Play } from "../../../test/fixtures/acp/play.ts";
import type { Approval, StagedSend, Turn, TurnRequest } from "../../agent/agent.ts";
import type { Offer, OfferFor, ToolDesk, ToolDesks } from "../../agent/tool-desk.ts";
import { AcpAgent } from "./acp-agent.ts";
import type { Quirks } from "./quirks.ts";

const CWD = mkdtempSync(join(tmpdir(), "baton-acp-desks-"));
afterAll(() => rmSync(CWD, { recursive: true }));
const HTTP: AgentCapabilities = {
  ...{ loadSession: true, sessionCapabilities: { resume: {} } },
  mcpCapabilities: { http: true, sse: false },
};
const QUIRKS: Quirks = {
  ...{ name: "play", package: { name: "play", tried: "1.0.0" }, command: ["play"], env: {}, passes: [] },
  ...{ returns: ["resume", "load"], failures: [], usage: { at: "answer" }, mcpWaitMs: 0 },
};

/** Desks without a server: an act of the play calls what is offered there. */
class Desks implements ToolDesks {
  readonly opened: { readonly tools: readonly (keyof Offer)[]; offer?: Offer | OfferFor | undefined }[] = [];
  closed = 0;

  async open(tools: readonly (keyof Offer)[]): Promise<ToolDesk> {
    const desk: Desks["opened"][number] = { tools };
    this.opened.push(desk);
    return {
      ...{ name: "baton", url: `http://127.0.0.1:1/mcp`, headers: { Authorization: "Bearer t" } },
      found: Promise.resolve(),
      serve(offer) {
        desk.offer = offer;
      },
      close: () => {
        desk.offer = undefined;
        this.closed++;
      },
    };
  }

  /** What is offered at the desk that was opened last; with the call, at one that several turns share. */
  offer(): Offer {
    const offer = this.opened.at(-1)?.offer;
    if (typeof offer !== "object") throw new Error("Nothing is offered.");
    return offer;
  }

  async close(): Promise<void> {}
}

function stage(act: (desks: Desks) => Act, quirks: Partial<Quirks> = {}, capabilities = HTTP) {
  const desks = new Desks();
  const play = new Play({ act: act(desks), capabilities });
  const sent: StagedSend[] = [];
  const open = () =>
    new AcpAgent({
      ...{ quirks: { ...QUIRKS, ...quirks }, connect: play.connect, cwd: CWD, desks },
      limits: { cancelMs: 200 },
    });
  const agent = open();
  const request = (changes: Partial<TurnRequest> = {}): TurnRequest => ({
    ...{ node: "lead", prompt: "Do it.", tools: "none", idempotencyKey: "r/1/turn:1" },
    ...{ signal: new AbortController().signal, progress: () => {} },
    send(send) {
      sent.push(send);
      return { ok: true };
    },
    look: () => ({ nodes: ["lead", "worker"] }),
    ...changes,
  });
  const turn = (changes: Partial<TurnRequest> = {}) => agent.turn(request(changes));
  return { desks, play, sent, agent, open, request, turn };
}

function asksIn(turn: Turn): Extract<Turn, { kind: "asks" }> {
  if (turn.kind !== "asks") throw new Error(`It did not ask: ${JSON.stringify(turn)}`);
  return turn;
}

const QUESTION = { title: "Which colour?", args: { context: "For the door." }, wants: "answer" } as const;
const BLUE: Approval = { approved: true, answer: "Blue." };

/** Asks, and says what was answered; an agent that is cut off says nothing. */
const asking: (desks: Desks) => Act = (desks) => async (scene) => {
  const gone = new AbortController();
  const answer = await desks.offer().ask?.(QUESTION, gone.signal);
  await scene.say(`It is ${JSON.stringify(answer?.answer ?? answer?.approved)}.`);
  return undefined;
};

describe("a turn at a desk", () => {
  test("finds the tools that it is offered, and none between turns", async () => {
    const { desks, turn, play, sent } = stage((at) => async ({ say }) => {
      await at.offer().send?.({ to: "worker", message: "Begin." });
      await say(JSON.stringify(at.offer().look?.()));
      return undefined;
    });
    expect(await turn()).toMatchObject({ kind: "done", text: '{"nodes":["lead","worker"]}' });
    expect(sent).toEqual([{ to: "worker", message: "Begin." }]);
    expect(desks.opened).toEqual([{ tools: ["send", "ask", "look"], offer: undefined }]);
    const [, opened] = play.requests;
    expect(opened?.params).toMatchObject({
      mcpServers: [{ type: "http", name: "baton", headers: [{ name: "Authorization", value: "Bearer t" }] }],
    });
  });

  test("closes the goal with what was accepted, and with nothing that was refused", async () => {
    const acts =
      (at: Desks): Act =>
      async ({ say }) => {
        const verdict = await at.offer().finish?.({ ok: true, summary: "Built." });
        await say(verdict?.ok === true ? "Closed." : "Not closed.");
        return undefined;
      };
    const accepted = stage(acts);
    expect(await accepted.turn({ finish: () => ({ ok: true }) })).toMatchObject({
      ...{ text: "Closed.", finish: { ok: true, summary: "Built." } },
    });
    expect(accepted.desks.opened[0]?.tools).toContain("finish");
    const refused = stage(acts);
    const turn = await refused.turn({ finish: () => ({ ok: false, code: "no", message: "No." }) });
    expect(turn).toMatchObject({ kind: "done", text: "Not closed." });
    expect(turn).not.toHaveProperty("finish");
  });

  test("an agent that cannot reach it gets no desk, and its turn goes on without", async () => {
    const { desks, turn, play } = stage(
      () =>
        async ({ say }) =>
          void (await say("Alone.")),
      {},
      {},
    );
    expect(await turn()).toMatchObject({ kind: "done", text: "Alone." });
    expect(desks.opened).toEqual([]);
    expect(play.requests[1]?.params).toMatchObject({ mcpServers: [] });
  });

  test("the desk of a session is closed with the agent", async () => {
    const { desks, turn, agent } = stage(
      () =>
        async ({ say }) =>
          void (await say("Done.")),
    );
    await turn();
    await agent.close();
    expect(desks.closed).toBe(1);
  });
});

describe("a question in words", () => {
  test("parks the turn, and the answer goes to the very call that asked", async () => {
    const { turn, play } = stage(asking);
    expect(await turn()).toMatchObject({ kind: "asks", ...QUESTION });
    expect(await turn({ approval: { ...BLUE, asked: QUESTION } })).toMatchObject({ text: 'It is "Blue.".' });
    expect(play.prompts).toEqual(["Do it."]);
  });

  test("declined, the call hears that", async () => {
    const { turn } = stage(asking);
    await turn();
    expect(await turn({ approval: { approved: false } })).toMatchObject({ text: "It is false." });
  });

  test("that the agent gave up waiting for: it is told the answer afterwards", async () => {
    const { turn, play } = stage((at) => async ({ say, prompt }) => {
      if (prompt !== "Do it.") return void (await say("I see."));
      const gone = new AbortController();
      setTimeout(() => gone.abort(), 20);
      await at
        .offer()
        .ask?.(QUESTION, gone.signal)
        .catch(() => {});
      await say("I waited long enough.");
      return undefined;
    });
    await turn();
    await new Promise((resolve) => setTimeout(resolve, 60));
    expect(await turn({ approval: { ...BLUE, asked: QUESTION } })).toMatchObject({ text: "I see." });
    expect(play.prompts[1]).toContain("A person has answered your question: Blue.");
  });

  test.each(["the agent is killed", "Baton is started anew"])(
    "%s meanwhile: the answer counts",
    async (how) => {
      const scenes: { die(): void }[] = [];
      const { turn, open, request, agent } = stage((at) => async (scene) => {
        scenes.push(scene);
        return asking(at)(scene);
      });
      const { cursor = null } = asksIn(await turn());
      const isNew = how === "Baton is started anew";
      if (isNew) await agent.close();
      else scenes[0]?.die();
      const again = request({ approval: { ...BLUE, asked: QUESTION }, cursor });
      const taken = await (isNew ? open() : agent).turn(again);
      expect(taken).toMatchObject({ kind: "done", text: 'It is "Blue.".', cursor: { sessionId: "s1" } });
      expect(scenes).toHaveLength(2);
    },
  );

  test("another question than the one that was answered is asked", async () => {
    const { turn } = stage(asking);
    const other = { ...QUESTION, title: "Which form?" };
    expect(await turn({ approval: { ...BLUE, asked: other } })).toMatchObject({ kind: "asks", ...QUESTION });
  });

  test("rejects when the turn is stopped first", async () => {
    const heard: unknown[] = [];
    const stop = new AbortController();
    const { turn } = stage((at) => async ({ cancelled }) => {
      at.offer()
        .ask?.(QUESTION, new AbortController().signal)
        .catch((error: unknown) => heard.push(error));
      stop.abort();
      await cancelled;
      return { stopReason: "cancelled" };
    });
    expect(await turn({ signal: stop.signal })).toMatchObject({ kind: "failed" });
    expect(heard).toEqual([new Error("The turn ended before anybody answered.")]);
  });
});

describe("permission", () => {
  const call: ToolCallUpdate = { toolCallId: "c1", title: "baton: send", kind: "other", rawInput: {} };
  const marked = { ...call, title: "mcp.baton.send", kind: "execute" as const, _meta: { served: true } };
  const named = { ...call, title: '{"to":"x"}', _meta: { toolName: "mcp__baton__ask" } };
  test.each<[string, ToolCallUpdate, Partial<Quirks>]>([
    ["by its title", call, {}],
    ["by the title that puts the server last", { ...call, title: "look (baton MCP Server)" }, {}],
    ["by its name", named, { toolName: ["toolName"] }],
    ["by the mark of a server's tool, whatever kind it has", marked, { servedMark: ["served"] }],
  ])("nobody is asked about a graph tool, known %s", async (_, update, quirks) => {
    const { turn } = stage(
      () =>
        async ({ ask, say }) =>
          void (await say(await ask(update))),
      quirks,
    );
    expect(await turn()).toMatchObject({ kind: "done", text: "allow_once" });
  });

  test.each<[string, ToolCallUpdate, Partial<Quirks>]>([
    ["a command", { ...call, kind: "execute" }, {}],
    [
      "a command of an agent that marks tools of servers",
      { ...marked, _meta: {} },
      { servedMark: ["served"] },
    ],
    ["a tool of another server", { ...call, title: "batons: send" }, {}],
    ["a tool that has another name", { ...call, _meta: { t: "shell" } }, { toolName: ["t"] }],
  ])("%s that calls itself a graph tool is asked about", async (_, update, quirks) => {
    const { turn } = stage(
      () =>
        async ({ ask }) =>
          void (await ask(update)),
      quirks,
    );
    expect(await turn({ tools: "coding" })).toMatchObject({ kind: "asks" });
  });
});

describe("a desk that sessions share", () => {
  const shares = { sharesServers: true } as const;

  /** Two turns at once, each telling of its call, or not; then a call arrives at the desk. */
  function both(tells: (prompt: string) => string | undefined) {
    const arrived = Promise.withResolvers<void>();
    const over = Promise.withResolvers<void>();
    let open = 0;
    const staged = stage(
      () =>
        async ({ prompt, show, say }) => {
          const told = tells(prompt);
          if (told !== undefined) {
            await show({
              ...{ sessionUpdate: "tool_call", toolCallId: prompt, title: "baton_send", kind: "other" },
              ...{ status: "in_progress", rawInput: { to: "lead", message: told } },
            });
          }
          await say("Working.");
          if (++open === 2) arrived.resolve();
          await over.promise;
          return undefined;
        },
      shares,
    );
    const heard: string[] = [];
    const take = (node: string) =>
      staged.turn({
        ...{ node, prompt: node, idempotencyKey: node },
        send({ message }) {
          heard.push(`${node}: ${message}`);
          return { ok: true };
        },
      });
    const call = async (message: string): Promise<void> => {
      await arrived.promise;
      const args = { to: "lead", message };
      const offerFor = staged.desks.opened[0]?.offer as OfferFor; // a shared desk serves by call
      await (await offerFor({ tool: "send", args }))?.send?.(args);
    };
    return { take, call, heard, over, desks: staged.desks, play: staged.play };
  }

  test("is named to the agent once, and passes a call to the turn that has told of it", async () => {
    const { take, call, heard, over, desks, play } = both((prompt) => `From ${prompt}.`);
    const first = take("a");
    const turns = [first, take("b")];
    await call("From b.");
    expect(heard).toEqual(["b: From b."]);
    over.resolve();
    await Promise.all(turns);
    expect(desks.opened).toMatchObject([{ tools: ["send", "finish", "ask", "look"] }]);
    const opened = play.requests.filter(({ method }) => method === "new");
    expect(
      opened.map(({ params }) => (params as { mcpServers: unknown[] }).mcpServers.length).toSorted(),
    ).toEqual([0, 1]);
  });

  test("refuses a call that both could have made, or neither", async () => {
    for (const tells of [() => "The same.", () => undefined]) {
      const { take, call, heard, over } = both(tells);
      const turns = [take("a"), take("b")];
      await expect(call("The same.")).rejects.toThrow("Try it again");
      over.resolve();
      await Promise.all(turns);
      expect(heard).toEqual([]);
    }
  });
});
