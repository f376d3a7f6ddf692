/** The cookbook: every recipe passes the check, ends within its bound, and goes the way that docs/loadout tells. */
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import type { Json, JsonObject } from "../../src/base/json.ts";
import { checkLoadout, costCeiling } from "../../src/loadout.ts";
import { type Program, Stage } from "./loadout-stage.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const FOLDER = `${ROOT}examples/cookbook`;

const read = (name: string): JsonObject => JSON.parse(readFileSync(`${FOLDER}/${name}`, "utf8"));

/** Runs the program of a utility as it stands, in the project. */
const node: Program = (input, { argv }) => {
  const stdin = JSON.stringify({ ...input, cwd: ROOT });
  const { status, stdout, stderr } = spawnSync(process.execPath, argv.slice(1), {
    cwd: ROOT,
    input: stdin,
    encoding: "utf8",
  });
  return { ended: "exited", code: status ?? 1, stdout, stderr };
};

interface Recipe {
  readonly name: string;
  readonly bound: string;
  /** How many items the run has. */
  readonly items?: number;
  /** What people answer, in order. */
  readonly answers?: readonly Json[];
  readonly path: string;
}

const RECIPES: readonly Recipe[] = [
  { name: "1-one-agent", bound: "1", path: "1" },
  { name: "2-write-and-review", bound: "6", path: "1 2 1 2" },
  { name: "3-plan-build-check", bound: "2 + 6·items", items: 2, path: "1 2@1 3@1 2@1 3@1 2@2 3@2 4" },
  {
    ...{ name: "4-a-person-decides", bound: "14", path: "1 2 1 2 3 4" },
    answers: [{ approved: false, reason: "Thank people." }, { approved: true }, { channel: "blog" }],
  },
  { name: "5-tests-decide", bound: "8", path: "1 2 1 2" },
  { name: "6-every-file", bound: "2 + items", items: 2, path: "1 2@1 2@2 3" },
  { name: "7-a-loadout-inside", bound: "1 + 5·items", items: 2, path: "1 2@1 2@2" },
  {
    ...{ name: "8-refine-and-hand-over", bound: "3 + 2·items", items: 2, path: "1 2 3@1 4@1 3@2 4@2 6" },
    answers: ["I will finish it tomorrow."],
  },
];

test("every recipe in the folder is tried", () => {
  const files = readdirSync(FOLDER).filter((name) => /^\d.*(?<!\.script)\.json$/.test(name));
  expect(files.sort()).toEqual(RECIPES.map(({ name }) => `${name}.json`));
});

test.each(RECIPES)("$name", async ({ name, bound, items = 0, answers = [], path }) => {
  const loadout = read(`${name}.json`);
  const { errors, warnings, termination } = checkLoadout(loadout);
  expect([...errors, ...warnings]).toEqual([]);
  expect(termination).toEqual({ verdict: "terminates", bound, cycle: null });
  const stage = new Stage({ loadout, script: read(`${name}.script.json`), programs: { node } });
  let standing = await stage.play();
  for (const answer of answers) {
    expect(standing.status).toBe("waiting");
    standing = await stage.answer(answer);
  }
  expect(standing).toMatchObject({ status: "completed", failure: undefined });
  const way = standing.path.map((entry) => entry.replace("Socket-", "").replace("@WI-", "@")).join(" ");
  expect(way).toBe(path);
  expect(standing.path.length).toBeLessThanOrEqual(costCeiling(termination, { items }).turns ?? 0);
});

test("an agent of a loadout inside is told which item it is for", async () => {
  const name = "7-a-loadout-inside";
  const stage = new Stage({ loadout: read(`${name}.json`), script: read(`${name}.script.json`) });
  await stage.play();
  const builds = stage.prompts.filter(({ prompt }) => prompt.startsWith("Do the current work item"));
  expect(builds.map(({ prompt }) => /## Current work item\n(.+)/.exec(prompt)?.[1])).toEqual([
    "One",
    "One",
    "Two",
    "Two",
  ]);
});
