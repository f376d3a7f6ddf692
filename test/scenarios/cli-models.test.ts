/** The promise of models as agents: a config is enough, people decide on what they change, and other processes go on. */
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Step, scripted } from "../fixtures/fake-model/script.ts";
import { FakeModel } from "../fixtures/fake-model/server.ts";
import { CommandLine } from "./cli-harness.ts";

let fake: FakeModel;
beforeAll(async () => {
  fake = await FakeModel.start();
});
afterAll(() => fake.close());

const write = (path: string): Step => ({ tool: "write", args: { path, content: "by a model\n" } });

/** A coder whose work is reviewed, and who gets another go when the review is not satisfied. */
const LOADOUT = {
  name: "models",
  entry: "Socket-1",
  sockets: {
    "Socket-1": { materia: "coder", parse: "text", edges: [{ when: "always", to: "Socket-2" }] },
    "Socket-2": { materia: "reviewer", parse: "json", edges: [{ when: "satisfied", to: "end" }] },
  },
  materia: {
    coder: {
      prompt: scripted(write("yes.txt"), write("no.txt"), { text: "One of two." }),
      tools: "coding",
      agent: "ours",
    },
    reviewer: {
      prompt: scripted({ toolless: true, text: '{"satisfied": true, "context": null}' }),
      tools: "none",
      agent: "ours",
    },
  },
};

function settings(more: object = {}): object {
  const provider = {
    provider: "openai-compatible",
    baseURL: `${fake.url}/v1`,
    model: "m",
    apiKeyEnv: "OUR_KEY",
  };
  return { agents: { ours: { kind: "model", ...provider, ...more } } };
}

function commandLine(more: object = {}): CommandLine {
  const { OUR_KEY: _, ...rest } = process.env;
  return new CommandLine(
    { "models.json": LOADOUT, "ours.json": settings(more) },
    { ...rest, OUR_KEY: "secret-key" },
  );
}

const RUN = ["run", "models.json", "--run-id", "one", "--config", "ours.json"];

describe("a model of a config", { timeout: 60_000 }, () => {
  test("writes what a person approves, not what one denies, and hands on what its schema says", async () => {
    const cli = commandLine();
    const first = await cli.json(...RUN);
    expect(first).toMatchObject({ code: 3, document: { status: "waiting" } });
    expect(first.document.questions).toMatchObject([
      { node: "Socket-1", value: { kind: "approval", title: "write yes.txt", args: { paths: ["yes.txt"] } } },
    ]);
    const second = await cli.json("approve", "one", "--config", "ours.json");
    expect(second.document.questions).toMatchObject([{ value: { title: "write no.txt" } }]);
    expect(readFileSync(join(cli.cwd, "yes.txt"), "utf8")).toBe("by a model\n");
    const done = await cli.json("deny", "one", "--reason", "Not this.", "--config", "ours.json");
    expect(done).toMatchObject({
      ...{ code: 0 },
      document: {
        status: "completed",
        path: ["Socket-1", "Socket-2"],
        usage: { tokens: 480, costUsd: null },
      },
    });
    expect(existsSync(join(cli.cwd, "no.txt"))).toBe(false);
    const kept = readdirSync(join(cli.cwd, ".baton", "conversations"));
    expect(kept).toHaveLength(2);
    const text = kept
      .map((name) => readFileSync(join(cli.cwd, ".baton", "conversations", name), "utf8"))
      .join();
    expect(text).not.toContain("secret-key");
  });

  test("goes on when its conversation is gone: the decision counts for what the person was shown", async () => {
    const cli = commandLine({ permissions: { edit: "ask" } });
    await cli.json(...RUN);
    rmSync(join(cli.cwd, ".baton", "conversations"), { recursive: true });
    const second = await cli.json("approve", "one", "--config", "ours.json");
    expect(second.document.questions).toMatchObject([{ value: { title: "write no.txt" } }]);
    expect(existsSync(join(cli.cwd, "yes.txt"))).toBe(true);
  });

  test("asks nobody where the config allows it, and is recorded like any agent", async () => {
    const cli = commandLine({ permissions: { edit: "allow" }, usdPerMillion: 10 });
    const done = await cli.json(...RUN, "--record", "tape.jsonl");
    expect(done).toMatchObject({ code: 0, document: { status: "completed" } });
    expect(done.document.usage).toEqual({ tokens: 480, costUsd: expect.closeTo(0.0048) });
    const again = await cli.json("run", "models.json", "--script", "tape.jsonl", "--run-id", "two");
    expect(again).toMatchObject({ code: 0, document: { status: "completed" } });
  });

  test("is killed with Baton in the middle of a turn: what was said, done and paid for is not again", async () => {
    const steps: Step[] = [
      { tool: "write", args: { path: "count.txt", content: "1" } },
      { tool: "edit", args: { path: "count.txt", old: "1", new: "11" } },
      { text: "Long is the way to the end", chunks: 20, delayMs: 150 },
    ];
    const materia = { coder: { prompt: scripted(...steps), tools: "coding", agent: "ours" } };
    const loadout = { name: "m", entry: "S", sockets: { S: { materia: "coder", parse: "text" } }, materia };
    const files = { "models.json": loadout, "ours.json": settings({ permissions: { edit: "allow" } }) };
    const cli = new CommandLine(files, { OUR_KEY: "k" });
    const own = () =>
      fake.asked.filter(({ conversation }) => JSON.stringify(conversation).includes("Long is the way"));
    const going = cli.start([...RUN, "--json"]);
    await expect.poll(() => own().length, { timeout: 15_000 }).toBe(3);
    going.child.kill("SIGKILL");
    await going.ended;
    const done = await cli.json("resume", "one", "--config", "ours.json");
    expect(done).toMatchObject({ code: 0, document: { status: "completed", usage: { tokens: 360 } } });
    expect(readFileSync(join(cli.cwd, "count.txt"), "utf8")).toBe("11");
    expect(own()).toHaveLength(4); // only the answer that was cut off is asked for again
  });

  test("takes the turns of an inbox graph: it hands work on, and waits for a person", async () => {
    const handsOn = scripted(
      { tool: "send", args: { to: "coder", message: "Build it." } },
      { text: "Handed on." },
    );
    const builds = scripted(write("a.txt"), { text: "Built." });
    const graph = {
      nodes: {
        lead: { kind: "task", agent: "ours", tools: "none", prompt: handsOn },
        coder: { kind: "task", agent: "ours", tools: "coding", prompt: builds },
      },
      edges: [{ from: "lead", to: "coder" }],
    };
    const cli = new CommandLine({ "graph.json": graph, "ours.json": settings() }, { OUR_KEY: "k" });
    const args = ["run", "graph.json", "--run-id", "one", "--config", "ours.json"];
    const asked = await cli.json(...args, "--message", "lead=Begin.");
    expect(asked.document).toMatchObject({ status: "waiting", questions: [{ node: "coder" }] });
    const done = await cli.json("approve", "one", "--config", "ours.json");
    expect(done.document.turns.map(({ node, status }) => [node, status])).toContainEqual([
      "coder",
      "completed",
    ]);
    expect(readFileSync(join(cli.cwd, "a.txt"), "utf8")).toBe("by a model\n");
  });

  test("stays within the budget of its turn, and the run keeps what it has", async () => {
    const cli = commandLine({ permissions: { edit: "allow" }, budget: { tokens: 100 }, retries: 0 });
    const { code, document } = await cli.json(...RUN);
    expect([code, document.status, document.reason]).toEqual([3, "paused", "agent_failed"]);
    expect((await cli.run("why", "one")).stdout).toContain("took 120 tokens, and its budget is 100");
  });
});

test("a config that cannot be is refused before anything runs, with a sentence that helps", async () => {
  const rows: [more: object, said: string][] = [
    [{ provider: undefined }, "needs provider"],
    [{ command: ["x"] }, "command means nothing to agents of kind model"],
    [{ timeout: "soon" }, "is no time"],
    [{ provider: "mistral" }, "npm install @ai-sdk/mistral"],
    [{ provider: "nobody" }, "Known: anthropic"],
    [{ baseURL: undefined }, 'needs a \\"baseURL\\"'],
    [{ apiKeyEnv: "NO_SUCH_KEY" }, "NO_SUCH_KEY, which is to hold the key"],
  ];
  const files = Object.fromEntries(rows.map(([more], index) => [`${index}.json`, settings(more)]));
  const cli = new CommandLine({ "models.json": LOADOUT, ...files }, { OUR_KEY: "k" });
  const ended = await cli.all(
    ...rows.map((_, index) => ["run", "models.json", "--config", `${index}.json`, "--json"]),
  );
  for (const [index, [more, said]] of rows.entries()) {
    expect([more, ended[index]?.code]).toEqual([more, 2]);
    expect(ended[index]?.stdout).toContain(said);
  }
});

test("`baton doctor` says of every kind of agent what is there, and of a config's agents what is missing", async () => {
  const agents = {
    local: { kind: "model", provider: "openai-compatible", baseURL: `${fake.url}/v1`, model: "m" },
    keyless: {
      kind: "model",
      provider: "openai-compatible",
      baseURL: "http://x",
      model: "m",
      apiKeyEnv: "NO_SUCH_KEY",
    },
    absent: { kind: "command", command: ["no-such-program", "{prompt}"] },
    node: { kind: "command", command: [process.execPath, "-p", "1"] },
  };
  const cli = new CommandLine({ "agents.json": { agents } });
  type Finding = { readonly name: string; readonly ok: boolean; readonly detail: string };
  const { document } = await cli.json<{ findings: readonly Finding[] }>("doctor", "--config", "agents.json");
  const found = new Map(document.findings.map((finding) => [finding.name, finding]));
  expect(found.get("agents model")).toMatchObject({
    ok: true,
    detail: expect.stringMatching(/^ai 7.*"kind":"model"/),
  });
  expect(found.get("agents command")?.detail).toContain('"kind": "command"');
  expect(found.get("agent pi")?.detail).toMatch(
    /"agent": "pi"|npm install --global @earendil-works\/pi-coding-agent@/,
  );
  expect(found.get("agent goose")?.detail).toMatch(/"agent": "goose"|npm install --global @aaif\/goose-acp@/);
  expect(found.get("config local")).toMatchObject({ ok: true, detail: 'of kind model; "agent": "local"' });
  expect(found.get("config keyless")).toMatchObject({
    ok: false,
    detail: expect.stringContaining("NO_SUCH_KEY"),
  });
  expect(found.get("config absent")).toMatchObject({
    ok: false,
    detail: expect.stringContaining("no-such-program"),
  });
  expect(found.get("config node")).toMatchObject({ ok: true });
});

test("a config that came with a repository says whom it would send what to, before anything is sent", async () => {
  const cli = new CommandLine({ "models.json": LOADOUT, "ours.json": settings() }, { OUR_KEY: "k" });
  for (const args of [
    ["init", "-q"],
    ["add", "."],
  ])
    spawnSync("git", args, { cwd: cli.cwd });
  const { length } = fake.asked;
  const refused = await cli.json<{ error: { code: string; message: string } }>(...RUN);
  expect([refused.code, refused.document.error.code]).toEqual([2, "not_trusted"]);
  expect(refused.document.error.message).toContain(
    `send what it works on to ${fake.url}/v1, with the key in OUR_KEY`,
  );
  expect(fake.asked).toHaveLength(length);
});
