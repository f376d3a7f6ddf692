/** The promise of history: what happened can be decided again, compared, forked, and carried to another machine. */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { CommandLine } from "./cli-harness.ts";

const agent = { prompt: "Do it.", tools: "none" };
const loadout = (...materia: readonly string[]) => ({
  ...{ name: "row", entry: "Socket-1", materia: { one: agent, two: agent, three: agent } },
  sockets: Object.fromEntries(
    materia.map((name, index) => {
      const edges = index + 1 < materia.length ? [{ when: "always", to: `Socket-${index + 2}` }] : [];
      return [`Socket-${index + 1}`, { materia: name, parse: "text", edges }];
    }),
  ),
});
const pair = (edges: readonly object[]) => ({
  ...{ name: "pair", nodes: { lead: { kind: "orchestrator" }, coder: { kind: "task" } }, edges },
});
const GRAPH = `
  import { END, START, StateGraph } from "batonjs";
  export default new StateGraph({ topic: {}, when: {} })
    .addNode("a", () => ({ when: new Map([["day", new Date(0)]]) }))
    .addNode("b", ({ topic }: any) => ({ topic: topic + "!" }))
    .addEdge(START, "a").addEdge("a", "b").addEdge("b", END).compile();`;
const FILES = {
  "row.json": loadout("one", "two"),
  "longer.json": loadout("one", "two", "three"),
  "pair.json": pair([{ from: "lead", to: "coder" }]),
  "apart.json": pair([]),
  "told.json": {
    ...pair([{ from: "lead", to: "coder" }]),
    nodes: { lead: { kind: "orchestrator" }, coder: { kind: "task", prompt: "Write well." } },
  },
  "graph.ts": GRAPH,
  "other.ts": GRAPH.replace(
    '.addEdge("a", "b").addEdge("b", END)',
    '.addEdge("a", END).addEdge(START, "b").addEdge("b", END)',
  ),
  "script.json": {
    ...{ one: ["first", "first"], two: ["key sk-abcdefghijklmnopqrstuvwx"] },
    lead: [{ $: "turn", text: "Off.", sends: [{ to: "coder", message: "Build it." }] }],
    coder: ["Built."],
  },
};
const scripted = ["--script", "script.json", "--run-id"];
const RUNS = {
  row: ["run", "row.json", ...scripted, "row"],
  pair: ["run", "pair.json", "--message", "lead=Begin.", ...scripted, "pair"],
  bees: ["run", "graph.ts", "--input", "topic=bees", "--run-id", "bees"],
} as const;

async function shop(...runs: readonly (keyof typeof RUNS)[]): Promise<CommandLine> {
  const cli = new CommandLine(FILES);
  for (const run of runs) expect((await cli.run(...RUNS[run])).code).toBe(0);
  return cli;
}

describe.concurrent("replay", { timeout: 300_000 }, () => {
  test.each([
    ["row", "longer.json"],
    ["pair", "apart.json"],
    ["bees", "other.ts"],
  ] as const)(
    "%s comes to the same again, and %s is found to be another definition",
    async (run, changed) => {
      const cli = await shop(run);
      expect(await cli.json("replay", run)).toMatchObject({ code: 0, document: { run, identical: true } });
      const { document } = await cli.json<{ runs: object[] }>("replay", run, "--until", "3");
      expect(document.runs).toMatchObject([{ seq: 3 }]);
      const other = await cli.run("replay", run, "--with", changed);
      expect(other.code).toBe(7);
      expect(other.stdout).toMatch(/It differs at event \d+/);
    },
  );

  test("an inbox graph whose nodes are told something else goes the same way, without its edge it does not", async () => {
    const cli = await shop("pair");
    expect((await cli.run("replay", "pair", "--with", "told.json")).code).toBe(0);
    const { document } = await cli.json<{ difference: object }>("replay", "pair", "--with", "apart.json");
    expect(document.difference).toMatchObject({ by: "handler", task: "1/lead" });
  });

  test("an inbox graph whose edit left a workspace open goes the same way under a definition that does so, too", async () => {
    const cli = new CommandLine({
      ...FILES,
      "edit.json": [
        { type: "set_node", id: "extra", node: { kind: "task" } },
        { type: "set_edge", edge: { from: "coder", to: "extra" } },
      ],
      "edited.json": {
        ...{
          name: "pair",
          edges: [
            { from: "lead", to: "coder" },
            { from: "coder", to: "extra" },
          ],
        },
        nodes: { lead: { kind: "orchestrator" }, coder: { kind: "task" }, extra: { kind: "task" } },
      },
      "script.json": {
        ...FILES["script.json"],
        extra: [{ $: "turn", text: "Written.", write: { path: "made.txt", content: "x" } }],
      },
    });
    const [, , , replayed, changed] = await cli.all(
      RUNS.pair,
      ["edit", "pair", "edit.json", "--yes"],
      ["send", "pair", "extra", "Write."],
      ["replay", "pair"],
      ["replay", "pair", "--with", "edited.json"],
    );
    expect([replayed?.stdout, replayed?.code]).toEqual([expect.stringContaining("comes to the same"), 0]);
    expect([changed?.stdout, changed?.code]).toEqual([expect.stringContaining("the same way"), 0]);
  });

  test("a StateGraph says that its node functions were taken as recorded, and --rerun calls them", async () => {
    const cli = new CommandLine({
      ...FILES,
      "graph.ts": GRAPH.replace("=> ({ topic:", "=> (console.log('at work'), { topic:"),
      "louder.ts": GRAPH.replace('topic + "!"', 'topic + "!!"'),
      "astray.ts": GRAPH.replace(
        "() => ({ when:",
        "() => { throw new Error('lost'); return ({ when:",
      ).replace("]]) }))", "]]) }) })"),
    });
    const [, plain, again, document, louder, astray, row, other] = await cli.all(
      RUNS.bees,
      ["replay", "bees", "--json"],
      ["replay", "bees", "--rerun"],
      ["replay", "bees", "--rerun", "--json"],
      ["replay", "bees", "--rerun", "--with", "louder.ts", "--json"],
      ["replay", "bees", "--rerun", "--with", "astray.ts"],
      RUNS.row,
      ["replay", "row", "--rerun"],
    );
    expect(plain?.code).toBe(0);
    expect(JSON.parse(plain?.stdout ?? "")).toMatchObject({
      runs: [{ checked: "routes", unchecked: ["node functions"] }],
      hint: expect.stringContaining("--rerun"),
    });
    expect(again).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("2 node functions called again"),
    });
    expect(JSON.parse(document?.stdout ?? "")).toMatchObject({
      ...{ identical: true, runs: [{ checked: "nodes", unchecked: [], rehearsed: 2 }] },
    });
    expect(louder?.code).toBe(7);
    expect(JSON.parse(louder?.stdout ?? "")).toMatchObject({
      difference: {
        ...{ by: "node", node: "b", step: 2, part: "state", path: "/topic" },
        ...{ expected: "bees!!", recorded: "bees!" },
      },
    });
    expect(astray).toMatchObject({ code: 7 });
    expect(astray?.stdout).toContain("a, in step 1, finished then, and threw (lost) now.");
    expect(row?.code).toBe(0);
    expect(other).toMatchObject({ code: 2, stderr: expect.stringContaining("has no node functions") });
  });

  test("refuses a definition of another dialect, and one that is not there", async () => {
    const flags = [
      ["--with", "pair.json"],
      ["--with", "nothing.json"],
      ["--until", "soon"],
    ];
    const [, ...ended] = await new CommandLine(FILES).all(
      RUNS.row,
      ...flags.map((some) => ["replay", "row", ...some]),
    );
    expect(ended.map(({ code }) => code)).toEqual([2, 2, 2]);
  });
});

describe.concurrent("fork", { timeout: 300_000 }, () => {
  test("shares the past, goes on by itself, and may begin with another state", async () => {
    const cli = await shop("bees");
    const events = (await cli.json<{ events: { type: string; seq: number }[] }>("events", "bees")).document
      .events;
    const at = events.find(({ type }) => type === "step.committed")?.seq ?? 0;
    const forked = await cli.json(
      "fork",
      "bees",
      "--at",
      String(at),
      "--edit",
      "topic=wasps",
      "--run-id",
      "fork",
    );
    expect(forked).toMatchObject({
      code: 0,
      document: { run: "fork", from: { run: "bees", seq: at }, status: "running" },
    });
    expect(await cli.json("resume", "fork")).toMatchObject({
      code: 0,
      document: { status: "completed", steps: [["a"], ["b"]], state: { topic: "wasps!" } },
    });
    expect((await cli.json("show", "bees")).document.state).toMatchObject({ topic: "bees!" });
  });

  test("edits the state of a loadout without naming its channel", async () => {
    const cli = await shop("row");
    await cli.run("fork", "row", "--edit", "note.deep=[1]", "--run-id", "fork");
    expect((await cli.json("show", "fork")).document.state).toMatchObject({ note: { deep: [1] } });
  });

  test("refuses a moment that is not there, a taken id and an edit of nothing", async () => {
    const flags = [
      ["--at", "4000"],
      ["--at", "0"],
      ["--run-id", "bees"],
      ["--edit", "topic"],
      ["--edit", "nothing=1"],
    ];
    const cli = new CommandLine(FILES);
    const [, ...ended] = await cli.all(RUNS.bees, ...flags.map((some) => ["fork", "bees", ...some]), [
      "runs",
      "--json",
    ]);
    expect(ended.map(({ code }) => code)).toEqual([2, 2, 2, 2, 2, 0]);
    expect(JSON.parse(ended.at(-1)?.stdout ?? "")).toMatchObject({ runs: [{ run: "bees" }] });
  });
});

describe.concurrent("diff", { timeout: 300_000 }, () => {
  test("says where two runs went apart", async () => {
    const cli = await shop("row", "bees");
    await cli.run("run", "longer.json", "--script", "script.json", "--run-id", "longer");
    const apart = await cli.json<{ identical: boolean; diverges: { key: string } }>("diff", "row", "longer");
    expect(apart).toMatchObject({ code: 0, document: { identical: false } });
    expect(apart.document.diverges.key).toContain("Socket-2");
    const same = await cli.run("diff", "bees", "bees");
    expect(same.stdout).toContain("the same");
    expect((await cli.run("diff", "row", "nobody")).code).toBe(2);
  });
});

describe.concurrent("export and import", { timeout: 300_000 }, () => {
  test("carry a run to a place that has nothing else, where it shows and replays the same", async () => {
    const cli = await shop("row");
    expect(await cli.json("export", "row")).toMatchObject({
      code: 0,
      document: { file: "row.baton", run: "row" },
    });
    expect((await cli.run("export", "row")).code).toBe(2); // it is there
    const elsewhere = new CommandLine();
    writeFileSync(join(elsewhere.cwd, "r.baton"), readFileSync(join(cli.cwd, "row.baton")));
    expect(await elsewhere.json("import", "r.baton")).toMatchObject({ code: 0, document: { run: "row" } });
    expect(await elsewhere.json("show", "row")).toEqual(await cli.json("show", "row"));
    expect((await elsewhere.run("replay", "row")).code).toBe(0);
    expect((await elsewhere.run("import", "r.baton")).code).toBe(2); // the id is taken
    expect((await elsewhere.run("import", "r.baton", "--run-id", "copy")).code).toBe(0);
  });

  test("a damaged file is refused with 7, and nothing of it is kept", async () => {
    const cli = await shop("row");
    await cli.run("export", "row", "--out", "r.baton");
    const bytes = readFileSync(join(cli.cwd, "r.baton"));
    writeFileSync(join(cli.cwd, "r.baton"), bytes.subarray(0, bytes.length - 9));
    expect(await cli.json("import", "r.baton", "--run-id", "copy")).toMatchObject({
      code: 7,
      document: { error: { code: "damaged_bundle" } },
    });
    expect((await cli.run("show", "copy")).code).toBe(2);
    expect((await cli.run("import", "nothing.baton")).code).toBe(2);
  });

  test("secrets and named fields are taken out when that is asked for", async () => {
    const cli = await shop("row");
    const { document } = await cli.json<{ redacted: { values: number } }>("export", "row", "--redact");
    expect(document.redacted.values).toBeGreaterThan(0);
    await cli.run("import", "row.baton", "--run-id", "clean");
    expect((await cli.run("events", "clean", "-v", "--jsonl")).stdout).not.toContain("sk-abcdef");
    expect((await cli.run("export", "row", "--out", "-", "--json")).code).toBe(2);
    expect(existsSync(join(cli.cwd, "-"))).toBe(false);
  });
});

describe.concurrent("the files of a run", { timeout: 300_000 }, () => {
  const write = (content: string) => ({ path: "made.txt", content });
  const files = {
    "pair.json": pair([{ from: "lead", to: "coder", bidirectional: true }]),
    "script.json": {
      lead: [
        { $: "turn", text: "Off.", sends: [{ to: "coder", message: "Build it." }] },
        { $: "turn", text: "Better.", sends: [{ to: "coder", message: "Again." }] },
        { $: "turn", text: "Over.", finish: { ok: true, summary: "Done." } },
      ],
      coder: [
        { $: "turn", text: "One.", write: write("one"), sends: [{ to: "lead", message: "built" }] },
        { $: "turn", text: "Two.", write: write("two"), sends: [{ to: "lead", message: "built" }] },
      ],
    },
  };

  async function built(): Promise<{ cli: CommandLine; at: number }> {
    const cli = new CommandLine(files);
    for (const args of [
      ["init", "-q"],
      ["add", "-A"],
      ["commit", "-q", "-m", "begin"],
    ]) {
      execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@t", ...args], { cwd: cli.cwd });
    }
    expect((await cli.run("run", "pair.json", "--message", "lead=Go.", ...scripted, "r")).code).toBe(0);
    return { cli, at: (await turnsOf(cli, "r"))[0] ?? 0 };
  }

  /** The events that the turns of the coder ended with. */
  async function turnsOf(cli: CommandLine, run: string): Promise<readonly number[]> {
    type Log = { readonly events: readonly { type: string; task?: string; seq: number }[] };
    const { document } = await cli.json<Log>("events", run);
    return document.events
      .filter(({ type, task }) => type === "task.finished" && task?.endsWith("/coder"))
      .map(({ seq }) => seq);
  }

  test("are in the fork's own folder as they were then, and those of the run stay as they are", async () => {
    const { cli, at } = await built();
    const flags = ["--at", String(at), "--run-id", "fork"];
    const { document } = await cli.json<{ files: { folder: string } }>("fork", "r", ...flags);
    const { folder } = document.files;
    expect(folder).toBe(join(realpathSync(cli.cwd), ".baton", "forks", "fork"));
    expect(readFileSync(join(folder, "made.txt"), "utf8")).toBe("one");
    const before = execFileSync("git", ["status", "--porcelain"], { cwd: cli.cwd, encoding: "utf8" });
    expect(await cli.json("resume", "fork")).toMatchObject({ code: 0, document: { status: "completed" } });
    expect(readFileSync(join(folder, "made.txt"), "utf8")).toBe("two");
    expect(execFileSync("git", ["status", "--porcelain"], { cwd: cli.cwd, encoding: "utf8" })).toBe(before);
    expect((await cli.run("replay", "fork")).code).toBe(0);
    const early = await cli.json<{ files: { folder: string } }>(
      "fork",
      "r",
      "--at",
      "1",
      "--run-id",
      "early",
    );
    expect(existsSync(join(early.document.files.folder, "made.txt"))).toBe(false);
  });

  test("of a node that has a worktree are in a worktree of the fork's own as they were then", async () => {
    const cli = new CommandLine({
      ...files,
      "pair.json": {
        ...files["pair.json"],
        nodes: { lead: { kind: "orchestrator" }, coder: { kind: "task", workspace: "worktree" } },
      },
    });
    const git = (...args: readonly string[]) =>
      execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@t", ...args], {
        cwd: cli.cwd,
        encoding: "utf8",
      });
    writeFileSync(join(cli.cwd, ".gitignore"), ".baton\nhome\n");
    for (const args of [
      ["init", "-q"],
      ["add", "-A"],
      ["commit", "-q", "-m", "begin"],
    ])
      git(...args);
    expect((await cli.run("run", "pair.json", "--message", "lead=Go.", ...scripted, "r")).code).toBe(0);
    const turns = await turnsOf(cli, "r");
    const [, own] = git("worktree", "list", "--porcelain").match(/worktree (.*runs.*worktrees.*)/) ?? [];
    expect(readFileSync(join(own ?? "", "made.txt"), "utf8")).toBe("two");
    type Forked = { readonly files: { readonly worktrees?: readonly { readonly folder: string }[] } };
    const forkAt = async (seq: number, id: string): Promise<string | undefined> => {
      const flags = ["--at", String(seq), "--run-id", id];
      return (await cli.json<Forked>("fork", "r", ...flags)).document.files.worktrees?.[0]?.folder;
    };
    expect(await forkAt(1, "early")).toBeUndefined();
    const folder = (await forkAt(turns[0] ?? 0, "fork")) ?? "";
    expect(folder).not.toBe(own);
    expect(readFileSync(join(folder, "made.txt"), "utf8")).toBe("one");
    expect(await cli.json("resume", "fork")).toMatchObject({ code: 0, document: { status: "completed" } });
    expect(readFileSync(join(folder, "made.txt"), "utf8")).toBe("two");
    expect(existsSync(join(cli.cwd, "made.txt"))).toBe(false);
    const [replayed, again] = await cli.all(
      ["replay", "fork"],
      ["fork", "fork", "--at", String(turns[0]), "--run-id", "twice"],
    );
    expect(replayed?.stdout).toContain("comes to the same again");
    expect(again?.stdout).toMatch(/A worktree is as it was at event \d+, in /);
  });

  test("travel in a bundle and come out elsewhere, but not in a redacted one, which says so", async () => {
    const { cli, at } = await built();
    const exported = await cli.json("export", "r", "--out", "r.baton");
    expect(exported.document).toMatchObject({ trees: { pictures: 3 } });
    const redacted = await cli.run("export", "r", "--out", "red.baton", "--redact");
    expect(redacted.stdout).toContain("no files: files are not looked through");
    const elsewhere = new CommandLine();
    writeFileSync(join(elsewhere.cwd, "r.baton"), readFileSync(join(cli.cwd, "r.baton")));
    expect((await elsewhere.json("import", "r.baton")).document).toMatchObject({ pictures: 3 });
    const flags = ["--at", String(at), "--run-id", "fork"];
    const { document } = await elsewhere.json<{ files: { folder: string } }>("fork", "r", ...flags);
    expect(readFileSync(join(document.files.folder, "made.txt"), "utf8")).toBe("one");
    expect((await elsewhere.run("replay", "r")).code).toBe(0);
  });

  test("that nobody recorded are told as that, in one line", async () => {
    const cli = await shop("row");
    const { stdout } = await cli.run("fork", "row", "--run-id", "fork");
    expect(stdout.trim().split("\n")).toEqual([
      expect.stringContaining("fork  began as row was at event"),
      "It works in the folder of the run that it came from: the log does not say what the files were then.",
    ]);
  });
});
