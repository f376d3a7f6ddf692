/** The files of loadout runs: pictured visit by visit, given back to forks, carried along, and cleared away. */
import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { CommandLine, program } from "./cli-harness.ts";

const write = (content: string) => ({ $: "turn", text: content, write: { path: "made.txt", content } });
const coder = { prompt: "Write.", tools: "coding" };
const append = (text: string) => program(`require("fs").appendFileSync("made.txt", ${JSON.stringify(text)})`);
const row = (...materia: readonly string[]) =>
  Object.fromEntries(
    materia.map((name, index) => {
      const edges = index + 1 < materia.length ? [{ when: "always", to: `S${index + 2}` }] : [];
      return [`S${index + 1}`, { materia: name, parse: "text", edges }];
    }),
  );
const inner = {
  ...{ name: "inner", entry: "S1", sockets: row("draft", "ask", "polish") },
  materia: { draft: coder, ask: { type: "human", prompt: "Go on?" }, polish: coder },
};
const FILES = {
  "row.json": {
    ...{ name: "row", entry: "S1", sockets: row("one", "look", "tool", "two") },
    materia: { one: coder, look: { prompt: "Look.", tools: "none" }, tool: append("+"), two: coder },
  },
  "nested.json": {
    ...{ name: "nested", entry: "S1", sockets: row("one", "inside") },
    materia: { one: coder, inside: { type: "graph", loadout: "inner" } },
    loadouts: { inner },
  },
  "script.json": {
    ...{ one: [write("one")], look: ["seen"], two: [write("two")] },
    ...{ draft: [write("draft")], polish: [write("polished")] },
  },
};
type Log = {
  readonly events: readonly { type: string; seq: number; task?: string; kind?: string; data?: never }[];
};

function git(cwd: string, ...args: readonly string[]): string {
  return execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@t", ...args], {
    cwd,
    encoding: "utf8",
  });
}

function inRepository(): CommandLine {
  const cli = new CommandLine(FILES);
  for (const args of [
    ["init", "-q"],
    ["add", "-A"],
    ["commit", "-q", "-m", "begin"],
  ])
    git(cli.cwd, ...args);
  return cli;
}

const start = (file: string, run: string) => [
  "run",
  file,
  "--script",
  "script.json",
  "--run-id",
  run,
  "--yes",
];

async function endOf(cli: CommandLine, run: string, task: string): Promise<number> {
  const { document } = await cli.json<Log>("events", run);
  return document.events.find((event) => event.type === "task.finished" && event.task === task)?.seq ?? 0;
}

const made = (folder: string) => readFileSync(join(folder, "made.txt"), "utf8");

describe.concurrent("the files of a loadout", { timeout: 300_000 }, () => {
  test("are told visit by visit, come back in a fork of any moment, and replay asks nobody", async () => {
    const cli = inRepository();
    expect(await cli.run(...start("row.json", "r"))).toMatchObject({ code: 0 });
    const { document } = await cli.json<Log>("events", "r");
    const notes = document.events.filter(({ kind }) => kind === "loadout.files");
    expect(notes.map(({ task, data }) => [task, data])).toMatchObject([
      ["1/S1", { paths: ["made.txt"], artifact: { kind: "diff" } }],
      ["3/S3", { paths: ["made.txt"] }],
      ["4/S4", { paths: ["made.txt"] }],
    ]);
    expect((await cli.run("show", "r")).stdout).toMatch(/changed +S1: made.txt\n +S3: made.txt\n/);
    expect((await cli.run("replay", "r")).stdout).toContain("4 visits decided again, 0 taken as recorded");
    for (const [task, content] of [
      ["1/S1", "one"],
      ["2/S2", "one"],
      ["3/S3", "one+"],
    ] as const) {
      const run = `at-${task[0]}`;
      const at = String(await endOf(cli, "r", task));
      const forked = await cli.json<{ files: { folder: string } }>("fork", "r", "--at", at, "--run-id", run);
      expect(made(forked.document.files.folder)).toBe(content);
    }
    const folder = join(cli.cwd, ".baton", "forks", "at-2");
    expect(await cli.json("resume", "at-2")).toMatchObject({ code: 0, document: { status: "completed" } });
    expect(made(folder)).toBe("two");
    expect((await cli.run("replay", "at-2")).code).toBe(0);
    const again = await cli.json<{ files: { folder: string } }>(
      "fork",
      "at-2",
      "--at",
      String(await endOf(cli, "at-2", "1/S1")),
      "--run-id",
      "twice",
    );
    expect(made(again.document.files.folder)).toBe("one");
    expect(git(cli.cwd, "status", "--porcelain", "--untracked-files=all").trim()).toBe("?? made.txt");
  });

  test("differ in a diff of runs, and travel in a bundle to a folder that has nothing else", async () => {
    const cli = inRepository();
    await cli.run(...start("row.json", "r"));
    writeFileSync(
      join(cli.cwd, "script.json"),
      JSON.stringify({ ...FILES["script.json"], two: [write("else")] }),
    );
    git(cli.cwd, "commit", "-q", "-am", "other");
    await cli.run(...start("row.json", "s"));
    const { document } = await cli.json<{ visits: { differing: { key: string; differs: string[] }[] } }>(
      "diff",
      "r",
      "s",
    );
    expect(document.visits.differing.find(({ key }) => key === "S4")?.differs).toContain("diff");
    await cli.run("export", "r", "--out", "r.baton");
    const elsewhere = new CommandLine();
    writeFileSync(join(elsewhere.cwd, "r.baton"), readFileSync(join(cli.cwd, "r.baton")));
    await elsewhere.run("import", "r.baton");
    const at = String(await endOf(elsewhere, "r", "3/S3"));
    const forked = await elsewhere.json<{ files: { folder: string } }>(
      "fork",
      "r",
      "--at",
      at,
      "--run-id",
      "f",
    );
    expect(made(forked.document.files.folder)).toBe("one+");
  });

  test("of a loadout inside, at work in the same folder, come back as that one left them", async () => {
    const cli = inRepository();
    expect(await cli.json(...start("nested.json", "r"))).toMatchObject({ document: { status: "waiting" } });
    const forked = await cli.json<{ files: { folder: string; seq: number } }>("fork", "r", "--run-id", "f");
    const { folder } = forked.document.files;
    expect(made(folder)).toBe("draft");
    writeFileSync(join(cli.cwd, "made.txt"), "mine");
    const { document } = await cli.json("show", "f");
    const ended = await cli.json("answer", "f", document.questions[0]?.id ?? "", "yes");
    expect(ended).toMatchObject({ code: 0, document: { status: "completed" } });
    expect([made(folder), made(cli.cwd)]).toEqual(["polished", "mine"]);
    expect((await cli.run("replay", "f")).code).toBe(0);
  });

  test("without a repository leave no pictures, and nothing is different", async () => {
    const cli = new CommandLine(FILES);
    expect(await cli.run(...start("row.json", "r"))).toMatchObject({
      code: 0,
      stderr: expect.not.stringContaining("git"),
    });
    const { document } = await cli.json<Log>("events", "r");
    expect(
      document.events.filter(({ kind, type }) => kind === "loadout.files" || type === "task.remembered"),
    ).toHaveLength(3);
    expect((await cli.run("replay", "r")).code).toBe(0);
    expect((await cli.run("fork", "r", "--run-id", "f")).stdout).toContain(
      "the log does not say what the files were then",
    );
  });

  test("show no database that lies among them", async () => {
    const cli = inRepository();
    await cli.run(...start("row.json", "r"), "--db", "here.db");
    const { document } = await cli.json<Log>("events", "r", "--db", "here.db");
    const notes = document.events.filter(({ kind }) => kind === "loadout.files");
    expect(notes.map(({ data }) => data)).toMatchObject(
      Array.from({ length: 3 }, () => ({ paths: ["made.txt"] })),
    );
  });
});

describe.concurrent("what lies beside the database", { timeout: 300_000 }, () => {
  const names = (cli: CommandLine, kind: string) => {
    const folder = join(cli.cwd, ".baton", kind);
    return existsSync(folder) ? readdirSync(folder) : [];
  };

  test("goes with its runs, but not while a fork has its past from there", async () => {
    const cli = inRepository();
    await cli.run(...start("row.json", "r"));
    await cli.run(...start("row.json", "other"));
    const at = String(await endOf(cli, "r", "1/S1"));
    await cli.run("fork", "r", "--at", at, "--run-id", "f");
    const [own] = names(cli, "runs").filter((name) => !names(cli, "runs").slice(1).includes(name));
    expect(own).toBeDefined();
    const keep = join(cli.cwd, ".baton", "conversations");
    mkdirSync(keep);
    const entry = (run: string) =>
      `\n${JSON.stringify({ kind: "message", turn: `${run}/1/S1/turn:1`, message: {} })}`;
    for (const run of ["r", "other", "stranger"]) writeFileSync(join(keep, `talk-${run}.jsonl`), entry(run));
    const before = names(cli, "runs");
    const flags = ["runs", "prune", "--status", "completed"];
    const { document } = await cli.json<{ files: { kind: string; path: string }[] }>(...flags, "--dry-run");
    expect(document.files.map(({ kind }) => kind)).toEqual(["run", "conversation"]);
    expect(names(cli, "runs")).toEqual(before);
    const pruned = await cli.run(...flags);
    expect(pruned.stdout).toContain("beside the database went: 1 folder of a run, 1 conversation");
    expect(names(cli, "runs")).toHaveLength(before.length - 1);
    expect(names(cli, "conversations")).toEqual(["talk-r.jsonl", "talk-stranger.jsonl"]);
    const early = await cli.json<{ files: { folder: string } }>("fork", "f", "--at", at, "--run-id", "g");
    expect(made(early.document.files.folder)).toBe("one");
    for (const run of ["f", "g"]) await cli.run("cancel", run);
    await cli.run("runs", "prune", "--status", "cancelled");
    expect(names(cli, "forks")).toEqual([]);
    expect(git(cli.cwd, "worktree", "list").trim().split("\n")).toHaveLength(1);
    const old = new Date(Date.now() - 7_200_000);
    for (const kind of ["runs", "conversations"]) {
      for (const name of names(cli, kind)) utimesSync(join(cli.cwd, ".baton", kind, name), old, old);
    }
    await cli.run("runs", "vacuum");
    expect([names(cli, "runs"), names(cli, "conversations")]).toEqual([[], []]);
    expect(made(cli.cwd)).toBe("two");
  });

  test("is left alone where a link leads elsewhere, and where another database may need it", async () => {
    const cli = inRepository();
    await cli.run(...start("row.json", "r"));
    await cli.run(...start("row.json", "s"), "--db", ".baton/second.db");
    const shared = await cli.run("runs", "prune", "--keep", "0");
    expect(shared.stderr).toContain("Files stay, since second.db is in the same folder");
    expect(names(cli, "runs")).toHaveLength(2);
    const precious = join(cli.cwd, "precious");
    mkdirSync(precious);
    writeFileSync(join(precious, "file"), "mine");
    symlinkSync(precious, join(cli.cwd, ".baton", "forks"));
    mkdirSync(join(precious, "t"));
    const other = inRepository();
    await other.run(...start("row.json", "t"));
    mkdirSync(join(other.cwd, "elsewhere", "t"), { recursive: true });
    symlinkSync(join(other.cwd, "elsewhere"), join(other.cwd, ".baton", "forks"));
    await other.run("runs", "prune", "--keep", "0");
    expect(existsSync(join(other.cwd, "elsewhere", "t"))).toBe(true);
  });
});
