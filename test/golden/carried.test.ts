/**
 * Every example and every golden log is exported in one folder and imported in an empty one, by the command line, and
 * shows and replays there as it did before; so do the threads of StateGraphs, whose code stays behind.
 */
import { cpSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { exportRun, graphPrograms, type ReplayReport, replayRun } from "../../src/history.ts";
import type { ResultDocument } from "../../src/protocol/result.ts";
import { CommandLine, ROOT } from "../scenarios/cli-harness.ts";
import { MODULES, played } from "./played.ts";

const EXAMPLES = join(ROOT, "examples");
const RUN = "r";

/** What a person says in those that ask. */
const ANSWERS: Readonly<Record<string, readonly unknown[]>> = {
  "cookbook/4-a-person-decides.json": [
    { approved: false, reason: "Thank people." },
    { approved: true },
    { channel: "blog" },
  ],
  "graph-semantics-loadout.json": [{ approved: true }],
  "cookbook/8-refine-and-hand-over.json": ["I will finish it tomorrow."],
};
const MESSAGES: Readonly<Record<string, string>> = {
  "inbox-team.json": "lead=We need a sign-up.",
  "inbox-review.json": "author=Write a function that adds.",
  "inbox-pipeline.json": "gather=Why do my eggs take so long up here?",
};

const json = readdirSync(EXAMPLES).filter((name) => name.endsWith(".json") && !name.endsWith("-script.json"));
const recipes = readdirSync(join(EXAMPLES, "cookbook")).filter((name) =>
  /^\d.*(?<!\.script)\.json$/.test(name),
);
const files = [...json, ...recipes.map((name) => `cookbook/${name}`)];

function scriptOf(file: string): string {
  if (file.startsWith("cookbook/")) return file.replace(/\.json$/, ".script.json");
  return file.startsWith("inbox-") ? file.replace(".json", "-script.json") : "graph-semantics-script.json";
}

/** What is said of a run in a folder; its replay is the last. */
const looksAt = (run: string) => [
  ["show", run, "--json"],
  ["events", run, "--json"],
  ["why", run, "--json"],
  ["replay", run, "--json"],
];

interface Carried {
  readonly elsewhere: CommandLine;
  readonly replay: ReplayReport & { readonly hint?: string };
}

/**
 * Carries a run of a folder, which is imported first from a file where one is named, to an empty one, and holds what is
 * said of it there against what was said here.
 */
async function carry(cli: CommandLine, run: string = RUN, file?: string): Promise<Carried> {
  const first = file === undefined ? [] : [["import", file]];
  const ended = [...(await cli.all(...first, ["export", run, "--out", "r.baton"], ...looksAt(run)))];
  const here = ended.splice(-looksAt(run).length);
  for (const { code, stderr } of ended) expect(code, stderr).toBe(0);
  const elsewhere = new CommandLine();
  cpSync(join(cli.cwd, "r.baton"), join(elsewhere.cwd, "r.baton"));
  const [imported, ...there] = await elsewhere.all(["import", "r.baton"], ...looksAt(run));
  expect(imported).toMatchObject({ code: 0 });
  const documents = here.map(({ code, stdout }, index) => {
    expect(code, stdout).toBe(0);
    expect(there[index]?.code).toBe(0);
    const document = JSON.parse(there[index]?.stdout ?? "") as unknown;
    expect(document).toEqual(JSON.parse(stdout));
    return document;
  });
  return { elsewhere, replay: documents.at(-1) as ReplayReport };
}

describe.concurrent("in an empty folder", () => {
  test.each(files)("%s shows and replays as where it ran", { timeout: 300_000 }, async (file) => {
    const cli = new CommandLine();
    cpSync(EXAMPLES, join(cli.cwd, "examples"), { recursive: true });
    const message = MESSAGES[file];
    const begin = message === undefined ? ["Do it."] : ["--message", message];
    const flags = ["--script", `examples/${scriptOf(file)}`, "--run-id", RUN, "--yes", "--json"];
    const [ran] = await cli.all(["run", `examples/${file}`, ...begin, ...flags]);
    let result = JSON.parse(ran?.stdout ?? "") as ResultDocument;
    for (const answer of ANSWERS[file] ?? []) {
      const question = result.questions[0]?.id ?? "";
      const [told] = await cli.all(["answer", RUN, question, JSON.stringify(answer), "--json"]);
      result = JSON.parse(told?.stdout ?? "") as ResultDocument;
    }
    expect(result.status, JSON.stringify(result.error)).toBe("completed");
    await carry(cli);
  });

  const golden = readdirSync(new URL(".", import.meta.url)).filter((name) => name.endsWith(".jsonl"));

  test.each(golden)(
    "%s shows and replays as where it was imported first",
    { timeout: 300_000 },
    async (name) => {
      const cli = new CommandLine();
      cpSync(new URL(name, import.meta.url), join(cli.cwd, name));
      await carry(cli, RUN, name);
    },
  );

  test.each(MODULES)(
    "the threads of %s show and replay without its code",
    { timeout: 300_000 },
    async (name) => {
      for (const { run, kept, graph } of await inTurn(() => played(name))) {
        const { bundle } = await exportRun(kept, run);
        const cli = new CommandLine();
        writeFileSync(join(cli.cwd, "thread.baton"), bundle);
        const { replay } = await carry(cli, run, "thread.baton");
        const withCode = await replayRun({ journal: kept, run }, graphPrograms(graph));
        expect(replay.runs.map(({ seq, hash }) => ({ seq, hash }))).toEqual(
          withCode.runs.map(({ seq, hash }) => ({ seq, hash })),
        );
      }
    },
  );

  test("a run of a module shows and replays without it, and says which file is not here", {
    timeout: 300_000,
  }, async () => {
    const cli = new CommandLine({ "graph.ts": GRAPH });
    const [asked, ended, before] = await cli.all(
      ["run", "graph.ts", "--input", "n=2", "--run-id", RUN, "--json"],
      ["answer", RUN, "yes", "--json"],
      ["replay", RUN, "--json"],
    );
    expect([asked?.code, ended?.code, before?.code]).toEqual([3, 0, 0]);
    const withCode = JSON.parse(before?.stdout ?? "") as ReplayReport;
    for (const { checked, unchecked } of withCode.runs) {
      expect({ checked, unchecked }).toEqual({ checked: "routes", unchecked: ["node functions"] });
    }
    rmSync(join(cli.cwd, "graph.ts"));
    const { elsewhere, replay } = await carry(cli);
    expect(replay.hint).toContain(join(cli.cwd, "graph.ts"));
    expect(replay).toMatchObject({ identical: true, skipped: [] });
    for (const [index, { hash, unchecked }] of replay.runs.entries()) {
      expect(hash).toBe(withCode.runs[index]?.hash);
      expect(unchecked).toEqual(["node functions", "conditional edges", "reducers"]);
    }
    writeFileSync(join(elsewhere.cwd, "copy.ts"), GRAPH);
    writeFileSync(join(elsewhere.cwd, "other.ts"), GRAPH.replace("said:", "told:"));
    const [gone, same, other] = await elsewhere.all(
      ["replay", RUN, "--rerun"],
      ["replay", RUN, "--rerun", "--with", "copy.ts"],
      ["replay", RUN, "--rerun", "--with", "other.ts", "--json"],
    );
    expect(gone).toMatchObject({ code: 2, stderr: expect.stringContaining(join(cli.cwd, "graph.ts")) });
    expect(same).toMatchObject({ code: 0, stdout: expect.stringContaining("node functions called again") });
    expect(other?.code).toBe(7);
    expect(JSON.parse(other?.stdout ?? "")).toMatchObject({
      difference: { run: `${RUN}/2/team`, node: "say", part: "state", path: "/log/0" },
    });
  });
});

/** A list that is worked off item by item by a graph inside, which asks; a reducer of its own; and a fan. */
const GRAPH = `
  import { END, interrupt, Send, START, StateGraph } from "batonjs";
  const log = { reducer: (a: any, b: any) => [...a, ...b].slice(-9), default: [] };
  const team = new StateGraph({ log, mood: {} })
    .addNode("say", ({ mood }: any) => ({ log: ["said: " + mood + interrupt("well?")] }))
    .addEdge(START, "say").addEdge("say", END).compile();
  export default new StateGraph({ n: {}, log, mood: {} })
    .addNode("plan", ({ n }: any) => ({ log: ["plan"], mood: n > 1 ? "good " : "bad " }))
    .addNode("team", team)
    .addNode("one", ({ item }: any) => ({ log: ["item " + item] }))
    .addEdge(START, "plan").addEdge("plan", "team")
    .addConditionalEdges("team", ({ n }: any) => Array.from({ length: n }, (_, item) => new Send("one", { item })))
    .addEdge("one", END).compile();`;

let turn: Promise<unknown> = Promise.resolve();

/** One after the other: an example is watched through what the whole process shares. */
function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const result = turn.then(work);
  turn = result.catch(() => {});
  return result;
}
