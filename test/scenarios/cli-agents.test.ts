/** The promise of real agents: a config sets them up, what they ask reaches a person, and a tape plays a run again. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, test } from "vitest";
import { AGENT, CommandLine, inARow, ROOT } from "./cli-harness.ts";

const SDK = pathToFileURL(join(ROOT, "node_modules/@agentclientprotocol/sdk/dist/v1/unstable/acp.js")).href;

/** An agent of the protocol that wants to edit a file, and says what it was allowed, and what it was given. */
const PROGRAM = `
  import { agent, methods, ndJsonStream } from ${JSON.stringify(SDK)};
  import { Readable, Writable } from "node:stream";
  const options = [
    { optionId: "y", name: "Once", kind: "allow_once" },
    { optionId: "n", name: "No", kind: "reject_once" },
  ];
  const toolCall = { toolCallId: "t", title: "Edit notes.md", kind: "edit", status: "pending", rawInput: {} };
  agent()
    .onRequest(methods.agent.initialize, () => ({ protocolVersion: 1 }))
    .onRequest(methods.agent.session.new, () => ({ sessionId: "s" }))
    .onRequest(methods.agent.session.prompt, async ({ client }) => {
      const request = { sessionId: "s", toolCall, options };
      const { outcome } = await client.request(methods.client.session.requestPermission, request);
      const text = [outcome.optionId ?? outcome.outcome, process.env.GIVEN ?? "-", process.env.SECRET ?? "-"].join(" ");
      const update = { sessionUpdate: "agent_message_chunk", content: { type: "text", text } };
      await client.notify(methods.client.session.update, { sessionId: "s", update });
      return { stopReason: "end_turn" };
    })
    .connect(ndJsonStream(Writable.toWeb(process.stdout), Readable.toWeb(process.stdin)));`;

const command = [process.execPath, "agent.mjs"];
const settings = (more: object) => ({ agents: { editor: { is: "goose", command, ...more } } });
const FILES = {
  "agent.mjs": PROGRAM,
  "row.json": inARow({ builder: { ...AGENT, tools: "coding", agent: "editor" } }),
  "plain.json": inARow({ builder: AGENT }),
  "pair.json": { nodes: { lead: { kind: "task", agent: "editor" } }, edges: [] },
  "asks.json": settings({ env: ["GIVEN"] }),
  "allows.json": settings({ permissions: { edit: "allow" } }),
  "denies.json": settings({ permissions: { edit: "deny" } }),
  "script.json": { builder: ["built"] },
};
const ENV = { GIVEN: "given", SECRET: "secret" };
const run = ["run", "row.json", "--run-id", "one", "--config"];

describe.concurrent("an agent of a config", () => {
  test("asks a person; the run waits, and goes on with the decision in another process", async () => {
    const cli = new CommandLine(FILES, ENV);
    const asked = await cli.json(...run, "asks.json");
    expect(asked).toMatchObject({ code: 3, document: { status: "waiting" } });
    expect(asked.document.questions).toMatchObject([{ node: "Socket-1", value: { kind: "approval" } }]);
    const done = await cli.json("approve", "one", "--config", "asks.json", "--record", "tape.jsonl");
    expect(done).toMatchObject({ code: 0, document: { status: "completed" } });
    const tape = readFileSync(join(cli.cwd, "tape.jsonl"), "utf8");
    expect(tape).toContain('"y given -"'); // allowed once; told what it was given, and no secret
  });

  test("is allowed what the config allows, and an inbox graph can have it", async () => {
    const cli = new CommandLine(FILES, ENV);
    const args = [
      "run",
      "pair.json",
      "--message",
      "lead=Begin.",
      "--config",
      "allows.json",
      "--record",
      "tape.jsonl",
    ];
    expect(await cli.json(...args)).toMatchObject({ code: 0, document: { status: "completed" } });
    expect(readFileSync(join(cli.cwd, "tape.jsonl"), "utf8")).toContain('"y - -"');
  });

  test("is not asked for what the config denies", async () => {
    const cli = new CommandLine(FILES, ENV);
    const ended = await cli.json(...run, "denies.json", "--record", "tape.jsonl");
    expect(ended.document.questions).toEqual([]);
    expect(readFileSync(join(cli.cwd, "tape.jsonl"), "utf8")).not.toContain('"y ');
  });
});

describe.concurrent("a tape", () => {
  test("plays a run again without its agent, and says where it does not fit", async () => {
    const cli = new CommandLine(FILES, ENV);
    await cli.run(...run, "allows.json", "--record", "tape.jsonl");
    writeFileSync(join(cli.cwd, "agent.mjs"), "process.exit(1)");
    const [again, taken, other] = await cli.all(
      ["run", "row.json", "--script", "tape.jsonl", "--run-id", "two", "--json"],
      ["run", "row.json", "--script", "tape.jsonl", "--record", "tape.jsonl"],
      ["run", "row.json", "Something else", "--script", "tape.jsonl", "--json"],
    );
    expect(JSON.parse(again?.stdout ?? "")).toMatchObject({ status: "completed", path: ["Socket-1"] });
    expect(taken?.code).toBe(2); // a file is never written over
    expect(JSON.parse(other?.stdout ?? "")).toMatchObject({
      status: "failed",
      error: { message: expect.stringContaining("does not fit") },
    });
  });

  test("is refused when a line of it is none", async () => {
    const cli = new CommandLine({
      ...FILES,
      "tape.jsonl": '{"kind":"baton.tape","version":1}\n{"session":1}\n',
    });
    const { code, stderr } = await cli.run("run", "row.json", "--script", "tape.jsonl");
    expect([code, stderr]).toEqual([2, expect.stringContaining("Line 2 of tape.jsonl")]);
  });
});

describe.concurrent("an agent that cannot be had", () => {
  test("is refused before anything runs, with a sentence that helps", async () => {
    const wrong = { agents: { editor: { permissions: { edit: "maybe" }, comand: [] } } };
    const cli = new CommandLine({ ...FILES, "wrong.json": wrong });
    const rows: [code: string, args: string[], said: string][] = [
      ["no_agent", ["run", "plain.json"], "Nobody can take the turns of builder"],
      ["no_agent", ["run", "row.json"], "There is no agent"],
      ["no_agent", ["run", "plain.json", "--agent", "nobody"], "Known: claude"],
      ["no_agent", ["run", "plain.json", "--agent", "scripted"], "--script FILE"],
      ["no_agent", ["run", "plain.json", "--agent", "goose", "--script", "script.json"], "Either"],
      ["invalid_definition", ["run", "row.json", "--config", "wrong.json"], "agents"],
    ];
    const ended = await cli.all(...rows.map(([, args]) => [...args, "--json"]), ["runs", "--json"]);
    for (const [index, [code, args, said]] of rows.entries()) {
      const { error } = JSON.parse(ended[index]?.stdout ?? "") as {
        error: { code: string; message: string };
      };
      expect([args, ended[index]?.code, error.code]).toEqual([args, 2, code]);
      expect(error.message).toContain(said);
    }
    expect(JSON.parse(ended.at(-1)?.stdout ?? "")).toEqual({ runs: [] });
  });
});
