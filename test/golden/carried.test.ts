/**
 * Every example and every golden log is exported in one folder and imported in an empty one, by the command line, and
 * shows and replays there as it did before.
 */
import { cpSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { ResultDocument } from "../../src/protocol/result.ts";
import { CommandLine, ROOT } from "../scenarios/cli-harness.ts";

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

/** What is said of the run in a folder. */
const LOOKS = [
  ["show", RUN, "--json"],
  ["events", RUN, "--json"],
];
const REPLAY = ["replay", RUN, "--json"];

/** Carries the run of a folder to an empty one, and holds what is said of it there against what was said here. */
async function carry(cli: CommandLine, looks: readonly (readonly string[])[]): Promise<void> {
  const [exported, ...here] = await cli.all(["export", RUN, "--out", "r.baton"], ...looks);
  expect(exported).toMatchObject({ code: 0 });
  const elsewhere = new CommandLine();
  cpSync(join(cli.cwd, "r.baton"), join(elsewhere.cwd, "r.baton"));
  const [imported, ...there] = await elsewhere.all(["import", "r.baton"], ...looks);
  expect(imported).toMatchObject({ code: 0 });
  for (const [index, { code, stdout }] of here.entries()) {
    expect(code).toBe(0);
    expect(there[index]?.code).toBe(0);
    expect(JSON.parse(there[index]?.stdout ?? "")).toEqual(JSON.parse(stdout));
  }
}

describe.concurrent("in an empty folder", () => {
  test.each(files)("%s shows and replays as where it ran", { timeout: 60_000 }, async (file) => {
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
    await carry(cli, [...LOOKS, REPLAY]);
  });

  const golden = readdirSync(new URL(".", import.meta.url)).filter((name) => name.endsWith(".jsonl"));

  test.each(golden)(
    "%s shows and replays as where it was imported first",
    { timeout: 60_000 },
    async (name) => {
      const cli = new CommandLine();
      cpSync(new URL(name, import.meta.url), join(cli.cwd, name));
      expect((await cli.run("import", name)).code).toBe(0);
      // The nodes of a StateGraph are code, which a log does not hold.
      await carry(cli, name.includes("graph") ? LOOKS : [...LOOKS, REPLAY]);
    },
  );
});
