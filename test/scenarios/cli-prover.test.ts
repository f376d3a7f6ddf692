/** The promise of looking ahead: what a loadout may cost, and which runs break its laws, before a token is spent. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { CheckDocument } from "../../src/protocol/result.ts";
import { AGENT, CommandLine, inARow, ROOT } from "./cli-harness.ts";
import { lanes } from "./lanes-stage.ts";

const EXAMPLE = join(ROOT, "examples", "graph-semantics-loadout.json");
const FILES = {
  "row.json": inARow({ first: AGENT, second: AGENT }),
  "script.json": { first: ["1"], second: ["2"] },
  "laws.json": { atMost: [{ visits: 0, of: "Socket-2" }] },
  "kept.json": { never: [{ end: { before: "Socket-2" } }] },
  "wrong.json": { never: [{ end: { before: "Socket-9" } }] },
  "laws.ts": "export const short = ({ visits }: { visits: unknown[] }) => visits.length < 2;",
  "none.ts": "export const no = 1;",
};

describe.concurrent("check of a folder", () => {
  test("checks every definition in it, and leaves out what is none", async () => {
    const cli = new CommandLine({ ...FILES, "bad.json": { entry: "Socket-9", sockets: {} } });
    const { code, document } = await cli.json<{ ok: boolean; files: (CheckDocument & { file: string })[] }>(
      "check",
      ".",
    );
    expect(code).toBe(2);
    expect(document.files.map(({ file, ok, errors }) => [file, ok, errors.length > 0])).toEqual([
      ["bad.json", false, true],
      ["row.json", true, false],
    ]);
    expect((await cli.run("check", ".")).stderr).toContain("script.json: no definition, left out");
  });
});

describe.concurrent("check says of the end of a run", () => {
  const back = { when: "not_satisfied", to: "Socket-1", maxTraversals: 100_000 };
  const long = {
    entry: "Socket-1",
    sockets: {
      "Socket-1": { materia: "A", parse: "json", edges: [back, { when: "satisfied", to: "end" }] },
    },
    materia: { A: AGENT },
  };

  test("that it comes, where there are too many ways for a formula, and how to get one", async () => {
    const { stdout } = await new CommandLine({ "long.json": long }).run("check", "long.json");
    expect(stdout).toContain("It always ends, but has too many ways");
    expect(stdout).toContain("maxTraversals");
  });

  test("of a graph in code no more than that a limit stops it", async () => {
    const code = `import { END, START, StateGraph } from "batonjs";
      export default new StateGraph({ n: {} })
        .addNode("a", () => ({ n: 1 })).addEdge(START, "a").addEdge("a", END).compile();`;
    const { stdout } = await new CommandLine({ "graph.ts": code }).run("check", "graph.ts");
    expect(stdout).toMatch(/fit to run\. Its code decides where it goes/);
  });
});

describe.concurrent("check --assume", () => {
  test("reckons the cost ceiling with the bound", async () => {
    const cli = new CommandLine(FILES);
    const args = ["check", EXAMPLE, "--assume", "items=20,tokens-per-turn=30k,usd-per-mtok=3"];
    const { code, document } = await cli.json<CheckDocument>(...args);
    expect(code).toBe(0);
    expect(document.termination).toMatchObject({
      verdict: "terminates",
      bound: expect.stringContaining("items"),
    });
    const { turns, tokens, usd } = document.ceiling ?? {};
    expect(tokens).toBe((turns ?? 0) * 30_000);
    expect(usd).toBeCloseTo(((tokens ?? 0) * 3) / 1e6);
    expect((await cli.run(...args)).stdout).toMatch(/At most \d+ turns, [\d.]+M tokens and \$[\d.]+\./);
  });

  test("says what it cannot know, and refuses what it does not", async () => {
    const cli = new CommandLine(FILES);
    expect((await cli.run("check", EXAMPLE, "--assume", "tokens-per-turn=1k")).stdout).toContain(
      "depend on items",
    );
    expect((await cli.run("check", EXAMPLE, "--assume", "miles=1")).code).toBe(2);
    expect(Object.keys((await cli.json<object>("check", "row.json")).document)).not.toContain("ceiling");
  });
});

describe.concurrent("run --assume", () => {
  const run = ["run", "row.json", "--script", "script.json", "--assume", "tokens-per-turn=30k"];

  test.each([
    [["--budget", "tokens=60k"], 0],
    [["--budget", "tokens=59k"], 2],
    [["--budget", "tokens=59k", "--yes"], 0],
    [[], 0],
  ])("with %j exits with %i", async (flags, code) => {
    const ended = await new CommandLine(FILES).run(...run, ...flags);
    expect(ended.code).toBe(code);
    expect(ended.stderr).toContain(
      code === 0 ? "At most 2 turns and 60k tokens." : "60,000 tokens, and its budget is 59,000",
    );
  });
});

describe.concurrent("before its first turn a run tells", () => {
  test("its bound, when it has a budget and nobody says what a turn takes", async () => {
    const ended = await new CommandLine(FILES).run(
      ...["run", "row.json", "--script", "script.json", "--budget", "usd=1"],
    );
    expect(ended).toMatchObject({ code: 0, stderr: expect.stringContaining("At most 2 turns.") });
    expect(ended.stderr).toContain("add --assume tokens-per-turn=30k,usd-per-mtok=3");
  });

  test("what would keep the lanes of a loop from their worktrees", async () => {
    const script = { Plan: [{ workItems: [] }] };
    const cli = new CommandLine({ "lanes.json": lanes({}, "coding"), "plan.json": script });
    const ended = await cli.run("run", "lanes.json", "--script", "plan.json", "--yes");
    expect(ended.stderr).toContain("loop items needs a worktree for each item");
    expect(ended.stderr).toContain("git init");
    const { stderr } = await cli.run("run", "lanes.json", "--script", "plan.json", "--yes", "--quiet");
    expect(stderr).not.toContain("worktree");
  });
});

describe.concurrent("simulate", () => {
  test("says that no law was given, and claims none was kept", async () => {
    const { stdout } = await new CommandLine(FILES).run("simulate", "row.json", "--runs", "5");
    expect(stdout).toContain("No laws were given");
    expect(stdout).not.toContain("held");
  });

  test("the same seed gives the same report", async () => {
    const cli = new CommandLine(FILES);
    const [one, again] = [
      await cli.json<{ runs: number }>("simulate", "row.json", "--runs", "20", "--seed", "s"),
      await cli.json("simulate", "row.json", "--runs", "20", "--seed", "s"),
    ];
    expect(one).toMatchObject({ code: 0, document: { ok: true, runs: 20, seed: "s", violations: [] } });
    expect(again).toEqual(one);
  });

  test("a broken law exits with 1, and its script shows it", async () => {
    const cli = new CommandLine(FILES);
    const args = [
      "simulate",
      "row.json",
      "--runs",
      "20",
      "--invariants",
      "laws.json",
      "--out",
      "broken.json",
    ];
    const { code, stdout } = await cli.run(...args);
    expect(code).toBe(1);
    expect(stdout).toContain("Socket-1 → Socket-2");
    expect(JSON.parse(readFileSync(join(cli.cwd, "broken.json"), "utf8"))).toHaveProperty("Socket-1");
    const shown = await cli.json("run", "row.json", "--script", "broken.json");
    expect(shown.document.path).toEqual(["Socket-1", "Socket-2"]); // all that the law needs to be broken
    expect((await cli.run(...args)).code).toBe(2); // the file is there
    expect(existsSync(join(cli.cwd, "broken-2.json"))).toBe(false);
  });

  test("takes laws of a module, and keeps quiet about those that hold", async () => {
    const cli = new CommandLine(FILES);
    const broken = await cli.json<{ violations: object[] }>(
      "simulate",
      "row.json",
      "--invariants",
      "laws.ts",
    );
    expect(broken).toMatchObject({ code: 1, document: { violations: [{ invariant: "short" }] } });
    expect((await cli.run("simulate", "row.json", "--invariants", "kept.json")).code).toBe(0);
  });

  test("refuses what it cannot play, and laws that say nothing", async () => {
    const rows = [
      ["row.json", "--runs", "0"],
      ["row.json", "--invariants", "wrong.json"],
      ["row.json", "--invariants", "none.ts"],
      ["row.json", "--invariants", "nothing.ts"],
      ["laws.ts"],
    ];
    const ended = await new CommandLine(FILES).all(...rows.map((args) => ["simulate", ...args]));
    expect(ended.map(({ code }) => code)).toEqual(rows.map(() => 2));
  });
});
