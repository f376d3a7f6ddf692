/**
 * Every example is replayed from its log alone and comes to the same again; and in every one of them a changed handler,
 * a changed definition and a changed log are found, and the place is named.
 */
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, test, vi } from "vitest";
import type { Json, JsonObject } from "../../src/base/json.ts";
import type { RunId } from "../../src/base/names.ts";
import { CompiledGraph } from "../../src/dialects/graph/compile.ts";
import type { Graph } from "../../src/dialects/graph/graph.ts";
import {
  graphPrograms,
  type ProgramFor,
  type ReplayDifference,
  recordedPrograms,
  replayRun,
} from "../../src/history.ts";
import { MemoryJournal } from "../../src/journals/memory.ts";
import type { Event } from "../../src/kernel/event.ts";
import type { Program } from "../../src/kernel/program.ts";
import type { Batch, Journal } from "../../src/run/journal.ts";
import { Stage as InboxStage } from "../scenarios/inbox-stage.ts";
import { type Program as Command, Stage as LoadoutStage } from "../scenarios/loadout-stage.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const EXAMPLES = `${ROOT}examples`;
const readJson = (path: string): JsonObject => JSON.parse(readFileSync(`${EXAMPLES}/${path}`, "utf8"));
const RUN = "r" as RunId;

/** Runs the program of a utility as it stands, in the project. */
const node: Command = (input, { argv }) => {
  const stdin = JSON.stringify({ ...input, cwd: ROOT });
  const ran = spawnSync(process.execPath, argv.slice(1), { cwd: ROOT, input: stdin, encoding: "utf8" });
  return { ended: "exited", code: ran.status ?? 1, stdout: ran.stdout, stderr: ran.stderr };
};

/** What the bundled utilities of the large example find in a folder with a repository. */
const BUNDLED: Readonly<Record<string, Command>> = {
  "Ignore-Artifacts": () => ({ state: { artifactIgnore: { added: [".baton/"] } } }),
  "Detect-VCS": () => ({ state: { vcs: { kind: "git", root: "/project", available: true } } }),
};

const ANSWERS: Readonly<Record<string, readonly Json[]>> = {
  "4-a-person-decides": [
    { approved: false, reason: "Thank people." },
    { approved: true },
    { channel: "blog" },
  ],
  "graph-semantics-loadout": [{ approved: true }],
  "8-refine-and-hand-over": ["I will finish it tomorrow."],
};

async function loadoutExample(file: string): Promise<Journal> {
  const name = file.replace(/^.*\/|\.json$/g, "");
  const isRecipe = file.startsWith("cookbook/");
  const script = isRecipe ? `cookbook/${name}.script.json` : "graph-semantics-script.json";
  const stage = new LoadoutStage({
    loadout: readJson(file),
    script: readJson(script),
    programs: { node, ...BUNDLED },
  });
  let standing = await stage.play();
  for (const answer of ANSWERS[name] ?? []) standing = await stage.answer(answer);
  expect(standing).toMatchObject({ status: "completed" });
  return stage.journal;
}

const MESSAGES: Readonly<Record<string, string>> = {
  "inbox-team.json": "lead: We need a sign-up.",
  "inbox-review.json": "author: Write a function that adds.",
  "inbox-pipeline.json": "gather: Why do my eggs take so long up here?",
};

async function inboxExample(file: string): Promise<Journal> {
  const journal = new MemoryJournal();
  const script = readJson(file.replace(".json", "-script.json"));
  const stage = new InboxStage({ graph: readJson(file), script, journal });
  expect((await stage.play(MESSAGES[file] ?? "")).status).toBe("completed");
  return journal;
}

const json = readdirSync(EXAMPLES).filter((name) => name.endsWith(".json") && !name.endsWith("-script.json"));
const recipes = readdirSync(`${EXAMPLES}/cookbook`).filter((name) => /^\d.*(?<!\.script)\.json$/.test(name));
const files = [...json, ...recipes.map((name) => `cookbook/${name}`)];

test("every loadout and inbox graph among the examples is here", () => {
  expect(files.filter((name) => name.startsWith("inbox-")).sort()).toEqual(Object.keys(MESSAGES).sort());
  expect(files).toHaveLength(12);
});

describe.each(files)("%s", (file) => {
  const play = () => (file.startsWith("inbox-") ? inboxExample(file) : loadoutExample(file));

  test("comes to the same again, and nothing of it is taken as recorded", async () => {
    const report = await replayRun({ journal: await play(), run: RUN }, recordedPrograms);
    expect(report.difference).toBeUndefined();
    expect(report).toMatchObject({ identical: true, skipped: [] });
    for (const run of report.runs) expect(run).toMatchObject({ checked: "handlers", taken: 0, gaps: [] });
  });

  test("a changed handler is found, and the task named", async () => {
    const journal = await play();
    const { task, name } = lastFinished(await journal.read(RUN, 0));
    const difference = await differenceIn(journal, (wanted) => {
      const found = recordedPrograms(wanted);
      const handler = found?.program.handlers[name];
      if (wanted.run !== RUN || found === undefined || handler === undefined) return found;
      const changed: Program["handlers"] = {
        ...found.program.handlers,
        async [name](input, context) {
          const outcome = await handler(input, context);
          return outcome.kind === "done" ? { ...outcome, route: [...outcome.route, "elsewhere"] } : outcome;
        },
      };
      return { ...found, program: { ...found.program, handlers: changed } };
    });
    expect(difference).toMatchObject({ by: "handler", type: "task.finished" });
    expect(difference?.task?.split("/")[1]).toBe(task.split("/")[1]);
  });

  test("a changed definition is found", async () => {
    const difference = await differenceIn(await play(), (wanted) => {
      const found = recordedPrograms({ ...wanted, definition: renamed(wanted.definition as JsonObject) });
      return wanted.run === RUN ? found : recordedPrograms(wanted);
    });
    expect(difference?.message).toMatch(/\.$/);
  });

  test("a changed log is found, whichever kind of event it is in", async () => {
    const journal = await play();
    const log = await journal.read(RUN, 0);
    for (const type of ["step.opened", "task.finished", "step.committed"] as const) {
      const at = log.findLastIndex((event) => event.type === type);
      const difference = await differenceIn(await forged(journal, log, at), recordedPrograms);
      expect(difference?.seq).toBe(at + 1);
    }
  });
});

/** Every agent is asked something else. */
function renamed(definition: JsonObject): JsonObject {
  return JSON.parse(
    JSON.stringify(definition, (key, value) =>
      (key === "prompt" || key === "kind") && typeof value === "string" ? other(key, value) : value,
    ),
  );
}

function other(key: string, value: string): string {
  if (key === "prompt") return `${value} Or not.`;
  return { task: "orchestrator", orchestrator: "task" }[value] ?? value;
}

async function differenceIn(journal: Journal, programFor: ProgramFor): Promise<ReplayDifference | undefined> {
  return (await replayRun({ journal, run: RUN }, programFor)).difference;
}

function lastFinished(log: readonly Event[]): { readonly task: string; readonly name: string } {
  const finished = log.findLast(({ type }) => type === "task.finished");
  const task = finished?.type === "task.finished" ? finished.task : "";
  const opened = log.flatMap((event) => (event.type === "step.opened" ? event.tasks : []));
  return { task, name: opened.find((each) => each.task === task)?.node ?? "" };
}

/** The same runs, with one event of the first one changed. */
async function forged(journal: Journal, log: readonly Event[], at: number): Promise<Journal> {
  const copy = new MemoryJournal();
  for (const head of await journal.runs({ children: true })) {
    const events = structuredClone(head.run === RUN ? log : await journal.read(head.run, 0)) as Event[];
    if (head.run === RUN) events[at] = changed(events[at] as Event);
    const refs = [...new Set(JSON.stringify(events).match(/sha256:[0-9a-f]{64}/g))];
    const texts = await Promise.all(
      refs.map(async (ref) => ({ ref, text: (await journal.text(ref)) ?? "" })),
    );
    copy.append({ run: head.run, after: 0, events, texts, head });
  }
  return copy;
}

function changed(event: Event): Event {
  if (event.type === "step.opened") return { ...event, step: event.step + 1 };
  if (event.type === "step.committed") return { ...event, ran: [] };
  if (event.type !== "task.finished") return event;
  return { ...event, writes: [...event.writes, { channel: "elsewhere", value: 1 }] };
}

describe("the StateGraph examples", () => {
  const modules = readdirSync(EXAMPLES).filter(
    (name) => /^(stategraph|functional)-.*\.ts$/.test(name) && name !== "stategraph-saver.ts",
  );
  afterEach(() => vi.restoreAllMocks());

  test.each(modules)("%s comes to the same again in every thread that it kept", async (name) => {
    vi.spyOn(console, "log").mockImplementation(() => {});
    const graphs = new Map<string, { readonly graph: Graph; readonly program: Program }>();
    const kept = new MemoryJournal();
    const { append } = MemoryJournal.prototype;
    const { programFor } = CompiledGraph.prototype;
    vi.spyOn(CompiledGraph.prototype, "programFor").mockImplementation(function (
      this: CompiledGraph,
      invocation,
    ) {
      const program = programFor.call(this, invocation);
      graphs.set(program.id.revision, { graph: this, program });
      return program;
    });
    vi.spyOn(MemoryJournal.prototype, "append").mockImplementation(function (
      this: MemoryJournal,
      batch: Batch,
    ) {
      append.call(this, batch);
      if (this !== kept) append.call(kept, structuredClone(batch));
    });
    await import(/* @vite-ignore */ `../../examples/${name}?replay`);
    const runs = await kept.runs();
    for (const { run } of runs) {
      const report = await replayRun({ journal: kept, run }, ({ program, ...wanted }) => {
        const found = graphs.get(program.revision);
        return found && graphPrograms(found.graph, () => found.program)({ program, ...wanted, nodes: [] });
      });
      expect(report.difference).toBeUndefined();
      expect(report).toMatchObject({ identical: true });
    }
  });
});
