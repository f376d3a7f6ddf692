/** Replay: what was decided is decided again, and whatever was changed is found and named. */
import { describe, expect, test } from "vitest";
import { done, RUN as GRAPH_RUN, program, start, sum } from "../../../test/kit.ts";
import { items, no, RUN, Stage, workshop, yes } from "../../../test/scenarios/loadout-stage.ts";
import type { Json, JsonObject } from "../../base/json.ts";
import { MemoryJournal } from "../../journals/memory.ts";
import type { Event } from "../../kernel/event.ts";
import type { Handler } from "../../kernel/program.ts";
import { readLoadout } from "../../loadout.ts";
import { recordedLoadout } from "./recorded-loadout.ts";
import { type ReplayReport, replayRun } from "./replay.ts";
import { type ProgramFor, recordedPrograms } from "./replay-program.ts";

const SCRIPT: Json = {
  "Socket-1": ["not JSON", items(2)],
  "Socket-2": { outputs: ["built", { fail: "Overloaded." }, "built again", "built"], repeat: true },
  "Socket-3": [no("too long"), yes, yes],
  "Socket-4": { outputs: [yes], repeat: true },
  "Socket-5": ["told"],
};

async function played(loadout: Json = workshop(), script: Json = SCRIPT): Promise<Stage> {
  const stage = new Stage({ loadout, script });
  expect((await stage.play()).status).toBe("completed");
  return stage;
}

/** A journal with the same texts, and the log changed. */
async function forged(stage: Stage, change: (events: Event[]) => void): Promise<MemoryJournal> {
  const journal = new MemoryJournal();
  const events = structuredClone(await stage.journal.read(RUN, 0)) as Event[];
  const refs = JSON.stringify(events).match(/sha256:[0-9a-f]{64}/g) ?? [];
  const texts = await Promise.all(
    [...new Set(refs)].map(async (ref) => ({ ref, text: (await stage.journal.text(ref)) ?? "" })),
  );
  const head = await stage.journal.head(RUN);
  change(events);
  journal.append({ run: RUN, after: 0, events, texts, ...(head && { head }) });
  return journal;
}

function replayed(
  journal: Stage["journal"],
  programFor: ProgramFor = recordedPrograms,
): Promise<ReplayReport> {
  return replayRun({ journal, run: RUN }, programFor);
}

function under(loadout: Json): ProgramFor {
  const read = readLoadout(loadout);
  if (!read.ok) throw new Error("the changed loadout is wrong");
  return () => recordedLoadout(read.definition);
}

describe("a loadout", () => {
  test("is replayed with its handlers, from what its log holds, and comes to the same state", async () => {
    const stage = await played();
    const report = await replayed(stage.journal);
    expect(report.difference).toBeUndefined();
    expect(report).toMatchObject({ identical: true, skipped: [], runs: [{ checked: "handlers", taken: 0 }] });
    const log = await stage.journal.read(RUN, 0);
    const ends = log.filter(({ type }) => /^task\.(finished|failed|asked)$/.test(type));
    expect(report.runs[0]).toMatchObject({ seq: log.length, rehearsed: ends.length });
  });

  test("is replayed as far as it is asked to be", async () => {
    const stage = await played();
    const { runs } = await replayRun({ journal: stage.journal, run: RUN }, recordedPrograms, { until: 9 });
    expect(runs[0]?.seq).toBe(9);
  });

  const CHANGES: [what: string, by: string, change: (events: Event[]) => number][] = [
    [
      "a write of a task",
      "handler",
      (log) => setIn(log, "task.finished", 2, ["writes", 0, "value", "ref"], "x"),
    ],
    [
      "the route of a task",
      "handler",
      (log) => setIn(log, "task.finished", 1, ["route", 0], "enter:Socket-5"),
    ],
    ["a patch", "kernel", (log) => setIn(log, "step.committed", 0, ["patches", 0, "op"], "clear")],
    ["the task of a step", "kernel", (log) => setIn(log, "step.opened", 2, ["tasks", 0, "node"], "Socket-4")],
    ["a note", "handler", (log) => setIn(log, "task.noted", 0, ["data", "label"], "Other")],
    ["what a turn said", "handler", (log) => setIn(log, "task.remembered", 2, ["value", "text"], "sha256:0")],
    [
      "the prompt of a turn",
      "handler",
      (log) => setIn(log, "task.remembered", 2, ["value", "prompt"], "sha256:0"),
    ],
    ["a sequence number", "log", (log) => setIn(log, "task.noted", 3, ["seq"], 999)],
  ];
  test.each(CHANGES)(
    "whose log has %s changed differs by the %s, and the place is named",
    async (_, by, change) => {
      let seq = 0;
      const journal = await forged(await played(), (events) => {
        seq = change(events);
      });
      const { identical, difference } = await replayed(journal);
      expect({ identical, by: difference?.by }).toEqual({ identical: false, by });
      expect(difference?.message).toMatch(/\.$/);
      // What a task remembered is held against its handler when the handler's call ends.
      if (by === "kernel") expect(difference?.seq).toBe(seq);
      else expect(difference?.seq).toBeGreaterThanOrEqual(by === "log" ? 1 : seq);
    },
  );

  test("without one of its events cannot be", async () => {
    const journal = await forged(await played(), (events) => {
      const gone = events.findIndex(({ type }) => type === "step.committed");
      events.splice(gone, 1);
      for (const [index, event] of events.entries()) (event as { seq: number }).seq = index + 1;
    });
    const { difference } = await replayed(journal);
    expect(difference).toMatchObject({ by: "kernel", message: expect.stringContaining("step.committed") });
  });

  test("with a changed handler differs where it came to something else", async () => {
    const { journal } = await played();
    const { difference } = await replayed(journal, (wanted) => {
      const found = recordedPrograms(wanted);
      if (found === undefined) throw new Error("a loadout is always at hand");
      const { handlers } = found.program;
      const changed: Handler = async (input, context) => {
        const outcome = await (handlers["Socket-3"] as Handler)(input, context);
        return outcome.kind === "done" ? { ...outcome, route: ["enter:Socket-5"] } : outcome;
      };
      return { ...found, program: { ...found.program, handlers: { ...handlers, "Socket-3": changed } } };
    });
    expect(difference).toMatchObject({
      ...{ by: "handler", type: "task.finished", path: "/route/0" },
      ...{ expected: "enter:Socket-5", recorded: "enter:Socket-2" },
    });
  });

  test("under a changed definition tells where it would have gone otherwise", async () => {
    const { sockets } = workshop() as { sockets: JsonObject };
    const changed = workshop({
      sockets: {
        ...sockets,
        "Socket-3": {
          ...(sockets["Socket-3"] as JsonObject),
          edges: [
            { when: "satisfied", to: "Socket-4" },
            { when: "not_satisfied", to: "Socket-4" },
          ],
        },
      },
    });
    const stage = await played();
    const run = { journal: stage.journal, run: RUN };
    const { difference } = await replayRun(run, under(changed), { isChanged: true });
    const log = await stage.journal.read(RUN, 0);
    const sentBack = log.find(
      (event) =>
        event.type === "task.finished" &&
        event.route[0] === "enter:Socket-2" &&
        event.task.endsWith("Socket-3"),
    );
    expect(difference).toMatchObject({
      by: "handler",
      task: sentBack?.type === "task.finished" && sentBack.task,
    });
    expect(JSON.stringify(difference?.expected)).toContain("Socket-4");
  });

  test("under other prompts goes the same way", async () => {
    const stage = await played();
    const materia = (workshop() as { materia: JsonObject }).materia;
    const changed = workshop({
      materia: { ...materia, Build: { ...(materia["Build"] as JsonObject), prompt: "Other." } },
    });
    const run = { journal: stage.journal, run: RUN };
    expect(await replayRun(run, under(changed), { isChanged: true })).toMatchObject({ identical: true });
  });

  test("with an approval, a person and a child is replayed with its child", async () => {
    const inner = { name: "Inner", entry: "A", sockets: { A: { materia: "Tell" } } };
    const agent = { prompt: "Work.", tools: "none" };
    const loadout = {
      entry: "Ask",
      sockets: {
        Ask: { materia: "Tell", edges: [{ when: "always", to: "Who" }] },
        Who: { materia: "Person", edges: [{ when: "always", to: "Sub" }] },
        Sub: { materia: "Graph" },
      },
      materia: {
        Tell: agent,
        Person: { type: "human", prompt: "Well?" },
        Graph: { type: "graph", loadout: "Inner" },
      },
      loadouts: { Inner: inner },
    };
    const script = {
      Ask: [{ $: "turn", text: "asked", ask: { title: "May I?", args: { a: 1 } } }],
      A: ["inner"],
    };
    const stage = new Stage({ loadout, script });
    let standing = await stage.play();
    for (let i = 0; i < 4 && standing.status === "waiting"; i++)
      standing = await stage.answer({ approved: true });
    expect(standing.status).toBe("completed");
    const report = await replayed(stage.journal);
    expect(report.difference).toBeUndefined();
    expect(report.runs.map(({ run }) => run)).toEqual([RUN, `${RUN}/3/Sub`]);
  });
});

describe("a program whose nodes are any code", () => {
  const graph = (factor: number) =>
    program({
      channels: { total: sum },
      reducers: { add: (current, update) => (current as number) + factor * (update as number) },
      nodes: { a: { run: () => done({ total: 1 }, "b") }, b: { run: () => done({ total: 2 }) } },
    });

  test("is replayed by the kernel, and a changed reducer is found", async () => {
    const { journal } = await start(graph(1));
    const run = { journal, run: GRAPH_RUN };
    const same = await replayRun(run, () => ({ program: graph(1) }));
    expect(same).toMatchObject({ identical: true, runs: [{ checked: "kernel", rehearsed: 0 }] });
    const { difference } = await replayRun(run, () => ({ program: graph(2) }));
    expect(difference).toMatchObject({
      type: "step.committed",
      path: "/patches/0/op",
      expected: "set",
      recorded: "take",
    });
  });

  test("is refused when it is not at hand", async () => {
    const { journal } = await start(graph(1));
    await expect(replayRun({ journal, run: GRAPH_RUN }, recordedPrograms)).rejects.toThrow("not at hand");
  });

  test("a snapshot that is not what the log folds to is found", async () => {
    const { journal } = await start(graph(1));
    const run = { journal, run: GRAPH_RUN };
    await journal.saveSnapshot(GRAPH_RUN, { seq: 3, state: { cells: [] } });
    const { difference } = await replayRun(run, () => ({ program: graph(1) }));
    expect(difference).toMatchObject({ by: "log", seq: 3 });
  });
});

/** Changes a place in the n-th event of a type; returns the number of that event. */
function setIn(
  log: Event[],
  type: Event["type"],
  index: number,
  path: (string | number)[],
  value: Json,
): number {
  const event = log.filter((one) => one.type === type)[index];
  if (event === undefined) throw new Error(`no ${type}`);
  let place = event as unknown as Record<string | number, unknown>;
  for (const key of path.slice(0, -1)) place = place[key] as Record<string | number, unknown>;
  expect(place[path.at(-1) ?? ""]).toBeDefined();
  place[path.at(-1) ?? ""] = value;
  return event.seq;
}
