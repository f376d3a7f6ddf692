/** Fork, diff, bundles and retention on real runs of a loadout. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { describe, expect, onTestFinished, test } from "vitest";
import { items, no, RUN, Stage, workshop, yes } from "../../test/scenarios/loadout-stage.ts";
import type { Json } from "../base/json.ts";
import { type RunId, runId } from "../base/names.ts";
import { LocalRun } from "../engines/local.ts";
import { MemoryJournal } from "../journals/memory.ts";
import { SqliteJournal } from "../journals/sqlite/sqlite-journal.ts";
import { archiveState } from "../kernel/archive.ts";
import { openQuestions } from "../kernel/state.ts";
import { compileLoadout } from "../loadout.ts";
import type { Journal } from "../run/journal.ts";
import { loadState, loadStateAt } from "../run/load.ts";
import { BundleDamage, BundleWriter } from "./bundle/bundle.ts";
import { exportRun } from "./bundle/export.ts";
import { importRun } from "./bundle/import.ts";
import { diffRuns } from "./diff/diff.ts";
import { diffText } from "./diff/diff-text.ts";
import { lineDiff } from "./diff/line-diff.ts";
import { forkRun } from "./fork/fork.ts";
import { replayRun } from "./replay/replay.ts";
import { recordedPrograms } from "./replay/replay-program.ts";
import { pruneRuns } from "./retention/prune.ts";

const SCRIPT: Json = {
  "Socket-1": [items(2)],
  "Socket-2": { outputs: ["built"], repeat: true },
  "Socket-3": [no("too long"), yes, yes],
  "Socket-4": { outputs: [yes], repeat: true },
  "Socket-5": ["told"],
};
const FORK = runId("fork");

async function played(script: Json = SCRIPT): Promise<Stage & { journal: MemoryJournal }> {
  const stage = new Stage({ loadout: workshop(), script });
  expect((await stage.play()).status).toBe("completed");
  return stage as Stage & { journal: MemoryJournal };
}

/** Goes on with any run of a stage's journal. */
async function goOn({ journal, definition }: Stage, run: RunId, said: Json): Promise<LocalRun> {
  const judgement = typeof said === "string" ? said : JSON.stringify(said);
  const texts: Readonly<Record<string, string>> = {
    "Socket-1": JSON.stringify(items(2)),
    "Socket-3": judgement,
    "Socket-4": judgement,
  };
  const agent = {
    session: ({ node }: { node: string }) => node,
    turn: async ({ node }: { node: string }) => ({
      ...{ kind: "done" as const, usage: { tokens: 3, costUsd: null }, cursor: 9 },
      text: texts[node] ?? "on",
    }),
  };
  const program = compileLoadout(definition, {
    agent: () => agent,
    commands: { run: () => Promise.reject(new Error("no programs here")) },
    utility: () => undefined,
    cwd: "/",
    runDir: "/",
  });
  const local = await LocalRun.open(program, journal, run);
  await local.drive();
  return local;
}

const replayed = (journal: Journal, run: RunId) => replayRun({ journal, run }, recordedPrograms);

describe("a fork", () => {
  test("has the past of its run at every event, goes on by itself, and leaves it as it was", async () => {
    const stage = await played();
    const before = await stage.journal.read(RUN, 0);
    for (let at = 1; at < before.length; at += 3) {
      const id = runId(`fork-${at}`);
      const forked = await forkRun(stage.journal, RUN, { at, id, now: 5 });
      expect(forked.from).toEqual({ run: RUN, seq: at });
      const { state } = await loadState(stage.journal, id);
      const then = await loadStateAt(stage.journal, RUN, at);
      expect(archive(state)).toEqual(archive(then));
      const end = await goOn(stage, id, yes);
      expect(end.ledger.state.status).toBe("completed");
      expect(await replayed(stage.journal, id)).toMatchObject({ identical: true });
    }
    expect(await stage.journal.read(RUN, 0)).toEqual(before);
  });

  test("begins with what was edited, deep inside a channel as well", async () => {
    const stage = await played();
    const edit = [{ channel: "state", path: ["workItems", "1", "title"], value: "Other" }];
    await forkRun(stage.journal, RUN, { at: 12, id: FORK, edit, now: 5 });
    const { ledger } = await goOn(stage, FORK, yes);
    expect(ledger.state.cells.get("state")?.value).toMatchObject({
      workItems: [{ title: "Item 1" }, { title: "Other" }],
    });
    expect(await replayed(stage.journal, FORK)).toMatchObject({ identical: true });
  });

  test.each([
    ["an id that is taken", { id: RUN }, /There is a run r already/],
    ["an id that is none", { id: " " }, /cannot name a run/],
    ["a moment that is not there", { id: FORK, at: 9999 }, /has no event 9999: it has the events 1 to/],
    ["a moment before the first", { id: FORK, at: 0 }, /has no event 0/],
    ["an edit of nothing", { id: FORK, edit: [{ channel: "stat", value: 1 }] }, /Did you mean state\?/],
    [
      "an edit inside a text",
      { id: FORK, edit: [{ channel: "request", path: ["x"], value: 1 }] },
      /neither an object nor a list/,
    ],
  ])("with %s is refused, and nothing is made", async (_what, options, message) => {
    const { journal } = await played();
    await expect(forkRun(journal, RUN, { now: 5, ...options })).rejects.toThrow(message);
    expect(await journal.runs()).toHaveLength(1);
  });

  test("takes the child of an open task with it, which is then asked on its own", async () => {
    const stage = nested();
    await stage.play();
    const journal = stage.journal as MemoryJournal;
    const forked = await forkRun(journal, RUN, { id: FORK, now: 5 });
    expect(forked).toMatchObject({ status: "waiting", children: ["fork/1/Sub"], open: ["Sub"] });
    await stage.answer("yes");
    const local = await goOn(stage, FORK, yes);
    const [open] = openQuestions(local.ledger.state);
    expect(open?.question.from?.run).toBe("fork/1/Sub");
    await local.send({ type: "answer", value: "yes" });
    await local.drive();
    expect(local.ledger.state.status).toBe("completed");
    expect((await replayed(journal, FORK)).runs.map(({ run }) => run)).toEqual([FORK, "fork/1/Sub"]);
    expect(await replayed(journal, FORK)).toMatchObject({ identical: true });
  });
});

describe("the difference of two runs", () => {
  test("of a run and its fork is what happened after the fork", async () => {
    const stage = await played();
    const log = await stage.journal.read(RUN, 0);
    const judged = log.find((event) => event.type === "step.opened" && event.tasks[0]?.node === "Socket-3");
    await forkRun(stage.journal, RUN, { at: judged?.seq ?? 0, id: FORK, now: 5 });
    await goOn(stage, FORK, yes);
    const diff = await diffRuns(stage.journal, RUN, FORK);
    expect(diff.diverges).toMatchObject({ key: "Socket-3@WI-1", what: "route", left: ["enter:Socket-2"] });
    expect(diff.visits.same).toBeGreaterThan(1);
    const keys = diff.visits.differing.map(({ key, differs }) => `${key}: ${differs}`);
    expect(keys).toContain("Socket-2@WI-1#2: visit");
    expect(diff.runs.map(({ usage }) => usage.tokens)).toEqual([0, expect.any(Number)]);
    const text = diffText(diff);
    expect(text).toContain("They go apart at Socket-3@WI-1 (route):");
    expect(text).toContain('    - {"satisfied":false,"context":"too long"}');
  });

  test("of a run with itself is none", async () => {
    const { journal } = await played();
    const diff = await diffRuns(journal, RUN, RUN);
    expect(diff).toMatchObject({ identical: true, visits: { differing: [] }, state: [] });
    expect(diffText(diff)).toContain("The runs are the same");
  });

  test("of texts is by lines, and the shortest", () => {
    const told = lineDiff("a\nb\nc\nd", "a\nc\nx\nd").map(({ op, line }) => `${op} ${line}`);
    expect(told).toEqual(["same a", "removed b", "same c", "added x", "same d"]);
    expect(lineDiff("", "x").map(({ op }) => op)).toEqual(["removed", "added"]);
    expect(lineDiff("same", "same").map(({ op }) => op)).toEqual(["same"]);
  });
});

describe("a bundle", () => {
  test("opens and replays in an empty journal, under its id and under another one", async () => {
    const stage = nested();
    await stage.play();
    await stage.answer("yes");
    const { bundle, runs, texts } = await exportRun(stage.journal, RUN);
    expect(runs).toEqual([RUN, `${RUN}/1/Sub`]);
    expect(texts).toBeGreaterThan(0);
    const empty = new MemoryJournal();
    const imported = await importRun(empty, bundle);
    expect(imported).toMatchObject({ run: RUN, status: "completed", runs });
    expect(await empty.read(RUN, 0)).toEqual(JSON.parse(JSON.stringify(await stage.journal.read(RUN, 0))));
    expect((await empty.head(RUN))?.status).toBe("completed");
    expect(await replayed(empty, RUN)).toMatchObject({ identical: true, skipped: [] });
    await expect(importRun(empty, bundle)).rejects.toThrow("There is a run r already");
    await importRun(empty, bundle, { as: "other" });
    expect(await replayed(empty, runId("other"))).toMatchObject({ identical: true, runs: [{}, {}] });
    const again = await exportRun(empty, RUN);
    expect(Buffer.from(again.bundle).equals(Buffer.from(bundle))).toBe(true);
  });

  test("with any byte changed, added or missing is refused, and nothing is written", async () => {
    const { journal } = await played();
    const { bundle } = await exportRun(journal, RUN, { compress: false });
    const lineOf = (at: number) => bundle.subarray(0, at).filter((byte) => byte === 10).length + 1;
    const empty = new MemoryJournal();
    for (let at = 0; at < bundle.length; at += 97) {
      const forged = Uint8Array.from(bundle);
      forged[at] = (forged[at] ?? 0) ^ 1;
      const error = await importRun(empty, forged).catch((thrown: unknown) => thrown);
      expect(error, `byte ${at}`).toBeInstanceOf(BundleDamage);
      expect((error as BundleDamage).line).toBe(lineOf(at));
    }
    for (const cut of [1, 100, bundle.length - 1, bundle.length - 200]) {
      await expect(importRun(empty, bundle.subarray(0, cut))).rejects.toThrow(BundleDamage);
    }
    await expect(importRun(empty, Buffer.concat([bundle, Buffer.from("{}\n")]))).rejects.toThrow(
      BundleDamage,
    );
    expect(await empty.runs()).toEqual([]);
  });

  test("without secrets holds them nowhere, replays, and says so", async () => {
    const key = `sk-${"a1B2".repeat(8)}`;
    const stage = await played({
      ...(SCRIPT as object),
      "Socket-2": { outputs: [`The key is ${key}.`], repeat: true },
    });
    const { bundle, redacted } = await exportRun(stage.journal, RUN, {
      compress: false,
      secrets: true,
      fields: ["title"],
    });
    const text = new TextDecoder().decode(bundle);
    expect(text).not.toContain(key);
    expect(text).not.toContain("Item 1");
    expect(redacted?.values).toBeGreaterThan(2);
    const empty = new MemoryJournal();
    expect(await importRun(empty, bundle)).toMatchObject({ redacted: { secrets: true, fields: ["title"] } });
    const kernel = await replayRun({ journal: empty, run: RUN }, (wanted) => {
      const found = recordedPrograms(wanted);
      return found && { program: found.program };
    });
    expect(kernel).toMatchObject({ identical: true, runs: [{ checked: "kernel" }] });
    await expect(exportRun(stage.journal, RUN, { fields: ["route"] })).rejects.toThrow(
      "word of the log's own format",
    );
  });

  test("that was forged is refused in order: lines of another shape, runs of another family", async () => {
    const { journal } = await played();
    const { bundle } = await exportRun(journal, RUN);
    const [, ...rest] = gunzipSync(bundle).toString("utf8").trim().split("\n");
    const event = JSON.parse(rest[0] ?? "") as { event: object };
    const header = { kind: "baton.bundle", version: 1, run: RUN, runs: [RUN] } as const;
    const forgeries = [
      [{ ...header, runs: "r" }],
      [{ ...header, runs: ["other"] }],
      [{ ...header, runs: [RUN, "other"] }],
      [{ ...header, run: null }],
      [header, { kind: "event" }],
      [header, { kind: "event", event: { ...event.event, at: "now" } }],
      [header, { kind: "text", ref: 1, text: 1 }],
      [header, { kind: "git", pictures: [{ object: "a\nb", tree: "c" }], base64: "" }],
      [header, { kind: "__proto__" }],
    ];
    for (const lines of forgeries) {
      const writer = new BundleWriter();
      const written = lines.map((line) => writer.line(line as Parameters<BundleWriter["line"]>[0]));
      const forged = Buffer.from(written.join("") + writer.end());
      await expect(importRun(new MemoryJournal(), forged)).rejects.toThrow(BundleDamage);
    }
  });
});

describe("pruning", () => {
  async function filled(): Promise<MemoryJournal> {
    const { journal } = await played();
    for (const id of ["f1", "f2", "f3"]) await forkRun(journal, RUN, { at: 12, id, now: 5 });
    return journal;
  }

  test("removes what is over, keeps the last ones and what others refer to", async () => {
    const journal = await filled();
    const dry = await pruneRuns(journal, { dryRun: true });
    expect(dry).toMatchObject({ runs: [{ run: RUN, status: "completed" }], kept: 3, dryRun: true });
    expect(await journal.head(RUN)).toBeDefined();
    expect((await pruneRuns(journal, { keepLast: 1 })).runs).toEqual([]);
    expect((await pruneRuns(journal, { olderThan: 0 })).runs).toEqual([]);
    expect((await pruneRuns(journal, {})).runs).toMatchObject([{ run: RUN }]);
    journal.vacuum();
    expect(await replayed(journal, runId("f1"))).toMatchObject({ identical: true });
    await expect(pruneRuns(journal, { statuses: ["running"] })).rejects.toThrow("Cancel it first");
  });

  test("takes the children of a run with it, and never one of them alone", async () => {
    const stage = nested();
    await stage.play();
    const journal = stage.journal as MemoryJournal;
    expect((await pruneRuns(journal, {})).runs).toEqual([]);
    await stage.answer("yes");
    expect((await pruneRuns(journal, {})).runs).toMatchObject([{ run: RUN, children: 1 }]);
    expect(await journal.runs({ children: true })).toEqual([]);
  });
});

describe("pruning a database", () => {
  test("keeps what forks and children refer to, in texts too, and vacuum makes the file smaller", async () => {
    const folder = mkdtempSync(join(tmpdir(), "baton-prune-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const journal = new SqliteJournal(join(folder, "baton.db"));
    onTestFinished(() => journal.close());
    const long = `built ${"and built ".repeat(4000)}`;
    const script = { ...(SCRIPT as object), "Socket-2": { outputs: [long], repeat: true } };
    const stage = new Stage({ loadout: workshop(), script, journal });
    await stage.play();
    const parent = nested();
    await parent.play();
    await importRun(journal, (await exportRun(parent.journal, RUN)).bundle, { as: "parent" });
    await forkRun(journal, RUN, { at: 30, id: FORK, now: 5 });
    const before = await replayed(journal, FORK);
    const pruned = await pruneRuns(journal, {});
    expect(pruned.runs).toMatchObject([{ run: RUN, status: "completed" }]);
    expect(pruned.kept).toBe(2);
    expect(journal.vacuum().texts).toBeGreaterThan(0);
    expect(await replayed(journal, FORK)).toEqual(before);
    expect((await exportRun(journal, FORK)).texts).toBeGreaterThan(0);
    const family = await journal.runs({ prefix: "parent", children: true });
    expect(family.map(({ run }) => run).sort()).toEqual(["parent", "parent/1/Sub"]);
    expect(await replayed(journal, runId("parent"))).toMatchObject({ identical: true });
  });

  test("by size removes the oldest that may go, until it is small enough", async () => {
    const journal = new SqliteJournal(":memory:");
    onTestFinished(() => journal.close());
    const { bundle } = await exportRun((await played()).journal, RUN);
    for (const as of ["one", "two", "three"]) await importRun(journal, bundle, { as });
    const whole = await pruneRuns(journal, { dryRun: true });
    expect(whole.runs.map(({ run }) => run)).toHaveLength(3);
    const [first] = whole.runs;
    const pruned = await pruneRuns(journal, { maxBytes: whole.bytes - 1 });
    expect(pruned.runs.map(({ run }) => run)).toEqual([first?.run]);
    expect(pruned.kept).toBe(2);
  });
});

/** A run whose child asks a person. */
function nested(): Stage {
  return new Stage({
    loadout: {
      entry: "Sub",
      sockets: {
        Sub: { materia: "Graph", edges: [{ when: "always", to: "End" }] },
        End: { materia: "Tell" },
      },
      materia: {
        Tell: { prompt: "Work.", tools: "none" },
        Person: { type: "human", prompt: "Well?" },
        Graph: { type: "graph", loadout: "Inner" },
      },
      loadouts: { Inner: { name: "Inner", entry: "A", sockets: { A: { materia: "Person" } } } },
    },
    script: { End: ["ended"] },
  });
}

function archive(state: Parameters<typeof archiveState>[0]): unknown {
  return JSON.parse(JSON.stringify(archiveState(state)));
}
