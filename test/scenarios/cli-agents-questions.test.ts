/** The promise of questions in words: what an agent asks over MCP waits for a person, and the answer reaches it. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, test } from "vitest";
import { hasTerminals, Tty } from "../agents/tty.ts";
import { AGENT, BATON, CommandLine, inARow, ROOT } from "./cli-harness.ts";

const SDK = pathToFileURL(join(ROOT, "node_modules/@agentclientprotocol/sdk/dist/v1/unstable/acp.js")).href;

/** An agent of the protocol that asks at its desk, and says what it heard. */
const PROGRAM = `
  import { agent, methods, ndJsonStream } from ${JSON.stringify(SDK)};
  import { Readable, Writable } from "node:stream";
  let desk;
  async function ask() {
    const params = { name: "ask", arguments: { question: "Which colour?", context: "For the door." } };
    const headers = Object.fromEntries(desk.headers.map(({ name, value }) => [name, value]));
    const response = await fetch(desk.url, {
      method: "POST",
      headers: { ...headers, "content-type": "application/json", accept: "application/json, text/event-stream" },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }),
    });
    const data = (await response.text()).split("\\n").find((line) => line.startsWith("data: {"));
    return JSON.parse(data.slice(6)).result.content[0].text;
  }
  agent()
    .onRequest(methods.agent.initialize, () => ({
      protocolVersion: 1,
      agentCapabilities: { mcpCapabilities: { http: true } },
    }))
    .onRequest(methods.agent.session.new, ({ params }) => {
      desk = params.mcpServers[0];
      return { sessionId: "s" };
    })
    .onRequest(methods.agent.session.prompt, async ({ client }) => {
      const content = { type: "text", text: "I heard: " + (await ask()) };
      await client.notify(methods.client.session.update, {
        sessionId: "s",
        update: { sessionUpdate: "agent_message_chunk", content },
      });
      return { stopReason: "end_turn" };
    })
    .connect(ndJsonStream(Writable.toWeb(process.stdout), Readable.toWeb(process.stdin)));`;

const FILES = {
  "agent.mjs": PROGRAM,
  "loadout.json": inARow({ builder: { ...AGENT, agent: "asker" } }),
  "inbox.json": { nodes: { builder: { kind: "task", agent: "asker" } }, edges: [] },
  "config.json": { agents: { asker: { is: "claude", command: [process.execPath, "agent.mjs"] } } },
};
const DIALECTS: readonly (readonly [string, string, string, readonly string[]])[] = [
  ["loadout", "Socket-1", "Socket-1 (builder)", ["loadout.json", "Build it."]],
  ["inbox", "builder", "builder", ["inbox.json", "--message", "builder=Build it."]],
];
const config = ["--config", "config.json"];

describe.concurrent.each(DIALECTS)(
  "an agent of a %s asks in words",
  { timeout: 60_000 },
  (_, node, named, args) => {
    test("it is shown as a question, no yes answers it, and words do", async () => {
      const cli = new CommandLine(FILES);
      const asked = await cli.json("run", ...args, "--run-id", "one", ...config);
      expect(asked).toMatchObject({ code: 3, document: { status: "waiting" } });
      expect(asked.document.questions).toMatchObject([
        { node, value: { kind: "question", title: "Which colour?", args: { context: "For the door." } } },
      ]);
      const [shown, why, yes] = await cli.all(["show", "one"], ["why", "one"], ["approve", "one", ...config]);
      expect(shown?.stdout).toContain("Which colour?");
      expect(shown?.stderr).toMatch(/Answer with: .*answer one TEXT {2}or decline with: .*deny one/);
      expect(why?.stdout).toContain(`${named} asks “Which colour?”`);
      expect(yes?.code).not.toBe(0);
      expect(yes?.stderr).toContain("wants an answer in words");
      expect(await cli.json("answer", "one", "Blue.", ...config, "--record", "tape.jsonl")).toMatchObject({
        ...{ code: 0, document: { status: "completed" } },
      });
      expect(readFileSync(join(cli.cwd, "tape.jsonl"), "utf8")).toContain("I heard: Blue.");
    });

    test("a denial declines to answer, and says why", async () => {
      const cli = new CommandLine(FILES);
      await cli.run("run", ...args, "--run-id", "one", ...config);
      const denied = await cli.json(
        ...["deny", "one", "--reason", "Ask your lead.", ...config, "--record", "tape.jsonl"],
      );
      expect(denied).toMatchObject({ code: 0, document: { status: "completed" } });
      expect(readFileSync(join(cli.cwd, "tape.jsonl"), "utf8")).toContain(
        "I heard: The person declines to answer. They say: Ask your lead.",
      );
    });
  },
);

test.runIf(hasTerminals)(
  "what one terminal asks can be answered at another, and the run goes on there",
  async () => {
    const ask = { $: "turn", text: "Built.", ask: { title: "May I?", args: {} } };
    const cli = new CommandLine({
      "row.json": inARow({ builder: AGENT, teller: AGENT }),
      "script.json": { builder: [ask], teller: ["Told."] },
    });
    const env = { ...process.env, XDG_CONFIG_HOME: join(cli.cwd, "home") };
    const first = new Tty([BATON, "run", "row.json", "--script", "script.json", "--run-id", "one"], {
      ...{ cwd: cli.cwd, env },
    });
    await first.until("[l]ater");
    const recorded = await cli.run("approve", "one", "--detach");
    expect(recorded.stderr).toMatch(/Process \d+ goes on with it/);
    expect(await first.ended).toBe(0);
    expect(first.text).toMatch(/\[l\]ater:\n\S+ Socket-1 1\/Socket-1:0 answered: {"approved":true}\n/);
    expect(first.text).toMatch(/completed {2}one\n/);
  },
);
