/** The promise of the small verbs: they say the truth about this machine, write over nothing, and forget on request. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { AGENT, CommandLine, inARow, program } from "./cli-harness.ts";

const FILES = {
  "done.json": inARow({ say: program("process.stdout.write('hello')") }),
  "gone.json": inARow({ say: program("process.stdout.write('goodbye')") }),
  "asks.json": inARow({ builder: AGENT }),
  "script.json": { builder: [{ $: "turn", ask: { title: "May I?", args: {} }, text: "ok" }] },
};
const asks = (run: string) => ["run", "asks.json", "--script", "script.json", "--run-id", run];

describe.concurrent("init", () => {
  test("writes a loadout that is fit to run and a script that plays it to its end", async () => {
    const cli = new CommandLine();
    const [init, check, run, again] = await cli.all(
      ["init", "flows", "--json"],
      ["check", "flows/loadout.json", "--json"],
      ["run", "flows/loadout.json", "Be polite", "--script", "flows/script.json", "--json"],
      ["init", "flows"],
    );
    expect(init).toMatchObject({ code: 0, stdout: expect.stringContaining("flows/script.json") });
    expect(JSON.parse(check?.stdout ?? "")).toMatchObject({
      ok: true,
      termination: { verdict: "terminates" },
    });
    const { status, path, warnings } = JSON.parse(run?.stdout ?? "") as Record<string, unknown>;
    expect({ status, warnings }).toEqual({ status: "completed", warnings: [] });
    expect(path).toEqual([
      ...["Socket-1", "Socket-2@WI-1", "Socket-3@WI-1", "Socket-2@WI-2", "Socket-3@WI-2"],
      ...["Socket-2@WI-2", "Socket-3@WI-2"],
    ]);
    expect(again).toMatchObject({ code: 2, stderr: expect.stringContaining("nothing is written over") });
  });

  test("writes nothing at all when one of the files is there", async () => {
    const cli = new CommandLine({ "script.json": "mine" });
    expect((await cli.run("init")).code).toBe(2);
    expect(readFileSync(join(cli.cwd, "script.json"), "utf8")).toBe("mine");
    expect((await cli.run("check", "loadout.json")).code).toBe(2);
  });
});

describe.concurrent("doctor", () => {
  test("finds what it needs, and says what is wrong with a config and a database", async () => {
    const cli = new CommandLine({ "config.json": "{ no", "broken.db": "this is no database".repeat(300) });
    const [fine, config, database] = await cli.all(
      ["doctor", "--json"],
      ["doctor", "--config", "config.json", "--json"],
      ["doctor", "--db", "broken.db"],
    );
    const { ok, findings } = JSON.parse(fine?.stdout ?? "") as {
      ok: boolean;
      findings: { name: string; ok: boolean }[];
    };
    expect({ ok, code: fine?.code }).toEqual({ ok: true, code: 0 });
    expect(findings.map(({ name }) => name)).toEqual(
      expect.arrayContaining(["baton", "node", "sqlite", "git", "jj", "config", "database"]),
    );
    expect(config?.code).toBe(1);
    expect(database).toMatchObject({ code: 1, stdout: expect.stringMatching(/wrong +database/) });
  });
});

describe.concurrent("completion", () => {
  test("is a script for each shell, and a refusal for others", async () => {
    const [bash, zsh, fish, other] = await new CommandLine().all(
      ...["bash", "zsh", "fish", "tcsh"].map((shell) => ["completion", shell]),
    );
    for (const script of [bash, zsh, fish]) expect(script?.stdout).toContain("__complete --");
    expect(other?.code).toBe(2);
  });

  test("offers verbs, flags, runs, nodes and questions", async () => {
    const cli = new CommandLine(FILES);
    const rows: [words: string[], found: string[]][] = [
      [["sh"], ["show"]],
      [
        ["show", "k"],
        ["k2", "k1"],
      ],
      [["--db", ".baton/baton.db", "show", "k1"], ["k1"]],
      [
        ["diff", "k1", "k"],
        ["k2", "k1"],
      ],
      [["send", "k1", ""], ["Socket-1"]],
      [["approve", "k1", ""], ["1/Socket-1:0"]],
      [["runs", "--status", "wai"], ["waiting"]],
      [["run", "--scr"], ["--script"]],
      [
        ["completion", ""],
        ["bash", "zsh", "fish"],
      ],
      [["run", ""], []],
      [["send", "nobody", ""], []],
      [["nothing", "--db"], ["--db"]],
    ];
    const ended = await cli.all(
      asks("k1"),
      asks("k2"),
      ...rows.map(([words]) => ["__complete", "--", ...words]),
    );
    const found = ended.slice(2).map(({ stdout }) => stdout.split("\n").filter((line) => line !== ""));
    expect(found).toEqual(rows.map(([, candidates]) => candidates));
    const [none, help] = await new CommandLine().all(["__complete", "--", "show", ""], ["--help"]);
    expect(none).toEqual({ code: 0, stdout: "", stderr: "" });
    expect(help?.stdout).not.toContain("__complete");
  });
});

describe.concurrent("runs prune and vacuum", () => {
  test("remove what is over and nothing else, once it is said which", async () => {
    const cli = new CommandLine(FILES);
    const start = ["run", "done.json", "--run-id"];
    const all = await cli.all(
      ["run", "gone.json", "--run-id", "one"],
      [...start, "two"],
      asks("open"),
      ["runs", "prune"],
      ["runs", "prune", "--older-than", "soon"],
      ["runs", "prune", "--status", "running"],
      ["runs", "sweep"],
      ["runs", "prune", "--keep", "1", "--dry-run", "--json"],
      ["runs", "prune", "--older-than", "1h", "--json"],
      ["runs", "prune", "--keep", "1", "--json"],
      ["runs", "vacuum", "--dry-run", "--json"],
      ["runs", "vacuum", "--json"],
      ["runs", "vacuum", "--dry-run"],
      ["runs", "--json"],
    );
    const ended = [...all];
    expect(ended.slice(3, 7).map(({ code }) => code)).toEqual([2, 2, 2, 2]);
    const [nothing, list] = ended.splice(-2);
    const [dry, none, pruned, would, vacuumed] = ended
      .slice(7)
      .map(({ stdout }) => JSON.parse(stdout) as { texts: number });
    const left = JSON.parse(list?.stdout ?? "") as unknown;
    expect(dry).toMatchObject({ runs: [{ run: "one" }], kept: 2, dryRun: true });
    expect(none).toMatchObject({ runs: [], kept: 3 });
    expect(pruned).toMatchObject({ runs: [{ run: "one", status: "completed" }], kept: 2 });
    // What only the run that is gone had said is dropped, and not before somebody means it.
    expect(would).toMatchObject({ dryRun: true, texts: vacuumed?.texts });
    expect(vacuumed?.texts).toBeGreaterThan(0);
    expect(nothing?.stdout).toMatch(/^0 texts would be dropped;/);
    expect(left).toMatchObject({ runs: [{ run: "open" }, { run: "two" }] });
  });
});

describe.concurrent("--config", () => {
  test("lies above the project's config", async () => {
    const named = (text: string) => ({
      activeLoadout: "L",
      loadouts: { L: inARow({ say: program(`console.log('${text}')`) }) },
    });
    const cli = new CommandLine({ "above.json": named("above") });
    await cli.run("init", ".baton");
    writeFileSync(join(cli.cwd, ".baton", "config.json"), JSON.stringify(named("project")));
    const [project, above] = await cli.all(
      ["graph", "L", "--json"],
      ["run", "L", "--config", "above.json", "--run-id", "one", "--json"],
    );
    expect(project?.code).toBe(0);
    expect(above?.code).toBe(0);
    expect((await cli.run("events", "one", "--jsonl")).stdout).toContain("'above'");
  });
});
