/** Inbox graphs, sections 3 and 6 of their rules, in real git repositories: workspaces, diffs, and what a phase forbids. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import type { Agent, TurnRequest } from "../../src/agent/agent.ts";
import type { Json, JsonObject } from "../../src/base/json.ts";
import { GitWorkingTree } from "../../src/inbox.ts";
import { GitWorktrees } from "../../src/providers/worktree/git-worktrees.ts";
import { Gates, graph, JOURNALS, Stage, type StageOptions, settled, told, turn } from "./inbox-stage.ts";

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), "baton-inbox-"));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

const put = (cwd: string, path: string, content: string) => {
  mkdirSync(dirname(join(cwd, path)), { recursive: true });
  writeFileSync(join(cwd, path), content);
};

/** A repository with one commit, and what a run in it needs. */
function repository() {
  const cwd = folder();
  const store = folder();
  const git = (...args: string[]) => execFileSync("git", args, { cwd, encoding: "utf8" });
  git("init", "-q");
  put(cwd, "src/a.ts", "one\n");
  git("add", "-A");
  git("-c", "user.name=t", "-c", "user.email=t@t", "commit", "-q", "-m", "begin");
  const notes: string[] = [];
  const tree = new GitWorkingTree({
    cwd,
    store: join(store, "trees"),
    note: (sentence) => notes.push(sentence),
  });
  const worktrees = { port: new GitWorktrees(), cwd, folder: join(store, "worktrees") };
  const read = (path: string) => readFileSync(join(cwd, path), "utf8");
  return { cwd, notes, tree, worktrees, read, git, has: (path: string) => existsSync(join(cwd, path)) };
}

/** An agent that does what the test says, whatever it was allowed to. */
const bold = (act: (request: TurnRequest) => unknown): Agent => ({
  session: ({ node }) => node,
  turn: async (request) => {
    await act(request);
    const sends = request.node === "a" ? [{ to: "b", message: "look" }] : [];
    return { kind: "done", text: "done", sends, usage: { tokens: 0, costUsd: 0 }, cursor: 1 };
  },
});

const writing = (path: string, content = "x\n", sends = {}) =>
  turn(`wrote ${path}`, sends, { write: { path, content } });

describe.each(JOURNALS)("on a %s journal", (_name, makeJournal) => {
  /** A stage in a repository. */
  const stageIn = (repo: ReturnType<typeof repository>, options: Omit<StageOptions, "journal">) =>
    new Stage({
      ...options,
      ...{ journal: makeJournal(), folder: repo.cwd },
      services: { tree: repo.tree, worktrees: repo.worktrees, ...options.services },
    });

  test("§3 a turn that cannot write is given no diff, whatever others do to the folder meanwhile", async () => {
    const repo = repository();
    const gates = new Gates();
    const stage = stageIn(repo, {
      graph: graph("a b c", ["a>c", "b>c"]),
      script: { a: [writing("x", "1", { c: "look" })], b: [turn("talks", { c: "hi" })], c: ["1", "2"] },
      before: (request) => (request.node === "b" ? gates.hold(request) : undefined),
    });
    await stage.start("b: go", "a: go");
    const driving = stage.drive();
    await gates.begun("b");
    while ((await stage.standing()).deliveries.length === 0) await settled();
    await gates.pass("b");
    const { deliveries } = await driving;
    expect(deliveries.map(({ from, artifacts }) => [from, artifacts.length])).toEqual([
      ["a", 1],
      ["b", 0],
    ]);
  });

  test("§3 the diff of a turn is taken from the files, not from what the agent says; every envelope refers to it", async () => {
    const repo = repository();
    put(repo.cwd, "mine.txt", "not committed\n");
    const stage = stageIn(repo, {
      graph: graph("a b", ["a>b"]),
      script: {
        a: [turn("did nothing", { b: "look" }, { write: { path: "src/a.ts", content: "two\n" } })],
        b: ["ok"],
      },
    });
    const { deliveries } = await stage.play("a: go");
    const [artifact] = deliveries[0]?.artifacts ?? [];
    expect(artifact?.kind).toBe("diff");
    const diff = await stage.text(artifact?.ref);
    expect(diff).toContain("--- a/src/a.ts\n+++ b/src/a.ts\n@@ -1 +1 @@\n-one\n+two\n");
    expect(diff).not.toContain("mine.txt");
    expect(await stage.notes("inbox.turn")).toMatchObject([{ diff: artifact as unknown as Json }, {}]);
    expect(stage.requests[1]?.prompt).toContain(`Attached diff: ${artifact?.ref}`);
  });

  test("§3 outside of a repository there is no diff, and that is said once", async () => {
    const cwd = folder();
    const notes: string[] = [];
    const tree = new GitWorkingTree({ cwd, store: folder(), note: (sentence) => notes.push(sentence) });
    const stage = new Stage({
      graph: graph("a b", ["a>b"]),
      script: { a: [writing("x", "1", { b: "look" })], b: [writing("y")] },
      ...{ journal: makeJournal(), folder: cwd, services: { tree } },
    });
    const { deliveries, warnings, status } = await stage.play("a: go");
    expect({ status, warnings }).toEqual({ status: "completed", warnings: [] });
    expect(deliveries).toMatchObject([{ artifacts: [] }]);
    expect(notes).toEqual([expect.stringContaining("is in no git repository")]);
  });

  test("turns that may write wait for each other unless told otherwise, others do not; the log says which", async () => {
    const gates = new Gates();
    const stage = new Stage({
      graph: {
        nodes: {
          ...{ a: { kind: "task" }, b: { kind: "task" }, reader: { kind: "verifier" } },
          told: { kind: "task", workspace: "shared" },
        },
      },
      script: { a: [writing("a")], b: [writing("b")], told: [writing("c")], reader: ["r"] },
      ...{ journal: makeJournal(), folder: folder(), before: gates.hold },
    });
    await stage.start("a: go", "b: go", "reader: go", "told: go");
    const driving = stage.drive();
    await settled();
    expect(stage.requests.map(({ node }) => node).sort()).toEqual(["a", "reader", "told"]);
    for (const node of ["reader", "told", "a"]) await gates.pass(node);
    await gates.pass("b");
    expect((await driving).status).toBe("completed");
    const used = (await stage.beginnings()).map(
      ({ session, place }) => `${session} ${place.workspace} ${place.writes}`,
    );
    expect(used.sort()).toEqual([
      "a exclusive all",
      "b exclusive all",
      "reader shared none",
      "told shared all",
    ]);
    const [started] = (await stage.standing()).events;
    expect(started).toMatchObject({ definition: { nodes: { a: { workspace: "exclusive" } } } });
    expect(await stage.replays()).toBe(true);
  });

  test("the turns of a script that writes no files have no reason to wait", async () => {
    const gates = new Gates();
    const stage = new Stage({
      graph: graph("a b", []),
      script: { a: ["1"], b: ["2"] },
      ...{ journal: makeJournal(), before: gates.hold },
    });
    await stage.start("a: go", "b: go");
    const driving = stage.drive();
    await settled();
    expect(stage.requests).toHaveLength(2);
    for (const node of ["b", "a"]) await gates.pass(node);
    expect((await driving).status).toBe("completed");
  });

  test("an exclusive turn that waits for an answer keeps the folder to itself; a failed one does not", async () => {
    const asking = turn("x", {}, { ask: { title: "May I?", args: {} }, write: { path: "a", content: "" } });
    const stage = new Stage({
      graph: graph("a b c", []),
      script: { a: [asking], b: [writing("b")], c: [turn("", {}, { fail: "no" }), writing("c")] },
      ...{ journal: makeJournal(), folder: folder() },
    });
    const waiting = await stage.play("c: go", "a: go", "b: go");
    expect(waiting.status).toBe("waiting");
    expect(waiting.turns.map(({ node, status }) => `${node} ${status}`)).toEqual(["a blocked"]);
    await stage.tell({ type: "answer", value: true });
    const standing = await stage.drive();
    expect(standing.turns.map(({ node, status }) => `${node} ${status}`)).toEqual([
      ...["a completed", "b completed", "c failed"],
    ]);
    await stage.tell({ type: "retry", node: "c" });
    expect((await stage.drive()).status).toBe("completed");
  });

  test("a worktree of its own: the turn works there, its diff comes along, and nothing else is touched", async () => {
    const repo = repository();
    const gates = new Gates();
    const stage = stageIn(repo, {
      graph: {
        nodes: { a: { kind: "task", workspace: "worktree" }, b: { kind: "task", workspace: "worktree" } },
        edges: [{ from: "a", to: "b" }],
      },
      script: {
        a: [writing("src/a.ts", "mine\n", { b: "look" }), writing("second.txt")],
        b: [writing("src/a.ts", "other\n"), "seen"],
      },
      before: gates.hold,
    });
    await stage.start("a: go", "b: go");
    const driving = stage.drive();
    await gates.begun("a");
    await gates.begun("b");
    expect(new Set(stage.requests.map(({ cwd }) => cwd)).size).toBe(2);
    for (const node of ["b", "a", "b"]) await gates.pass(node);
    await driving;
    await stage.send("a: more");
    const again = stage.drive();
    await gates.pass("a");
    const { deliveries, status } = await again;
    expect(status).toBe("completed");
    expect(await stage.text(deliveries[0]?.artifacts[0]?.ref)).toContain("-one\n+mine\n");
    expect(repo.read("src/a.ts")).toBe("one\n");
    expect(repo.git("status", "--short")).toBe("");
    const [first, , , last] = await stage.beginnings();
    expect(last?.place.folder).toBe(first?.place.folder);
    const diffs = (await stage.notes("inbox.turn")).map(diffIn);
    expect(await stage.text(diffs.at(-1))).not.toContain("src/a.ts");
    expect(repo.git("branch", "--list", "baton/*").trim().split("\n")).toHaveLength(2);
  });

  test("a node that wants a worktree and cannot have one fails and says why; a retry goes on", async () => {
    const repo = repository();
    put(repo.cwd, "dirty.txt", "x\n");
    const nodes = { a: { kind: "task", workspace: "worktree" } };
    const stage = stageIn(repo, { graph: { nodes }, script: { a: [writing("x")] } });
    const failed = await stage.play("a: go");
    expect(failed).toMatchObject({ status: "failed", nodes: { a: { status: "failed" } } });
    expect(failed.message).toContain("a cannot have a worktree of its own. dirty.txt is not committed");
    rmSync(join(repo.cwd, "dirty.txt"));
    await stage.tell({ type: "retry", node: "a" });
    expect(told(await stage.drive())).toEqual(["a 1 completed [1 message user: go]"]);
    const bare = new Stage({ graph: { nodes }, script: { a: [writing("x")] }, journal: makeJournal() });
    expect((await bare.play("a: go")).message).toContain("no folders for worktrees");
  });

  test("§6 planning: documents are written; a script that writes anything else is refused", async () => {
    const repo = repository();
    const stage = stageIn(repo, {
      graph: graph("a b", ["a>b"], { phase: "planning" }),
      script: { a: [writing("docs/plan.md", "plan\n", { b: "look" }), writing("src/a.ts")], b: ["ok"] },
    });
    const { deliveries } = await stage.play("a: go");
    expect(await stage.text(deliveries[0]?.artifacts[0]?.ref)).toContain("+++ b/docs/plan.md");
    await stage.send("a: build");
    const refused = await stage.drive();
    expect(refused.message).toContain("may only write documents");
    expect(repo.read("src/a.ts")).toBe("one\n");
  });

  test("§6 planning: what an agent changes all the same is undone, and its turn fails; the diff is kept", async () => {
    const repo = repository();
    put(repo.cwd, "src/mine.ts", "my own work\n");
    put(repo.cwd, ".gitignore", "*.log\n");
    const agent = bold(() => {
      put(repo.cwd, "docs/plan.md", "plan\n");
      put(repo.cwd, "src/a.ts", "broken\n");
      put(repo.cwd, "src/mine.ts", "broken\n");
      put(repo.cwd, ".gitignore", "hidden.ts\n");
      put(repo.cwd, "hidden.ts", "x\n");
    });
    const stage = stageIn(repo, {
      graph: graph("a b", ["a>b"], { phase: "planning" }),
      services: { agent: () => agent },
    });
    const failed = await stage.play("a: go");
    expect(failed).toMatchObject({ status: "failed", reason: "agent_failed", deliveries: [] });
    expect(failed.message).toBe(
      "a changed .gitignore and 2 more, and in the planning phase only documents may be written. That was undone.",
    );
    expect(repo.read("src/a.ts")).toBe("one\n");
    expect(repo.read("src/mine.ts")).toBe("my own work\n");
    expect(repo.read("docs/plan.md")).toBe("plan\n");
    expect(repo.has("hidden.ts")).toBe(false);
    const [diff] = (await stage.notes("inbox.turn")).map(diffIn);
    expect(await stage.text(diff)).toContain("-my own work\n+broken\n");
  });

  test("§6 planning: an ignored file that a turn changes is told, and neither kept nor put back; ignored folders are not looked at", async () => {
    const repo = repository();
    put(repo.cwd, ".gitignore", ".env\nnode_modules/\n");
    put(repo.cwd, ".env", "KEY=secret\n");
    put(repo.cwd, "node_modules/x/index.js", "1\n");
    const agent = bold(() => {
      put(repo.cwd, ".env", "KEY=other\n");
      put(repo.cwd, "node_modules/x/index.js", "2\n");
    });
    const stage = stageIn(repo, {
      graph: graph("a b", [], { phase: "planning" }),
      services: { agent: () => agent },
    });
    const { status, warnings, events } = await stage.play("a: go");
    expect(status).toBe("completed");
    expect(warnings).toMatchObject([
      { code: "ignored_write", message: "a changed .env, which git ignores: look at it." },
    ]);
    expect(repo.read(".env")).toBe("KEY=other\n");
    expect(JSON.stringify(events)).not.toContain("KEY=");
    expect((await stage.notes("inbox.turn")).map(diffIn)).toEqual([undefined]);
  });

  test("§6 planning in a shared folder: the change is told, and stands, because it may be somebody else's", async () => {
    const repo = repository();
    const stage = stageIn(repo, {
      graph: { phase: "planning", nodes: { c: { kind: "task", workspace: "shared" } } },
      services: { agent: () => bold(() => put(repo.cwd, "src/a.ts", "changed\n")) },
    });
    const failed = await stage.play("c: go");
    expect(failed.message).toContain("c changed src/a.ts, and in the planning phase");
    expect(failed.message).toContain("the change stands");
    expect(repo.read("src/a.ts")).toBe("changed\n");
  });

  test("§6 planning in a worktree: what is forbidden is undone there", async () => {
    const repo = repository();
    const cwds: string[] = [];
    const agent = bold(({ cwd = "" }) => {
      cwds.push(cwd);
      put(cwd, "src/a.ts", "changed\n");
    });
    const stage = stageIn(repo, {
      graph: { phase: "planning", nodes: { c: { kind: "task", workspace: "worktree" } } },
      services: { agent: () => agent },
    });
    expect((await stage.play("c: go")).status).toBe("failed");
    expect(readFileSync(join(cwds[0] as string, "src/a.ts"), "utf8")).toBe("one\n");
  });

  test("§2 §6 an interrupted turn leaves no forbidden change either, and its diff is kept", async () => {
    const repo = repository();
    const gates = new Gates();
    const agent = bold(async (request) => {
      put(repo.cwd, "src/a.ts", "half\n");
      await gates.hold(request);
    });
    const stage = stageIn(repo, {
      graph: graph("c", [], { phase: "planning" }),
      services: { agent: () => agent },
    });
    await stage.start("c: go");
    const driving = stage.drive();
    await gates.begun("c");
    await stage.tell({ type: "interrupt", node: "c" });
    const { status, warnings, turns } = await driving;
    expect({ status, turns: turns.map((line) => line.status) }).toEqual({
      status: "completed",
      turns: ["interrupted"],
    });
    expect(warnings).toMatchObject([{ code: "forbidden_write", at: "c" }]);
    expect(repo.read("src/a.ts")).toBe("one\n");
    expect(await stage.notes("inbox.turn")).toMatchObject([{ diff: { kind: "diff" } }]);
  });

  test("§9 a turn that takes over from one that died tells everything that was changed since that one began", async () => {
    const repo = repository();
    const gates = new Gates();
    const journal = makeJournal();
    const services = (agent: Agent) => ({ tree: repo.tree, agent: () => agent });
    const dying = bold(async (request) => {
      put(repo.cwd, "half.txt", "half\n");
      await gates.hold(request);
    });
    const first = new Stage({ graph: graph("a b", ["a>b"]), journal, services: services(dying) });
    await first.start("a: go");
    const died = new AbortController();
    const driving = first.drive(died.signal);
    await gates.begun("a");
    died.abort();
    await driving;
    const second = new Stage({
      graph: graph("a b", ["a>b"]),
      ...{ journal, services: services(bold(({ node }) => put(repo.cwd, `${node}.txt`, "x\n"))) },
    });
    const { deliveries } = await second.drive();
    const diff = await second.text(deliveries[0]?.artifacts[0]?.ref);
    expect(diff).toContain("+++ b/half.txt");
    expect(diff).toContain("+++ b/a.txt");
    expect(diff).not.toContain("b.txt");
  });

  test("§3 files that cannot be compared any more are a warning; the turn's work counts", async () => {
    const repo = repository();
    const tree = { ...fixed(repo.tree), changes: async () => Promise.reject(new Error("The disk is gone.")) };
    const stage = stageIn(repo, {
      graph: graph("a b", ["a>b"]),
      script: { a: [writing("x", "1", { b: "look" })], b: ["ok"] },
      services: { tree },
    });
    const { status, warnings, deliveries } = await stage.play("a: go");
    expect({ status, sent: deliveries.length }).toEqual({ status: "completed", sent: 1 });
    expect(warnings).toEqual([{ code: "no_diff", message: "The disk is gone.", at: "a" }]);
  });
});

/** The reference of the diff of a turn. */
function diffIn({ diff }: JsonObject): string | undefined {
  return diff === undefined ? undefined : String((diff as JsonObject)["ref"]);
}

/** A tree as an object of its own, to change parts of. */
function fixed(tree: GitWorkingTree): Pick<GitWorkingTree, "mark" | "changes" | "restore"> {
  return {
    mark: (at) => tree.mark(at),
    changes: (mark, at) => tree.changes(mark, at),
    restore: (mark, paths, at) => tree.restore(mark, paths, at),
  };
}
