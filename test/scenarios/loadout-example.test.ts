/** The example of the documentation: utilities, a plan, a loop with one return and one approval, and a report. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { Json } from "../../src/base/json.ts";
import { MemoryJournal } from "../../src/journals/memory.ts";
import { FaultyJournal } from "../../src/testing/faulty-journal.ts";
import { notes, Stage, type StageOptions } from "./loadout-stage.ts";

const file = (name: string): Json =>
  JSON.parse(readFileSync(new URL(`../../examples/${name}`, import.meta.url), "utf8")) as Json;

const options: StageOptions = {
  loadout: file("graph-semantics-loadout.json"),
  script: file("graph-semantics-script.json"),
  programs: {
    "Ignore-Artifacts": () => ({ state: { artifactIgnore: { added: [".baton/"] } } }),
    "Detect-VCS": () => ({ state: { vcs: { kind: "git", root: "/project", available: true } } }),
  },
};

const PATH = [
  ...["Socket-1", "Socket-2", "Socket-3"],
  ...["Socket-4@WI-1", "Socket-5@WI-1", "Socket-4@WI-1", "Socket-5@WI-1", "Socket-6@WI-1"],
  ...["Socket-4@WI-2", "Socket-5@WI-2", "Socket-6@WI-2"],
  "Socket-7",
];

test("§11: it waits for its approval, and ends over the whole path", async () => {
  const stage = new Stage(options);
  const waiting = await stage.play("Greet people by name.");
  expect(waiting.status).toBe("waiting");
  expect(waiting.path).toEqual(PATH.slice(0, 9));
  expect(waiting.questions).toMatchObject([{ value: { kind: "approval", title: "Write GREETING.md" } }]);
  expect(stage.written).toEqual(["src/greet.js", "src/greet.js"]);
  const end = await stage.answer({ approved: true });
  expect(end).toMatchObject({ status: "completed", reason: null, path: PATH, warnings: [] });
  expect(end.state).toMatchObject({ vcs: { kind: "git" }, artifactIgnore: { added: [".baton/"] } });
  expect(end.usage).toEqual({ tokens: 2800, costUsd: 0 });
  expect(stage.written).toEqual(["src/greet.js", "src/greet.js", "GREETING.md"]);
});

test("the return of the first item is told to the builder once (§7)", async () => {
  const stage = new Stage(options);
  await stage.play();
  const building = stage.prompts.filter(({ node }) => node === "Socket-4").map(({ prompt }) => prompt);
  expect(building[0]).not.toContain("Runtime follow-up context");
  expect(building[1]).toContain("Runtime follow-up context");
  expect(building[1]).toContain('greet() without a name gives "Hello, undefined!"');
  expect(building[2]).not.toContain("Runtime follow-up context");
});

test("a crash at every append, the write kept or lost, leads to the same end", async () => {
  const calm = new FaultyJournal(new MemoryJournal());
  const undisturbed = new Stage({ ...options, journal: calm });
  await undisturbed.play();
  const end = await undisturbed.answer({ approved: true });
  for (let append = 1; append <= calm.appends; append++) {
    for (const write of ["kept", "lost"] as const) {
      const journal = new MemoryJournal();
      const faulty = new Stage({ ...options, journal: new FaultyJournal(journal, { append, write }) });
      await untilCrash(faulty);
      const stage = new Stage({ ...options, journal });
      const first = await stage.play();
      const after = first.status === "waiting" ? await stage.answer({ approved: true }) : first;
      const at = `append ${append} ${write}`;
      expect({ at, ...pick(after) }).toEqual({ at, ...pick(end) });
      const finished = after.events.filter(({ type }) => type === "task.finished").length;
      expect({ at, finished }).toEqual({ at, finished: PATH.length });
    }
  }
});

async function untilCrash(stage: Stage): Promise<void> {
  try {
    const first = await stage.play();
    if (first.status === "waiting") await stage.answer({ approved: true });
  } catch {
    // the process is dead
  }
}

function pick({ status, path, state, usage }: Awaited<ReturnType<Stage["play"]>>): object {
  return { status, path, state, usage };
}

test("every effect of §3 leaves an event", async () => {
  const stage = new Stage(options);
  await stage.play();
  const end = await stage.answer({ approved: true });
  const kinds = new Set(end.events.flatMap((event) => (event.type === "task.noted" ? [event.kind] : [])));
  for (const kind of [
    "entered",
    "turn",
    "output",
    "patched",
    "context",
    "assigned",
    "advanced",
    "routed",
    "rework",
  ]) {
    expect(kinds).toContain(`loadout.${kind}`);
  }
  const [first] = notes(end, "turn");
  expect(await stage.journal.text(String(first?.["prompt"]))).toContain("You plan software work.");
});
