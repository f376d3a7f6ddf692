/**
 * Every example is replayed from its log alone and comes to the same again; and in every one of them a changed handler,
 * a changed definition and a changed log are found, and the place is named.
 */
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import type { Json, JsonObject } from "../../src/base/json.ts";
import type { RunId } from "../../src/base/names.ts";
import type { Graph, GraphNode, SubGraph } from "../../src/dialects/graph/graph.ts";
import {
  graphPrograms,
  type ProgramFor,
  type ReplayDifference,
  recordedPrograms,
  replayRun,
  rerunPrograms,
} from "../../src/history.ts";
import { END, Command as GraphCommand } from "../../src/index.ts";
import { MemoryJournal } from "../../src/journals/memory.ts";
import type { Event } from "../../src/kernel/event.ts";
import type { Program } from "../../src/kernel/program.ts";
import type { Journal } from "../../src/run/journal.ts";
import { Stage as InboxStage } from "../scenarios/inbox-stage.ts";
import { type Program as Command, Stage as LoadoutStage } from "../scenarios/loadout-stage.ts";
import { MODULES, played } from "./played.ts";

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
  test("all ten of them are here", () => expect(MODULES).toHaveLength(10));

  describe.each(MODULES)("%s", (name) => {
    test("comes to the same again in every thread that it kept", async () => {
      for (const { run, kept, graph } of await played(name)) {
        const report = await replayRun({ journal: kept, run }, graphPrograms(graph));
        expect(report.difference).toBeUndefined();
        expect(report).toMatchObject({ identical: true, skipped: [] });
        for (const each of report.runs) expect(each).toMatchObject({ checked: "routes", gaps: [] });
      }
    });

    test("comes to the same again when its node functions are called, and writes nothing", async () => {
      for (const { run, kept, graph } of await played(name)) {
        const before = JSON.stringify(await kept.read(run, 0));
        const report = await replayRun({ journal: kept, run }, rerunPrograms(graph));
        expect(report.difference).toBeUndefined();
        expect(report).toMatchObject({ identical: true, skipped: [] });
        for (const { checked, gaps } of report.runs) {
          expect(checked).toBe("nodes");
          for (const { why } of gaps) expect(why).toContain("came from a cache");
        }
        expect(JSON.stringify(await kept.read(run, 0))).toBe(before);
      }
    });

    test.each(Object.keys(MUTATIONS))(
      "whichever node function has %s, it is found and named",
      async (how) => {
        const threads = await played(name);
        const mutate = MUTATIONS[how] as Mutation; // a key of the table
        let found = 0;
        for (const { graph, node } of functionsIn(threads.map((each) => each.graph))) {
          const named: (string | undefined)[] = [];
          const original = node.action as Act;
          Object.assign(node, { action: mutate(original, { graph, node }) });
          for (const { run, kept, graph: root } of threads) {
            const { difference } = await replayRun({ journal: kept, run }, rerunPrograms(root));
            if (difference !== undefined) named.push(difference.node);
          }
          Object.assign(node, { action: original });
          expect(new Set(named)).toEqual(new Set([node.name]));
          found++;
        }
        expect(found).toBeGreaterThan(0);
      },
    );
  });
});

type Act = (state: unknown, config: unknown) => unknown;
type Mutation = (act: Act, place: { readonly graph: Graph; readonly node: GraphNode }) => Act;

/** What may have become of a node function since. */
const MUTATIONS: Readonly<Record<string, Mutation>> = {
  "a value changed": (act) => async (state, config) => {
    const returned = (await act(state, config)) as object;
    if (returned instanceof GraphCommand && returned.update === undefined) {
      return new GraphCommand({ ...returned, goto: END });
    }
    const update = (returned instanceof GraphCommand ? returned.update : returned) as JsonObject;
    const changed = Object.fromEntries(Object.keys(update).map((key) => [key, "changed"]));
    return returned instanceof GraphCommand ? new GraphCommand({ ...returned, update: changed }) : changed;
  },
  "a key added":
    (act, { graph }) =>
    async (state, config) => {
      const returned = await act(state, config);
      const [field = ""] = [...graph.fields.keys()].toReversed();
      return [returned, { [field]: "added" }];
    },
  "another goto":
    (act, { graph, node }) =>
    async (state, config) => {
      const returned = await act(state, config);
      const [other = node.name] = [...graph.nodes.keys()].toReversed();
      return [returned, new GraphCommand({ goto: other })];
    },
  "something to throw": () => () => {
    throw new Error("changed");
  },
};

/** The node functions of graphs and of the graphs inside them. */
function functionsIn(
  graphs: readonly Graph[],
): readonly { readonly graph: Graph; readonly node: GraphNode }[] {
  return [...new Set(graphs)].flatMap((graph) =>
    [...graph.nodes.values()].flatMap((node) =>
      typeof node.action === "function" ? [{ graph, node }] : functionsIn([(node.action as SubGraph).graph]),
    ),
  );
}
