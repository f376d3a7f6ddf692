/** Lanes that write do so in worktrees of their own, and nothing that they wrote is ever lost. */
import { existsSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { TurnRequest } from "../../src/agent/agent.ts";
import type { JsonObject } from "../../src/base/json.ts";
import { MemoryJournal } from "../../src/journals/memory.ts";
import { LocalCommands } from "../../src/providers/command/local-commands.ts";
import { GitWorktrees } from "../../src/providers/worktree/git-worktrees.ts";
import { Crash, FaultyJournal } from "../../src/testing/faulty-journal.ts";
import {
  git,
  type LanesOptions,
  LanesStage,
  lanes,
  type Play,
  readIn,
  repository,
  usual,
} from "./lanes-stage.ts";

let repo: string;
const made: string[] = [];

beforeEach(() => {
  repo = fresh();
});

afterEach(() => {
  for (const folder of made.splice(0)) rmSync(dirname(folder), { recursive: true, force: true });
});

function fresh(): string {
  const folder = repository();
  made.push(folder);
  return folder;
}

function stageIn(cwd: string, build: Play, more: Partial<LanesOptions> = {}): LanesStage {
  const loadout = lanes({}, "coding", 3);
  return new LanesStage({ loadout, play: usual(3, build), worktrees: new GitWorktrees(), cwd, ...more });
}

const write = ({ cwd = "" }: TurnRequest, file: string, text: string): void =>
  writeFileSync(join(cwd, file), text);

/** Each lane writes a file of its own. */
const apart: Play = (request) => {
  write(request, `${request.item}.txt`, `by ${request.item}\n`);
  return "built";
};

/** The first two lanes write to the same file; the second resolves the conflict when it is given back. */
const together =
  (resolves: boolean): Play =>
  (request, turns) => {
    if (request.item === "WI-3") return apart(request, turns);
    if (turns === 1) write(request, "shared.txt", `by ${request.item}\n`);
    else if (resolves) write(request, "shared.txt", "by WI-1 and WI-2\n");
    return "built";
  };

const branches = () => git(repo, "branch", "--format=%(refname:short)").split("\n");

test("each lane in a worktree of its own; the person's folder changes at the end, in the order of the items", async () => {
  const folders = new Set<string>();
  const stage = stageIn(repo, (request, turns) => {
    folders.add(request.cwd ?? "");
    expect(git(repo, "log", "--format=%s")).toBe("First");
    expect(existsSync(join(repo, `${request.item}.txt`))).toBe(false);
    return apart(request, turns);
  });
  const end = await stage.play();
  expect(end).toMatchObject({ status: "completed", warnings: [] });
  expect(folders.size).toBe(3);
  expect([...folders].every((folder) => folder.startsWith(join(repo, ".baton")))).toBe(true);
  for (const item of ["WI-1", "WI-2", "WI-3"]) expect(readIn(repo, `${item}.txt`)).toBe(`by ${item}\n`);
  const subjects = git(repo, "log", "--first-parent", "--reverse", "--format=%s").split("\n");
  expect(subjects).toEqual(["First", "Item 1", "Merge WI-2: Item 2", "Merge WI-3: Item 3"]);
  expect(branches()).toEqual(["main"]);
  expect(git(repo, "status", "--porcelain", "--", ".", ":(exclude).baton")).toBe("");
});

test("a program runs in the folder of its lane, and is told so", async () => {
  const { materia, ...rest } = lanes() as { materia: JsonObject };
  const script =
    "require('fs').writeFileSync(JSON.parse(require('fs').readFileSync(0)).itemKey, process.cwd())";
  const build = { type: "utility", command: [process.execPath, "-e", script] };
  const stage = stageIn(repo, apart, {
    loadout: { ...rest, materia: { ...materia, Build: build } },
    commands: new LocalCommands({ cwd: repo }),
  });
  expect(await stage.play()).toMatchObject({ status: "completed" });
  for (const item of ["WI-1", "WI-2", "WI-3"])
    expect(readIn(repo, item)).toMatch(new RegExp(`lanes/.*/${item}$`));
});

test("lanes that only read need no repository", async () => {
  const stage = new LanesStage({ loadout: lanes({}, "readOnly"), play: usual(2) });
  expect(await stage.play()).toMatchObject({ status: "completed" });
});

describe("where there can be no worktrees the loop does not begin, and says what to do", () => {
  test("changes that are not committed; after they are, a resume goes on", async () => {
    writeFileSync(join(repo, "mine.txt"), "mine");
    const stage = stageIn(repo, apart);
    const held = await stage.play();
    expect(held).toMatchObject({ status: "paused", reason: "no_worktree" });
    expect(held.message).toContain("mine.txt is not committed");
    expect(held.message).toContain("git add --all && git commit");
    expect(held.message).toMatch(/Then resume the run: it goes on with this loop\.$/);
    expect(stage.turns).toEqual(["Socket-1"]);
    git(repo, "add", ".");
    git(repo, "commit", "--quiet", "--message", "Mine");
    expect(await stage.resume()).toMatchObject({ status: "completed" });
  });

  test("no repository, and an engine without worktrees", async () => {
    const bare = stageIn(dirname(repo), apart);
    expect((await bare.play()).message).toContain("no git repository");
    const { worktrees: _, ...options } = { loadout: lanes({}, "coding"), play: usual(1), worktrees: 0 };
    expect(await new LanesStage(options).play()).toMatchObject({ status: "paused", reason: "no_worktree" });
  });
});

describe("a conflict", () => {
  test("goes back to its lane once, with the files in question", async () => {
    const stage = stageIn(repo, together(true));
    expect(await stage.play()).toMatchObject({ status: "completed", warnings: [] });
    expect(readIn(repo, "shared.txt")).toBe("by WI-1 and WI-2\n");
    expect(stage.turns.filter((turn) => turn === "Socket-2@WI-2")).toHaveLength(2);
    const prompt = stage.prompts.get("Socket-2@WI-2 2");
    expect(prompt).toContain("Runtime follow-up context");
    expect(prompt).toContain("conflicts stand in these files: shared.txt");
    expect(branches()).toEqual(["main"]);
  });

  test("that stays goes to a person, who resolves it in the folder that is named", async () => {
    const stage = stageIn(repo, together(false));
    const asked = await stage.play();
    expect(asked.status).toBe("waiting");
    const [question] = asked.questions;
    expect(question).toMatchObject({ kind: "approval", args: { files: ["shared.txt"] } });
    const { folder } = question!["args"] as { folder: string };
    expect(readIn(folder, "shared.txt")).toContain("<<<<<<<");
    expect(await stage.answer({ approved: true })).toMatchObject({ status: "waiting" });
    writeFileSync(join(folder, "shared.txt"), "by a person\n");
    expect(await stage.answer({ approved: true })).toMatchObject({ status: "completed", warnings: [] });
    expect(readIn(repo, "shared.txt")).toBe("by a person\n");
    expect(readIn(repo, "WI-3.txt")).toBe("by WI-3\n");
  });

  test("that the person leaves keeps its work, and the result names it", async () => {
    const stage = stageIn(repo, together(false));
    const { questions } = await stage.play();
    const { folder, branch } = questions[0]!["args"] as { folder: string; branch: string };
    const end = await stage.answer({ approved: false });
    expect(end).toMatchObject({ status: "completed", warnings: [{ code: "unmerged_work" }] });
    expect(end.warnings[0]?.message).toContain(folder);
    expect(readIn(repo, "shared.txt")).toBe("by WI-1\n");
    expect(readIn(repo, "WI-3.txt")).toBe("by WI-3\n");
    expect(git(repo, "show", `${branch}:shared.txt`)).toBe("by WI-2");
    expect(readIn(folder, "shared.txt")).toContain("by WI-2");
  });
});

test("a failed loop keeps the work of all lanes, and lands nothing", async () => {
  const stage = stageIn(repo, (request, turns) => {
    apart(request, turns);
    return request.item === "WI-2" ? { fail: "no luck" } : "built";
  });
  const end = await stage.play();
  expect(end.status).toBe("failed");
  const { lanes: failed } = end.failure!.detail as unknown as { lanes: { folder: string }[] };
  expect(readIn(failed[0]?.folder ?? "", "WI-2.txt")).toBe("by WI-2\n");
  expect(existsSync(join(repo, "WI-1.txt"))).toBe(false);
  expect(branches()).toHaveLength(4);
});

test("changes made meanwhile keep the work from landing, and a resume lands it", async () => {
  const stage = stageIn(repo, (request, turns) => {
    if (request.item === "WI-2") writeFileSync(join(repo, "WI-1.txt"), "mine, in the way");
    return apart(request, turns);
  });
  const held = await stage.play();
  expect(held).toMatchObject({ status: "paused", reason: "not_landed" });
  expect(readIn(repo, "WI-1.txt")).toBe("mine, in the way");
  rmSync(join(repo, "WI-1.txt"));
  expect(await stage.resume()).toMatchObject({ status: "completed" });
  expect(readIn(repo, "WI-1.txt")).toBe("by WI-1\n");
});

test("killed at appends all over, it ends with the same files and runs no finished lane again", async () => {
  const calm = new FaultyJournal(new MemoryJournal());
  await stageIn(repo, together(true), { journal: calm }).play();
  const tree = git(repo, "rev-parse", "HEAD^{tree}");
  for (let append = 4; append <= calm.appends; append += 5) {
    const folder = fresh();
    const journal = new MemoryJournal();
    const kept = append % 2 === 0 ? "kept" : "lost";
    const faulty = new FaultyJournal(journal, { append, write: kept });
    await expect(stageIn(folder, together(true), { journal: faulty }).play()).rejects.toThrow(Crash);
    const lanesDone = journal.runs({ children: true, prefix: "r/2/", status: "completed" });
    // The turns of the process that died count: the second lane resolves the conflict in its second one.
    const resolving: Play = (request, turns) => {
      const isAgain = request.prompt.includes("Runtime follow-up context");
      return together(true)(request, isAgain ? 2 : Math.min(turns, 1));
    };
    const stage = stageIn(folder, resolving, { journal });
    const { status, failure } = await stage.play();
    expect({ append, status, failure }).toEqual({ append, status: "completed", failure: undefined });
    expect(git(folder, "rev-parse", "HEAD^{tree}")).toBe(tree);
    expect(git(folder, "branch", "--format=%(refname:short)")).toBe("main");
    const again = stage.turns.map((turn) => turn.split("@")[1]);
    for (const { run } of lanesDone) {
      const [, lane = ""] = run.split("~");
      if (lane.endsWith("-again") || lane === "WI-2") continue; // the second lane comes back for its conflict
      expect(again).not.toContain(lane);
    }
  }
}, 120_000);
