/** The real pi, where it is asked for (BATON_TEST_AGENTS=pi), takes turns against a fake model on loopback. */

import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Turn, TurnRequest } from "../../src/agent/agent.ts";
import { openPi } from "../../src/providers/pi/open-pi.ts";
import type { PiAgent } from "../../src/providers/pi/pi-agent.ts";
import { type Step, scripted } from "../fixtures/fake-model/script.ts";
import { FakeModel } from "../fixtures/fake-model/server.ts";
import { installAgents } from "./install.ts";

const isWanted = (process.env["BATON_TEST_AGENTS"] ?? "").split(",").includes("pi");
const installed = isWanted ? await installAgents("pi") : undefined;
if (installed?.ok === false) throw new Error(installed.why); // somebody asked for it
const program = installed?.programs.pi;

describe.runIf(program !== undefined)("pi", { timeout: 60_000 }, () => {
  let fake: FakeModel;
  let root: string;
  let cwd: string;
  const agents: PiAgent[] = [];
  beforeAll(async () => {
    fake = await FakeModel.start();
    root = mkdtempSync(join(tmpdir(), "baton-real-pi-"));
    cwd = join(root, "work");
    mkdirSync(cwd);
    mkdirSync(join(root, "pi"));
    const model = { id: "fake-model", name: "Fake", contextWindow: 128_000, maxTokens: 4096 };
    const api = { baseUrl: `${fake.url}/v1`, api: "openai-completions", apiKey: "test", models: [model] };
    writeFileSync(join(root, "pi", "models.json"), JSON.stringify({ providers: { fake: api } }));
  });
  afterAll(async () => {
    await Promise.all(agents.map((agent) => agent.close()));
    await fake.close();
    rmSync(root, { recursive: true, force: true });
  });

  function open(): PiAgent {
    const agent = openPi({
      ...{ cwd, command: [...(program ?? (["pi"] as const)), "--provider", "fake", "--model", "fake-model"] },
      env: {
        ...{ PI_CODING_AGENT_DIR: join(root, "pi"), PI_OFFLINE: "1", PI_TELEMETRY: "0", HOME: root },
        PATH: [dirname(process.execPath), process.env["PATH"]].join(delimiter),
      },
    });
    agents.push(agent);
    return agent;
  }

  const asking = (steps: readonly Step[], more: Partial<TurnRequest> = {}): TurnRequest => ({
    ...{ node: "n", prompt: scripted(...steps), tools: "coding", idempotencyKey: "1" },
    ...{ signal: new AbortController().signal, progress: () => {}, ...more },
  });
  const write = (path: string): Step => ({ tool: "write", args: { path, content: "text\n" } });
  const asksIn = (turn: Turn) => {
    if (turn.kind !== "asks") throw new Error(JSON.stringify(turn));
    return turn;
  };

  test("writes what a person approves, not what one denies, and comes back with its history", async () => {
    const agent = open();
    const steps = [write("yes.txt"), write("no.txt"), { text: "The word is heron." }];
    const first = asksIn(await agent.turn(asking(steps)));
    expect(first).toMatchObject({ title: "write yes.txt", args: { kind: "edit", paths: ["yes.txt"] } });
    expect(existsSync(join(cwd, "yes.txt"))).toBe(false);
    const second = asksIn(await agent.turn(asking(steps, { approval: { approved: true, asked: first } })));
    expect(readFileSync(join(cwd, "yes.txt"), "utf8")).toBe("text\n");
    const done = await agent.turn(
      asking(steps, { approval: { approved: false, asked: second, reason: "No." } }),
    );
    expect(done).toMatchObject({ kind: "done", text: "The word is heron.", usage: { tokens: 360 } });
    expect(existsSync(join(cwd, "no.txt"))).toBe(false);
    await agent.close();
    const cursor = done.kind === "done" ? done.cursor : null;
    const next = await open().turn(asking([{ text: "Back." }], { cursor, idempotencyKey: "2" }));
    expect(next).toMatchObject({ kind: "done", text: "Back." });
    expect(JSON.stringify(fake.asked.at(-1)?.body)).toContain("The word is heron.");
  });

  test("is stopped in mid-stream, and an error of its model is a failure", async () => {
    const agent = open();
    const stop = new AbortController();
    const slow = [{ text: "one two three four", chunks: 18, delayMs: 150 }];
    const stopped = await agent.turn(asking(slow, { signal: stop.signal, progress: () => stop.abort() }));
    expect(stopped).toMatchObject({ kind: "failed", failure: { message: "The turn was stopped." } });
    const wrong = [{ error: { status: 400, message: "No such thing." } }];
    const failed = await agent.turn(asking(wrong, { idempotencyKey: "2" }));
    expect(failed).toMatchObject({
      kind: "failed",
      failure: { message: expect.stringContaining("No such thing.") },
    });
  });

  test("is killed while a person decides; the decision still counts", async () => {
    const steps = [write("late.txt"), { text: "Written." }];
    const agent = open();
    const asked = asksIn(await agent.turn(asking(steps, { idempotencyKey: "3" })));
    await agent.close();
    const approval = { approved: true, asked };
    const again = asking(steps, {
      idempotencyKey: "3",
      approval,
      ...(asked.cursor && { cursor: asked.cursor }),
    });
    expect(await open().turn(again)).toMatchObject({ kind: "done", text: "Written." });
    expect(readFileSync(join(cwd, "late.txt"), "utf8")).toBe("text\n");
  });
});
