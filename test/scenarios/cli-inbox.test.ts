/** The promise of inbox graphs on the command line: who wrote to whom is told, and a person can step in at any time. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { CommandLine, inARow, program, ROOT } from "./cli-harness.ts";

const TEAM = join(ROOT, "examples", "inbox-team.json");
const TEAM_SCRIPT = join(ROOT, "examples", "inbox-team-script.json");

const say = (text: string, more: object = {}) => ({ $: "turn", text, ...more });
const to = (node: string, message: string) => ({ sends: [{ to: node, message }] });
const PAIR = {
  name: "pair",
  nodes: { lead: { kind: "orchestrator" }, coder: { kind: "task" } },
  edges: [{ from: "lead", to: "coder" }],
};
const FILES = {
  "pair.json": PAIR,
  "broken.json": { nodes: { lead: { kind: "boss" } }, edges: [{ from: "lead", to: "nobody" }] },
  "row.json": inARow({ builder: { prompt: "Do it.", tools: "none" } }),
  "hands.json": { lead: [say("Off.", to("coder", "Build it."))], coder: ["Built."] },
  "fails.json": {
    lead: [say("Off.", to("coder", "Build it."))],
    coder: [say("", { fail: "No disk." }), "Built."],
  },
  "stalls.json": { lead: { outputs: ["The same."], repeat: true } },
  "asks.json": {
    lead: [say("Sent.", { ask: { title: "Send it?", args: {} }, ...to("coder", "Go.") })],
    coder: ["Ok."],
  },
  "slow.json": {
    lead: [say("Late.", { delayMs: 20_000, ...to("coder", "Too late.") }), "Again."],
    coder: ["?"],
  },
  "costly.json": {
    lead: [say("Off.", { usage: { tokens: 500 }, ...to("coder", "Build it.") })],
    coder: ["Built."],
  },
};
const run = (script: string, ...more: string[]) => [
  ...["run", "pair.json", "--script", script, "--run-id", "one", "--message", "lead=Begin."],
  ...more,
];

describe.concurrent("run of an inbox graph", () => {
  test("prints turns, deliveries, rejections and nodes in exactly these fields", async () => {
    const cli = new CommandLine();
    const { code, document } = await cli.json(
      ...["run", TEAM, "--script", TEAM_SCRIPT, "--message", "lead=We need a sign-up."],
    );
    expect({ code, status: document.status }).toEqual({ code: 0, status: "completed" });
    expect(document.turns[0]).toEqual({
      ...{ node: "lead", turn: 1, status: "completed" },
      consumed: [{ seq: 1, kind: "message", from: "user", message: "We need a sign-up." }],
    });
    expect(document.deliveries[0]).toEqual({
      ...{ seq: 1, from: "lead", to: "frontend", type: "handoff", artifacts: [] },
      message: "Build a sign-up form that posts name and e-mail.",
    });
    expect(document.rejections).toEqual([]);
    expect(document.nodes["judge"]).toEqual({ status: "idle", inbox: 0 });
    expect(document.state).toMatchObject({ goal: { open: false, ok: true } });
    expect([document.path, document.steps]).toEqual([[], []]);
    expect(document.usage.tokens).toBe(4650);
  });

  test("tells people who writes to whom", async () => {
    const { stdout, stderr } = await new CommandLine(FILES).run(...run("hands.json"));
    expect(stderr).toMatch(/pair started as one\n +user → lead: Begin\./);
    expect(stderr).toContain("lead → coder (handoff): Build it.");
    expect(stderr).not.toMatch(/step \d/);
    expect(stdout).toContain("turns    lead 1, coder 1");
  });

  test("is refused before anything runs when something is missing or wrong", async () => {
    const rows: [code: string, args: string[], said: string][] = [
      ["invalid_value", ["run", "pair.json", "--script", "hands.json"], "lead, coder"],
      ["unknown_node", ["run", "pair.json", "--script", "hands.json", "--message", "boss=Hi"], "lead, coder"],
      ["usage", ["run", "pair.json", "--script", "hands.json", "--message", "Hi"], "NODE=TEXT"],
      ["invalid_value", ["run", "pair.json", "--script", "hands.json", "--message", "lead= "], "empty"],
      ["usage", ["run", "pair.json", "Do", "it", "--script", "hands.json"], "neither a task nor inputs"],
      ["usage", ["run", "row.json", "--script", "hands.json", "--message", "lead=Hi"], "inbox graph"],
      ["no_agent", ["run", "pair.json", "--message", "lead=Hi"], "lead"],
      ["invalid_definition", ["run", "broken.json", "--message", "lead=Hi"], "cannot run"],
    ];
    const cli = new CommandLine(FILES);
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

  test("a used up budget pauses it, and a higher one lets it go on", async () => {
    const cli = new CommandLine(FILES);
    const limited = await cli.json(...run("costly.json", "--budget", "tokens=400"));
    expect(limited).toMatchObject({ code: 4, document: { reason: "budget_exhausted" } });
    const resumed = await cli.json("resume", "one", "--budget", "tokens=1k");
    expect(resumed).toMatchObject({ code: 0, document: { status: "completed" } });
    expect(resumed.document.turns.map(({ node }) => node)).toEqual(["lead", "coder"]);
  });
});

describe.concurrent("check and graph", () => {
  test("know an inbox graph by its content", async () => {
    const cli = new CommandLine(FILES);
    expect(await cli.json("check", "pair.json")).toMatchObject({
      code: 0,
      document: { ok: true, termination: { verdict: "may_not_terminate", cycle: ["lead", "coder", "lead"] } },
    });
    const broken = await cli.json<{ errors: { code: string }[] }>("check", "broken.json");
    expect(broken.code).toBe(2);
    expect(broken.document.errors.map(({ code }) => code)).toContain("unknown_endpoint");
    expect((await cli.run("graph", "pair.json")).stdout).toContain('n0 <-->|"handoff"| n1');
  });
});

describe.concurrent("send", () => {
  test("goes on with a run that was over, and takes the words as one text", async () => {
    const cli = new CommandLine(FILES);
    await cli.run(...run("hands.json"));
    const { code, document } = await cli.json("send", "one", "coder", "Once", "more");
    expect({ code, status: document.status }).toEqual({ code: 1, status: "failed" }); // the script has no more
    expect(document.turns.at(-1)).toMatchObject({
      ...{ node: "coder", turn: 2, status: "failed" },
      consumed: [{ seq: 2, kind: "message", from: "user", message: "Once more" }],
    });
  });

  test("gives a stalled run something new", async () => {
    const cli = new CommandLine(FILES);
    await cli.json(...run("stalls.json"));
    const send = () => cli.json("send", "one", "lead", "And now?");
    await send();
    const stalled = await send();
    expect(stalled).toMatchObject({ code: 5, document: { status: "paused", reason: "stalled" } });
    expect(stalled.document.nodes["lead"]).toMatchObject({ status: "blocked" });
    expect(await send()).toMatchObject({ code: 0, document: { status: "completed" } });
  });

  test("refuses an unknown node, an empty text and a run that has no inboxes", async () => {
    const cli = new CommandLine({ ...FILES, "built.json": { builder: ["built"] } });
    const rows: [args: string[], code: string][] = [
      [["one", "boss", "Hi"], "unknown_node"],
      [["one", "lead", " "], "invalid_value"],
      [["two", "lead", "Hi"], "usage"],
      [["one", "lead"], "usage"],
    ];
    const [, , ...ended] = await cli.all(
      run("hands.json"),
      ["run", "row.json", "--script", "built.json", "--run-id", "two"],
      ...rows.map(([args]) => ["send", ...args, "--json"]),
    );
    const told = ended.map(({ code, stdout }) => [
      code,
      (JSON.parse(stdout) as { error: { code: string } }).error.code,
    ]);
    expect(told).toEqual(rows.map(([, code]) => [2, code]));
  });

  test("--detach records it, and a resume goes on", async () => {
    const cli = new CommandLine(FILES);
    await cli.run(...run("stalls.json"));
    const told = await cli.json("send", "one", "lead", "More", "--detach");
    expect(told.document.nodes["lead"]).toEqual({ status: "idle", inbox: 1 });
    expect((await cli.json("resume", "one")).document.turns).toHaveLength(2);
  });

  test("while another process drives the run, it records the message and follows", async () => {
    const cli = new CommandLine({
      ...FILES,
      "slow.json": { lead: [say("Late.", { delayMs: 2500 })], coder: ["Hello."] },
    });
    const driver = cli.start(run("slow.json"));
    await driver.until("begins a turn");
    const sent = await cli.json("send", "one", "coder", "Hi");
    expect(sent).toMatchObject({ code: 0, document: { status: "completed" } });
    expect(sent.document.turns.map(({ node }) => node)).toEqual(["lead", "coder"]);
    expect((await driver.ended).code).toBe(0);
  });
});

describe.concurrent("edit", () => {
  const docs = { type: "set_node", id: "docs", node: { kind: "verifier" } };
  const edge = { type: "set_edge", edge: { from: "lead", to: "docs" } };

  test("changes the graph under its driver, which goes on with the new one", async () => {
    const late = { sends: [...to("coder", "Build it.").sends, ...to("docs", "Describe it.").sends] };
    const cli = new CommandLine({
      ...FILES,
      "grows.json": {
        lead: [say("Off.", { delayMs: 2500, ...late })],
        coder: ["Built."],
        docs: ["Described."],
      },
      "edits.json": [docs, edge],
    });
    const driver = cli.start([...run("grows.json"), "--json"]);
    await driver.until("begins a turn");
    const edited = await cli.json("edit", "one", "edits.json");
    expect(edited).toMatchObject({ code: 0, document: { status: "running", nodes: { docs: { inbox: 0 } } } });
    const { code, stdout } = await driver.ended;
    const { deliveries, rejections, turns } = JSON.parse(stdout) as typeof edited.document;
    expect({ code, rejections }).toEqual({ code: 0, rejections: [] });
    expect(deliveries.map(({ to: node }) => node)).toEqual(["coder", "docs"]);
    expect(turns.map(({ node }) => node)).toEqual(["lead", "coder", "docs"]);
  });

  test("rejects what a running turn had staged over an edge that is gone", async () => {
    const cli = new CommandLine({
      ...FILES,
      "slow.json": { lead: [say("Late.", { delayMs: 2500, ...to("coder", "Too late.") })] },
      "edit.json": { type: "remove_edge", id: "lead-coder" },
    });
    const driver = cli.start([...run("slow.json"), "--json"]);
    await driver.until("begins a turn");
    expect((await cli.run("edit", "one", "edit.json")).code).toBe(0);
    const { code, stdout } = await driver.ended;
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      ...{ deliveries: [], rejections: [{ from: "lead", to: "coder", code: "edge_removed" }] },
    });
  });

  test("prints the graph without a file, and takes back what was printed and changed", async () => {
    const cli = new CommandLine(FILES);
    await cli.run(...run("hands.json"));
    const { document: graph } = await cli.json<typeof PAIR>("edit", "one");
    expect(Object.keys(graph.nodes)).toEqual(["lead", "coder"]);
    const { coder: _, ...nodes } = graph.nodes;
    writeFileSync(join(cli.cwd, "new.json"), JSON.stringify({ ...graph, nodes, edges: [] }));
    const edited = await cli.json("edit", "one", "new.json");
    expect(edited).toMatchObject({ code: 0, document: { status: "completed" } });
    expect(Object.keys(edited.document.nodes)).toEqual(["lead"]);
    expect(await cli.json("send", "one", "coder", "Hi")).toMatchObject({ code: 2 });
  });

  test("says what is wrong and changes nothing; a loadout has no graph to change", async () => {
    const cli = new CommandLine({
      ...FILES,
      "built.json": { builder: ["built"] },
      "gone.json": { type: "remove_node", id: "boss" },
      "odd.json": [docs, { type: "set_colour" }],
      "loose.json": edge,
    });
    const edits = ["gone.json", "odd.json", "loose.json"].map((file) => ["edit", "one", file, "--json"]);
    const [, , ...ended] = await cli.all(
      run("hands.json"),
      ["run", "row.json", "--script", "built.json", "--run-id", "two"],
      ...edits,
      ["edit", "two", "gone.json", "--json"],
      ["edit", "one", "--json"],
    );
    const graph = ended.pop();
    const told = ended.map(({ code, stdout }) => {
      const { error } = JSON.parse(stdout) as { error: { code: string; issues?: { code: string }[] } };
      return [code, error.code, error.issues?.[0]?.code];
    });
    expect(told).toEqual([
      [2, "invalid_definition", "unknown_node"],
      [2, "invalid_definition", "unknown_value"],
      [2, "invalid_definition", "unknown_endpoint"],
      [2, "usage", undefined],
    ]);
    expect(Object.keys((JSON.parse(graph?.stdout ?? "") as typeof PAIR).nodes)).toEqual(["lead", "coder"]);
  });
});

describe.concurrent("a turn that goes wrong", () => {
  test("fails the run with 1; retry needs no name when one node failed, and plays nothing twice", async () => {
    const cli = new CommandLine(FILES);
    const failed = await cli.run(...run("fails.json"));
    expect(failed.code).toBe(1);
    expect(failed.stderr).toContain("retry one coder");
    expect((await cli.run("retry", "one", "lead")).code).toBe(2);
    const { code, document } = await cli.json("retry", "one");
    expect(code).toBe(0);
    expect(document.turns.map(({ node, status }) => `${node} ${status}`)).toEqual([
      ...["lead completed", "coder failed", "coder completed"],
    ]);
    expect(await cli.json("retry", "one")).toMatchObject({
      code: 2,
      document: { error: { code: "wrong_state" } },
    });
  });

  test("retry names the nodes of a graph that has no such node", async () => {
    const cli = new CommandLine(FILES);
    await cli.run(...run("fails.json"));
    const { document } = await cli.json<{ error: { message: string } }>("retry", "one", "boss");
    expect(document.error.message).toContain("lead, coder");
    const typo = await cli.json<{ error: { message: string } }>("retry", "one", "codre");
    expect(typo.document.error.message).toContain("Did you mean coder? It has: ");
  });

  test("retry tries a loadout's failed socket again, too", async () => {
    const code =
      "const fs = require('fs'); if (fs.existsSync('ready')) console.log('ok'); else process.exit(1)";
    const cli = new CommandLine({ "row.json": inARow({ look: program(code) }) });
    const failed = await cli.run("run", "row.json", "--run-id", "row");
    expect(failed.code).toBe(1);
    expect(failed.stderr).toMatch(/Try it again with: .*baton resume row/);
    writeFileSync(join(cli.cwd, "ready"), "");
    expect((await cli.run("retry", "row", "Socket-2")).code).toBe(2);
    expect(await cli.json("retry", "row")).toMatchObject({ code: 0, document: { status: "completed" } });
  });

  test("is interrupted by another process: it sends nothing, and its inputs are used up", async () => {
    const cli = new CommandLine(FILES);
    const driver = cli.start([...run("slow.json"), "--json"]);
    await driver.until("begins a turn");
    expect((await cli.run("interrupt", "one", "coder")).code).toBe(2);
    expect((await cli.run("interrupt", "one", "lead", "--reason", "Wrong way")).code).toBe(0);
    const ended = await driver.ended;
    expect(ended.code).toBe(0);
    const { turns, deliveries, nodes } = JSON.parse(ended.stdout) as Record<string, object[]>;
    expect(turns).toMatchObject([{ node: "lead", status: "interrupted" }]);
    expect(deliveries).toEqual([]);
    expect(nodes).toMatchObject({ lead: { status: "idle", inbox: 0 } });
  });
});

describe.concurrent("a person in between", () => {
  test("approves, and only then is anything sent", async () => {
    const cli = new CommandLine(FILES);
    const asked = await cli.json(...run("asks.json"));
    expect(asked).toMatchObject({ code: 3, document: { status: "waiting", deliveries: [] } });
    expect(asked.document.nodes["lead"]).toMatchObject({ status: "blocked" });
    expect(await cli.json("answer", "one", "Sure, go ahead")).toMatchObject({ code: 2 });
    const { code, document } = await cli.json("approve", "one");
    expect({ code, sent: document.deliveries.length }).toEqual({ code: 0, sent: 1 });
  });

  test("killed while a question is open: a resume asks it once, and the answer goes on with the same turn", async () => {
    const cli = new CommandLine({
      ...FILES,
      "both.json": {
        lead: [say("Sent.", { ask: { title: "Send it?", args: {} }, ...to("coder", "Go.") })],
        coder: [say("Late.", { delayMs: 60_000 }), "Ok."],
      },
      "quick.json": {
        lead: [say("Sent.", { ask: { title: "Send it?", args: {} }, ...to("coder", "Go.") })],
        coder: ["Begun again.", "Ok."],
      },
    });
    const driver = cli.start(run("both.json", "--message", "coder=Begin."));
    await driver.until("Send it?");
    driver.child.kill("SIGKILL");
    await driver.ended;
    const resumed = await cli.json("resume", "one", "--script", "quick.json");
    expect(resumed).toMatchObject({
      code: 3,
      document: { status: "waiting", questions: [{ node: "lead" }] },
    });
    expect(resumed.document.questions).toHaveLength(1);
    const approved = await cli.json("approve", "one", "--script", "quick.json");
    expect(approved).toMatchObject({ code: 0, document: { status: "completed", questions: [] } });
    const turns = approved.document.turns.map(({ node, turn, status }) => `${node} ${turn} ${status}`);
    expect(turns).toEqual([
      ...["lead 1 completed", "coder 1 interrupted", "coder 2 completed", "coder 3 completed"],
    ]);
    const { stdout } = await cli.run("events", "one", "--jsonl");
    expect(stdout.match(/"task\.asked"/g)).toHaveLength(1);
    const question = resumed.document.questions[0]?.id ?? "";
    expect(await cli.json("deny", "one", question)).toMatchObject({
      ...{ code: 2, document: { error: { code: "already_answered" } } },
    });
  });

  test("denies, and the turn goes on without it", async () => {
    const cli = new CommandLine(FILES);
    await cli.run(...run("asks.json"));
    const { code, document } = await cli.json("deny", "one", "--reason", "Not now");
    expect({ code, sent: document.deliveries }).toEqual({ code: 0, sent: [] });
  });

  test("a resume waits until the driver of a paused run has settled what it has in hand", async () => {
    const cli = new CommandLine({
      ...FILES,
      "slow.json": { lead: [say("Late.", { delayMs: 3000, ...to("coder", "Go.") })], coder: ["Ok."] },
    });
    const driver = cli.start(run("slow.json"));
    await driver.until("begins a turn");
    expect((await cli.run("pause", "one")).code).toBe(0);
    const resumed = await cli.json("resume", "one");
    expect(resumed).toMatchObject({ code: 0, document: { status: "completed" } });
    expect(resumed.document.turns.map(({ node }) => node)).toEqual(["lead", "coder"]);
    expect((await driver.ended).code).toBe(3);
  });

  test("cancels, and nothing is told to be at work or open any more", async () => {
    const cli = new CommandLine(FILES);
    const driver = cli.start(run("slow.json", "--json"));
    await driver.until("begins a turn");
    expect(await cli.run("cancel", "one")).toMatchObject({ code: 0 });
    const { code, stdout } = await driver.ended;
    const lead = { status: "idle", inbox: 0 };
    const turns = [{ node: "lead", status: "interrupted" }];
    expect({ code, document: JSON.parse(stdout) }).toMatchObject({
      ...{ code: 6, document: { status: "cancelled", turns, nodes: { lead } } },
    });
    const other = new CommandLine(FILES);
    const [, , shown] = await other.all(run("asks.json"), ["cancel", "one"], ["show", "one", "--json"]);
    expect(JSON.parse(shown?.stdout ?? "")).toMatchObject({ turns, nodes: { lead }, questions: [] });
  });

  test("pauses and resumes", async () => {
    const cli = new CommandLine(FILES);
    await cli.run(...run("hands.json", "--detach"));
    expect(await cli.json("pause", "one")).toMatchObject({ code: 0, document: { status: "paused" } });
    expect(await cli.json("resume", "one")).toMatchObject({ code: 0, document: { status: "completed" } });
  });
});
