/** What touches the machine: finding programs, starting them, and ending them with everything that they started. */

import { chmodSync, mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import type { Turn } from "../../agent/agent.ts";
import { AcpAgent } from "./acp-agent.ts";
import { goose } from "./agents/goose.ts";
import { detectAgents } from "./detect-agents.ts";
import { openAgent } from "./open-agent.ts";
import { startProcess } from "./wire.ts";

const cwd = mkdtempSync(join(tmpdir(), "baton-machine-"));

function program(folder: string, name: string, lines: readonly string[]): string {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, name);
  writeFileSync(path, [`#!${process.execPath}`, ...lines].join("\n"));
  chmodSync(path, 0o755);
  return path;
}

/** An agent of the protocol in a process of its own; it starts a child that outlives it, and says its number. */
const SDK = pathToFileURL(
  join(import.meta.dirname, "../../../node_modules/@agentclientprotocol/sdk/dist/v1/unstable/acp.js"),
);
const AGENT = program(cwd, "agent.mjs", [
  `import { agent, methods, ndJsonStream } from ${JSON.stringify(SDK.href)};`,
  'import { spawn } from "node:child_process";',
  'import { Readable, Writable } from "node:stream";',
  'const child = spawn("sleep", ["600"]);',
  "agent()",
  "  .onRequest(methods.agent.initialize, () => ({ protocolVersion: 1 }))",
  '  .onRequest(methods.agent.session.new, () => ({ sessionId: "s" }))',
  "  .onRequest(methods.agent.session.prompt, async ({ params, client }) => {",
  '    if (params.prompt[0].text === "crash") { console.error("It hurts."); process.exit(3); }',
  '    const text = [child.pid, process.env.SECRET ?? "-", process.env.GIVEN ?? "-"].join(" ");',
  '    const update = { sessionUpdate: "agent_message_chunk", content: { type: "text", text } };',
  '    await client.notify(methods.client.session.update, { sessionId: "s", update });',
  '    return { stopReason: "end_turn" };',
  "  })",
  "  .connect(ndJsonStream(Writable.toWeb(process.stdout), Readable.toWeb(process.stdin)));",
]);

function agentOn(command: readonly [string, ...string[]]): AcpAgent {
  const from = { PATH: process.env["PATH"], SECRET: "secret" };
  const connect = startProcess({ command, cwd, env: { GIVEN: "given" }, from });
  return new AcpAgent({ quirks: { ...goose, failures: [] }, connect, cwd });
}

function turn(agent: AcpAgent, prompt = "Hello."): Promise<Turn> {
  return agent.turn({
    ...{ node: "n", prompt, tools: "none", idempotencyKey: prompt, progress: () => {} },
    signal: new AbortController().signal,
  });
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

test.skipIf(process.platform === "win32")(
  "closing ends the agent with what it started, and it saw no secret",
  async () => {
    const agent = agentOn([AGENT]);
    const done = await turn(agent);
    const [child, secret, given] = done.kind === "done" ? done.text.split(" ") : [];
    expect([secret, given]).toEqual(["-", "given"]);
    expect(isAlive(Number(child))).toBe(true);
    await agent.close();
    await expect.poll(() => isAlive(Number(child)), { timeout: 3000 }).toBe(false);
  },
);

test("an agent that crashes says how, and with which last words", async () => {
  const agent = agentOn([AGENT]);
  const crashed = await turn(agent, "crash");
  expect(crashed).toMatchObject({ kind: "failed", failure: { code: "agent_failed", retryable: true } });
  expect(JSON.stringify(crashed)).toContain("(code 3). Its last words: It hurts.");
  expect(await turn(agent)).toMatchObject({ kind: "done" });
  await agent.close();
});

test.each([
  ["is not there", join(cwd, "nothing"), "could not be started"],
  ["ends at once", program(cwd, "ends.mjs", ["process.exit(4)"]), "(code 4)"],
])("a program that %s fails the turn with a sentence", async (_, path, message) => {
  const agent = agentOn([path]);
  expect(await turn(agent)).toMatchObject({ failure: { message: expect.stringContaining(message) } });
  await agent.close();
});

test("agents are found in the project and on the path, and what is missing is said", async () => {
  program(join(cwd, "node_modules", ".bin"), "goose", ['console.log(" 1.50.0 ");']);
  const found = await detectAgents({ cwd, env: { PATH: "" } });
  expect(found.find(({ name }) => name === "goose")).toEqual({
    ...{
      name: "goose",
      program: join(cwd, "node_modules", ".bin", "goose"),
      version: "1.50.0",
      tried: "1.50.0",
    },
    advice: '"agent": "goose"',
  });
  const codex = found.find(({ name }) => name === "codex");
  expect(codex?.program).toBeUndefined();
  expect(codex?.advice).toContain("npm install --global @agentclientprotocol/codex-acp@2.6.0");
});

test("an agent that nobody knows, or that is not here, is refused with a sentence", () => {
  expect(() => openAgent("goosee", { cwd })).toThrow("Known: claude, codex, gemini, goose, opencode, qwen.");
  expect(() => openAgent("codex", { cwd, command: ["no-such-program"] })).toThrow("is not on this machine");
});
