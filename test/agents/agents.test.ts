/** Real agents, installed from npm at exact versions, take turns against a fake model on loopback, spoken with from here. */

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Turn } from "../../src/agent/agent.ts";
import type { Json } from "../../src/base/json.ts";
import type { AcpAgent } from "../../src/providers/acp/acp-agent.ts";
import { scripted } from "../fixtures/fake-model/script.ts";
import { installWanted } from "./install.ts";
import { Stand } from "./stand.ts";

const NAMES = ["goose", "opencode"] as const;
const installed = await installWanted(...NAMES);

describe.runIf(installed.ok).each(NAMES)("%s", { timeout: 60_000 }, (name) => {
  let stand: Stand;
  let agent: AcpAgent;
  beforeAll(async () => {
    if (!installed.ok) throw new Error(installed.why);
    stand = await Stand.open(name, installed.programs[name]);
    agent = stand.agent();
  });
  afterAll(() => stand.close());

  test("an error of the model is a failure, also when the agent ends well", async () => {
    const turn = await agent.turn(request(scripted({ error: { status: 400, message: "No such thing." } })));
    expect(turn).toMatchObject({ kind: "failed", failure: { code: "agent_failed" } });
    expect(JSON.stringify(turn)).toContain("No such thing.");
    expect(stand.model.asked.length).toBeGreaterThan(0);
  });

  test("a turn is cancelled in mid-stream, and the session goes on", async () => {
    const stop = new AbortController();
    const { aborted } = stand.model;
    const said: string[] = [];
    const text = "one two three four ".repeat(5); // 14 s, so that a busy machine hears of it before it has ended
    const cancelled = await agent.turn({
      ...request(scripted({ text, chunks: 95, delayMs: 150 })),
      signal: stop.signal,
      progress: (chunk) => {
        if (chunk.kind !== "text") return;
        said.push(chunk.text);
        stop.abort();
      },
    });
    expect(cancelled).toMatchObject({ kind: "failed", failure: { message: "The turn was stopped." } });
    expect(said.join("").length).toBeLessThan(text.length);
    await expect.poll(() => stand.model.aborted - aborted, { timeout: 5000 }).toBeGreaterThan(0);
    const cursor = cancelled.kind === "failed" ? cancelled.cursor : undefined;
    const next = { ...request(scripted({ text: "Again." })), idempotencyKey: "2", ...(cursor && { cursor }) };
    expect(await agent.turn(next)).toMatchObject({ kind: "done", text: "Again.", cursor: idOf(cursor) });
  });

  test("the agent is killed while a person decides; the decision counts, in the same session with its history", async () => {
    const { cwd, recipe } = stand;
    const before = await agent.turn(request(scripted({ text: "The word is heron." })));
    const session = before.kind === "done" ? before.cursor : null;
    const write = recipe.write(join(cwd, "late.txt"), "late\n");
    const prompt = scripted(write, { text: "Written at last." });
    const asking = { ...request(prompt), idempotencyKey: "3", cursor: session };
    const { title, args, cursor = null } = asksIn(await agent.turn(asking));
    stand.kill();
    const approval = { approved: true, asked: { title, args } };
    const done = await agent.turn({ ...asking, cursor, approval });
    expect(done).toMatchObject({ kind: "done", text: "Written at last.", cursor: idOf(session) });
    expect(readFileSync(join(cwd, "late.txt"), "utf8")).toBe("late\n");
    const last = stand.model.asked.findLast(({ conversation }) => conversation.offersTools);
    const said = last?.conversation.entries.map((entry) => (entry.kind === "said" ? entry.text : ""));
    expect(said?.join("\n")).toContain("The word is heron.");
  });

  // Each new process of opencode costs seconds, and this is not about the agent.
  const isQuick = name === "goose";
  test.runIf(isQuick)(
    "everything ends while a person decides; the decision counts for what was shown",
    async () => {
      const { cwd, recipe } = stand;
      const asking = request(
        scripted(recipe.write(join(cwd, "later.txt"), "later\n"), { text: "Written later." }),
      );
      const asked = asksIn(await agent.turn({ ...asking, idempotencyKey: "4" }));
      await agent.close();
      agent = stand.agent();
      const { title, args, cursor = null } = asked;
      const again = { ...asking, idempotencyKey: "4", cursor };
      const other = { approved: true, asked: { title, args: { kind: "edit", paths: ["other.txt"] } } };
      expect(await agent.turn({ ...again, approval: other })).toMatchObject({ kind: "asks", title, args });
      expect(existsSync(join(cwd, "later.txt"))).toBe(false);
      await agent.close();
      agent = stand.agent();
      const approval = { approved: true, asked: { title, args } };
      expect(await agent.turn({ ...again, approval })).toMatchObject({
        kind: "done",
        text: "Written later.",
      });
      expect(readFileSync(join(cwd, "later.txt"), "utf8")).toBe("later\n");
    },
  );

  test.runIf(isQuick)("a turn that takes more than its budget fails, and says how much it took", async () => {
    const thrifty = stand.agent({ limits: { tokens: 100 } });
    const turn = await thrifty.turn({ ...request(scripted({ text: "Much." })), idempotencyKey: "5" });
    expect(turn).toMatchObject({
      failure: { code: "step_limit", message: "The turn took 120 tokens, and its budget is 100." },
    });
    await thrifty.close();
  });

  test.runIf(isQuick)(
    "a send that is called beside a question goes out once, with what goes on",
    async () => {
      const { graph } = stand.recipe;
      const calls = [graph("ask", { question: "Go?" }), graph("send", { to: "b", message: "Hello." })];
      const sent: string[] = [];
      const asking = {
        ...{ ...request(scripted({ tools: calls }, { text: "Sent." })), node: "sender", idempotencyKey: "6" },
        send({ message }: { readonly message: string }) {
          sent.push(message);
          return { ok: true as const };
        },
      };
      const { title, args, wants } = asksIn(await agent.turn(asking));
      expect([title, wants]).toEqual(["Go?", "answer"]);
      const asked = { title, args, wants: "answer" as const };
      const done = await agent.turn({ ...asking, approval: { approved: true, answer: "Yes.", asked } });
      expect(done).toMatchObject({ kind: "done", text: "Sent." });
      expect(sent).toEqual(["Hello."]);
    },
  );
});

function request(prompt: string) {
  return {
    ...{ node: "n", prompt, tools: "coding" as const, idempotencyKey: "1" },
    ...{ signal: new AbortController().signal, progress: () => {} },
  };
}

function asksIn(turn: Turn): Extract<Turn, { kind: "asks" }> {
  if (turn.kind !== "asks") throw new Error(`It did not ask: ${JSON.stringify(turn)}`);
  return turn;
}

function idOf(cursor: Json | undefined): object {
  return { sessionId: (cursor as { readonly sessionId: string } | undefined)?.sessionId };
}
