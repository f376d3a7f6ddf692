/** The promise of `run`: an exit code for every end, one JSON document, and nothing runs that lacks something. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { ResultDocument } from "../../src/protocol/result.ts";
import { AGENT, CommandLine, inARow, program, ROOT } from "./cli-harness.ts";

const EXAMPLE = join(ROOT, "examples", "graph-semantics-loadout.json");
const SCRIPT = join(ROOT, "examples", "graph-semantics-script.json");

const HUMAN = { type: "human", prompt: "Which colour?" };
const FILES = {
  "done.json": inARow({ say: program("process.stdout.write('hello')") }),
  "fails.json": inARow({ say: program("console.error('no such thing'); process.exit(3)") }),
  "asks.json": inARow({ person: HUMAN }),
  "agent.json": inARow({ builder: AGENT }),
  "budget.json": inARow({ first: AGENT, second: AGENT }),
  "broken.json": { entry: "Socket-9", sockets: { "Socket-1": { materia: "nobody" } } },
  "inbox.json": { nodes: [], edges: [] },
  "text.json": "{ no",
  "files.json": {
    ...{ entry: "Socket-1", materia: { person: HUMAN } },
    sockets: {
      "Socket-1": {
        materia: "person",
        advance: { cursor: "c", items: "state.files" },
        edges: [{ when: "always", to: "Socket-1" }],
      },
    },
    loops: { each: { sockets: ["Socket-1"], iterator: { items: "state.files", as: "file", cursor: "c" } } },
  },
  "script.json": { builder: ["built"], first: [{ $: "turn", usage: { tokens: 500 } }], second: ["two"] },
  "other.json": { builder: "not a list" },
};

describe.concurrent("the exit code of run says how it went", () => {
  test.each([
    [0, "completed", ["done.json"]],
    [0, "completed", ["agent.json", "--script", "script.json"]],
    [1, "failed", ["fails.json"]],
    [1, "failed", ["agent.json", "--script", "empty.json"]],
    [3, "waiting", ["asks.json"]],
    [4, "paused", ["budget.json", "--script", "script.json", "--budget", "tokens=0.4k"]],
  ])("%i: %s", async (code, status, args) => {
    const cli = new CommandLine({ ...FILES, "empty.json": {} });
    const ended = await cli.json("run", ...args);
    expect(ended).toMatchObject({ code, document: { status } });
  });

  test("a budget of time pauses a run that takes longer", async () => {
    const slow = { first: [{ $: "turn", delayMs: 600 }], second: ["two"] };
    const cli = new CommandLine({ ...FILES, "slow.json": slow });
    const args = ["budget.json", "--script", "slow.json", "--budget", "time=200ms", "--run-id", "late"];
    const { code, document } = await cli.json("run", ...args);
    expect({ code, status: document.status, reason: document.reason }).toEqual({
      code: 4,
      status: "paused",
      reason: "budget_exhausted",
    });
    const resumed = await cli.json("resume", "late");
    expect(resumed).toMatchObject({ code: 0, document: { status: "completed" } });
  });
});

/** Two turns, so at most 60,000 tokens and $0.18. */
const CEILING = [
  ...["run", "budget.json", "--script", "script.json", "--assume", "tokens-per-turn=30k,usd-per-mtok=3"],
];

describe.concurrent("what is missing or wrong is refused before anything runs", () => {
  test("by a code, in a sentence, and no run is left behind", async () => {
    const rows: [code: string, args: string[]][] = [
      ["not_found", ["run", "nothing.json"]],
      ["not_found", ["run", "asks.json", "--input-file", "nothing.json"]],
      ["not_found", ["run", "agent.json", "--script", "nothing.json"]],
      ["unreadable", ["run", "."]],
      ["invalid_definition", ["run", "broken.json"]],
      ["invalid_definition", ["run", "text.json"]],
      ["invalid_definition", ["run", "No-Such-Loadout"]],
      ["invalid_definition", ["run", "inbox.json", "--message", "a=b"]],
      ["invalid_definition", ["run", "asks.json", "--config", "text.json"]],
      ["not_found", ["run", "asks.json", "--config", "nothing.json"]],
      ["usage", ["run", "asks.json", "--assume", "miles=3"]],
      ["usage", ["run", "asks.json", "--limit", "3"]],
      ["above_budget", [...CEILING, "--budget", "tokens=10k"]],
      ["above_budget", [...CEILING, "--budget", "usd=0.01"]],
      ["no_agent", ["run", "agent.json"]],
      ["no_agent", ["run", "agent.json", "--agent", "scripted"]],
      ["no_agent", ["run", "agent.json", "--agent", "nobody", "--script", "script.json"]],
      ["invalid_script", ["run", "agent.json", "--script", "other.json"]],
      ["invalid_input", ["run", "asks.json", "--input-file", "text.json"]],
      ["usage", ["run", "asks.json", "--input", "novalue"]],
      ["usage", ["run", "asks.json", "--budget", "miles=3"]],
      ["usage", ["run", "asks.json", "--run-id", "two words"]],
      ["usage", ["run", "asks.json", "--durability", "never"]],
      ["usage", ["run", "asks.json", "--colour"]],
      ["usage", ["run"]],
      ["usage", ["rnu", "asks.json"]],
      ["usage", ["help", "rnu"]],
      ["not_found", ["run", "agent.json", "--script", "script.json", "--record", "nowhere/tape.jsonl"]],
      ["invalid_value", ["run", "files.json"]],
      ["unknown_run", ["show", "nothing"]],
      ["unknown_run", ["resume", "nothing"]],
    ];
    const cli = new CommandLine(FILES);
    const ended = await cli.all(...rows.map(([, args]) => [...args, "--json"]), ["runs", "--json"]);
    const told = ended.slice(0, -1).map(({ code, stdout }, index) => {
      const { error } = JSON.parse(stdout) as { error: { code: string; message: string } };
      expect(error.message).toMatch(/[.?]$/);
      return [error.code, code, rows[index]?.[1]];
    });
    expect(told).toEqual(rows.map(([code, args]) => [code, 2, args]));
    expect(JSON.parse(ended.at(-1)?.stdout ?? "")).toEqual({ runs: [] });
  });

  test("a verb that was mistyped is guessed, also when help is asked for it", async () => {
    const [ran, helped, unknown] = await new CommandLine().all(["rnu"], ["help", "rnu"], ["help", "zzzzzz"]);
    expect(ran?.stderr).toContain("Did you mean run?");
    expect(helped).toMatchObject({ code: 2, stdout: "" });
    expect(helped?.stderr).toBe("baton: Unknown command 'rnu'.\nDid you mean run?\n");
    expect(unknown?.stderr).toContain("Unknown command 'zzzzzz'.\nSee `baton --help`.");
  });

  test("a verb that was called wrongly points to its own help", async () => {
    const [bare, flag] = await new CommandLine().all(["run"], ["show", "x", "--zzzzzz"]);
    expect(bare?.stderr).toContain("See `baton run --help`.");
    expect(flag?.stderr).toContain("See `baton show --help`.");
  });

  test("a list that a loop works on and nothing makes is asked for, and the input is enough", async () => {
    const cli = new CommandLine(FILES);
    const { stderr } = await cli.run("run", "files.json");
    expect(stderr).toContain("give it as the input files");
    const given = await cli.json("run", "files.json", "--input", 'files=["a"]');
    expect(given).toMatchObject({ code: 3, document: { path: ["Socket-1@WI-1"] } });
  });

  test("a byte order mark before the JSON is no mistake", async () => {
    const cli = new CommandLine({ "marked.json": `\uFEFF${JSON.stringify(FILES["asks.json"])}` });
    expect(await cli.json("check", "marked.json")).toMatchObject({ code: 0, document: { ok: true } });
  });

  test("everything that is wrong with a definition is told at once", async () => {
    const cli = new CommandLine(FILES);
    const { document } = await cli.json<{ error: { issues: { code: string }[] } }>("run", "broken.json");
    expect(document.error.issues.length).toBeGreaterThan(1);
  });

  test("an id that is taken is refused", async () => {
    const cli = new CommandLine(FILES);
    await cli.run("run", "done.json", "--run-id", "one");
    const again = await cli.json("run", "done.json", "--run-id", "one");
    expect(again).toMatchObject({ code: 2, document: { error: { code: "already_exists" } } });
  });
});

describe("the result document", () => {
  test("has every field, and those of the run that it tells of", async () => {
    const cli = new CommandLine();
    const args = [EXAMPLE, "Greet", "people", "--script", SCRIPT, "--run-id", "greet"];
    const { code, document } = await cli.json("run", ...args);
    const { state, questions, ...rest } = document;
    expect(code).toBe(3);
    expect(rest).toEqual({
      ...{
        run: "greet",
        status: "waiting",
        reason: null,
        steps: [],
        turns: [],
        deliveries: [],
        rejections: [],
      },
      path: [
        ...["Socket-1", "Socket-2", "Socket-3", "Socket-4@WI-1", "Socket-5@WI-1"],
        ...["Socket-4@WI-1", "Socket-5@WI-1", "Socket-6@WI-1", "Socket-4@WI-2"],
      ],
      ...{ nodes: {}, warnings: [], usage: { tokens: 2100, costUsd: 0 }, error: null },
    });
    expect(Object.keys(state as object)).toEqual(["artifactIgnore", "vcs", "workItems"]);
    expect(questions).toEqual([{ id: "9/Socket-4:0", node: "Socket-4", value: expect.anything() }]);
    const done = await cli.json("approve", "greet");
    expect(done).toMatchObject({ code: 0, document: { status: "completed", usage: { tokens: 2800 } } });
    expect(readFileSync(join(cli.cwd, "GREETING.md"), "utf8")).toContain("Greeting");
    expect((await cli.json("show", "greet")).document).toEqual(done.document);
  });

  test("tells a failure with its place", async () => {
    const { document } = await new CommandLine(FILES).json("run", "fails.json");
    expect(document).toMatchObject({ status: "failed", reason: "utility_failed", questions: [] });
    expect(document.error).toMatchObject({ code: "utility_failed", at: "Socket-1" });
    expect(document.error?.message).toContain("no such thing");
  });

  test("is nothing that people read: without --json lines tell the same", async () => {
    const ended = await new CommandLine(FILES).run("run", "fails.json");
    expect(ended.stdout).toMatch(/^failed /);
    expect(ended.stdout).not.toContain("\u001b");
    expect(ended.stderr).toContain("Socket-1");
    expect((await new CommandLine(FILES).run("run", "done.json", "-q")).stderr).toBe("");
  });
});

describe("the event stream", () => {
  test("is one event per line, in the order of the log, and nothing else", async () => {
    const cli = new CommandLine(FILES);
    const { stdout } = await cli.run("run", "done.json", "--run-id", "one", "--jsonl");
    const events = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { seq: number; type: string });
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
    expect([events[0]?.type, events.at(-1)?.type]).toEqual(["run.started", "run.finished"]);
    const { document } = await cli.json<{ events: unknown[] }>("events", "one");
    expect(document.events).toEqual(events);
    expect((await cli.run("events", "one", "--jsonl")).stdout).toBe(stdout);
  });
});

describe("artifactDir of a config", () => {
  const tells = (key: string) =>
    program(
      `let s='';process.stdin.on('data',d=>s+=d).on('end',()=>console.log(JSON.stringify({state:{${key}:JSON.parse(s).runDir}})))`,
    );

  test("is where its runs keep their files, also when another process goes on", async () => {
    const sockets = {
      "Socket-1": { materia: "first", parse: "json", edges: [{ when: "always", to: "Socket-2" }] },
      "Socket-2": { materia: "person", edges: [{ when: "always", to: "Socket-3" }] },
      "Socket-3": { materia: "last", parse: "json" },
    };
    const materia = { first: tells("first"), person: HUMAN, last: tells("last") };
    const row = { entry: "Socket-1", sockets };
    const cli = new CommandLine({ "config.json": { artifactDir: "kept", loadouts: { row }, materia } });
    expect((await cli.run("run", "config.json", "--run-id", "one")).code).toBe(3);
    const { document } = await cli.json("answer", "one", "yes");
    const [folder = "", ...others] = readdirSync(join(cli.cwd, "kept"));
    const runDir = join(cli.cwd, "kept", folder);
    expect(document).toMatchObject({ status: "completed", state: { first: runDir, last: runDir } });
    expect(others).toEqual([]);
  });
});

describe("inputs", () => {
  const echo = { "echo.json": inARow({ echo: program("process.stdin.pipe(process.stdout)") }, "text") };

  test("come from a file, standard input and flags, in this order", async () => {
    const cli = new CommandLine({ ...echo });
    const args = ["run", "echo.json", "--json", "--input-file", "-", "--input", "b=[2]", "--input", "c=x y"];
    const { stdout } = await cli.start(args, '{ "a": 1, "b": "stdin" }').ended;
    const { state } = JSON.parse(stdout) as ResultDocument;
    expect(JSON.stringify(state)).toBe('{"a":1,"b":[2],"c":"x y"}');
  });

  test("the words of the task are the request", async () => {
    const code =
      "let s='';process.stdin.on('data',d=>s+=d).on('end',()=>console.log(JSON.stringify({state:{asked:JSON.parse(s).request}})))";
    const cli = new CommandLine({ "ask.json": inARow({ ask: program(code) }, "json") });
    const { document } = await cli.json("run", "ask.json", "add", "a", "health check");
    expect(document.state).toEqual({ asked: "add a health check" });
  });
});

describe("a module that exports a compiled StateGraph", () => {
  const graph = `
    import { END, START, StateGraph, interrupt } from "batonjs";
    const add = (a: string[], b: string[]) => [...a, ...b];
    const graph = new StateGraph({ topic: {}, log: { reducer: add, default: [] } })
      .addNode("a", (state: any) => ({ log: ["a " + state.topic] }))
      .addNode("b", () => ({ log: ["b"] }))
      .addNode("c", () => ({ log: ["c " + JSON.stringify(interrupt("Go on?"))] }))
      .addEdge(START, "a").addEdge("a", "b").addEdge("a", "c").addEdge("b", END).addEdge("c", END);
    export default graph.compile();`;

  test("runs, waits and goes on in another process", async () => {
    const cli = new CommandLine({ "graph.ts": graph });
    const asked = await cli.json("run", "graph.ts", "--input", "topic=bees", "--run-id", "bees");
    expect(asked).toMatchObject({ code: 3, document: { run: "bees", status: "waiting", path: [] } });
    expect(asked.document.steps).toEqual([["a"], ["b", "c"]]);
    expect(asked.document.questions).toEqual([{ id: "2/c:0", node: "c", value: "Go on?" }]);
    const done = await cli.json("answer", "bees", '{"yes":true}');
    expect(done.document).toMatchObject({ status: "completed", steps: [["a"], ["b", "c"]] });
    expect(done.document.state).toEqual({ topic: "bees", log: ["a bees", "b", 'c {"yes":true}'] });
  });

  test("shows what JSON has no form for in a readable one, and stops at --limit", async () => {
    const dated = `
      import { START, StateGraph } from "batonjs";
      export default new StateGraph({ when: {}, seen: {} })
        .addNode("a", () => ({ when: new Date(0), seen: new Map([["bees", new Set([1n])]]) }))
        .addNode("b", () => ({}))
        .addEdge(START, "a").addEdge("a", "b").addEdge("b", "a").compile();`;
    const cli = new CommandLine({ "dated.ts": dated });
    const { code, document } = await cli.json("run", "dated.ts", "--limit", "3");
    expect({ code, error: document.error?.code, steps: document.steps.length }).toEqual({
      ...{ code: 1, error: "step_limit", steps: 3 },
    });
    expect(document.state).toEqual({ when: "1970-01-01T00:00:00.000Z", seen: { bees: ["1"] } });
    expect((await cli.run("run", "dated.ts", "--limit", "many")).code).toBe(2);
  });

  test("takes inputs, not a task and not a script", async () => {
    const cli = new CommandLine({ ...FILES, "graph.ts": graph, "none.ts": "export const a = 1;" });
    for (const args of [["graph.ts", "bees"], ["graph.ts", "--script", "script.json"], ["none.ts"]]) {
      expect((await cli.run("run", ...args)).code).toBe(2);
    }
  });

  test("is checked like any definition", async () => {
    const broken =
      'import { StateGraph } from "batonjs";\nexport default new StateGraph({}).addNode("a", () => ({})).compile();';
    const cli = new CommandLine({ "graph.ts": graph, "broken.ts": broken });
    expect(await cli.json("check", "graph.ts")).toMatchObject({
      code: 0,
      document: { ok: true, errors: [] },
    });
    const { code, document } = await cli.json<{ errors: { code: string }[] }>("check", "broken.ts");
    expect(code).toBe(2);
    expect(document.errors.length).toBeGreaterThan(0);
    expect((await cli.run("graph", "graph.ts")).stdout).toMatch(/^flowchart TD/);
  });
});

describe("check and graph", () => {
  test("check has exactly its fields", async () => {
    const cli = new CommandLine(FILES);
    const good = await cli.json<object>("check", "done.json");
    expect(good.code).toBe(0);
    expect(good.document).toMatchObject({ ok: true, errors: [], warnings: [] });
    expect(Object.keys(good.document)).toEqual(["ok", "errors", "warnings", "termination"]);
    const bad = await cli.json<{ ok: boolean; errors: object[] }>("check", "broken.json");
    expect(bad).toMatchObject({ code: 2, document: { ok: false } });
    for (const issue of bad.document.errors) {
      expect(Object.keys(issue)).toEqual(["code", "pointer", "message", "hint"]);
    }
    expect(await cli.json("check", "text.json")).toMatchObject({ code: 2, document: { ok: false } });
  });

  test("graph draws a loadout, also one that comes with Baton", async () => {
    const cli = new CommandLine(FILES);
    expect((await cli.run("graph", "done.json")).stdout).toMatch(/^flowchart TD/);
    const { document } = await cli.json<{ nodes: object[] }>("graph", "Full-Auto");
    expect(document.nodes.length).toBeGreaterThan(3);
  });
});
