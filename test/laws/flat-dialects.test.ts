/** What a turn costs does not grow with the run in any dialect, and neither does what a cold resume reads. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import type { Agent, Turn } from "../../src/agent/agent.ts";
import { parseScript } from "../../src/agent/script.ts";
import { ScriptedAgent } from "../../src/agent/scripted.ts";
import type { Json } from "../../src/base/json.ts";
import { LocalRun } from "../../src/engines/local.ts";
import { compileInbox, readInbox, startInbox } from "../../src/inbox.ts";
import { END, field, START, StateGraph } from "../../src/index.ts";
import { MemoryJournal } from "../../src/journals/memory.ts";
import { SqliteJournal } from "../../src/journals/sqlite/sqlite-journal.ts";
import type { Command } from "../../src/kernel/command.ts";
import type { Event } from "../../src/kernel/event.ts";
import type { Program } from "../../src/kernel/program.ts";
import { compileLoadout, readLoadout, startLoadout } from "../../src/loadout.ts";
import type { Batch, Journal } from "../../src/run/journal.ts";
import { loadState } from "../../src/run/load.ts";
import { RUN, systemLike } from "../kit.ts";

/** A journal that weighs what it is given, append by append. */
class Scale extends MemoryJournal {
  readonly bytes: number[] = [];

  override append(batch: Batch): void {
    super.append(batch);
    this.bytes.push(JSON.stringify([batch.events, batch.texts]).length);
  }
}

/** Takes a run through so many turns. */
type Play = (journal: Journal, turns: number) => Promise<unknown>;

const graph: Play = (checkpointer, turns) =>
  new StateGraph({ n: field<number>({ default: 0 }) })
    .addNode("a", async ({ n }) => ({ n: n + 1 }))
    .addEdge(START, "a")
    .addConditionalEdges("a", ({ n }) => (n < turns ? "a" : END))
    .compile({ checkpointer })
    .invoke({}, { configurable: { thread_id: RUN }, recursionLimit: turns + 1 });

const role = { prompt: "Work.", tools: "none" };
const LOADOUT: Json = {
  name: "Flat",
  entry: "Socket-1",
  sockets: {
    "Socket-1": { materia: "Plan", edges: [{ when: "always", to: "Socket-2" }] },
    "Socket-2": { materia: "Build", edges: [{ when: "always", to: "Socket-3" }] },
    "Socket-3": {
      materia: "Keep",
      parse: "json",
      advance: { cursor: "workItemIndex", items: "state.workItems", when: "satisfied" },
      edges: [{ when: "always", to: "Socket-2" }],
    },
  },
  loops: {
    items: {
      sockets: ["Socket-2", "Socket-3"],
      consumes: { from: "Socket-1" },
      exits: [{ id: "done", from: "Socket-3", condition: "satisfied", targetSocketId: "end" }],
    },
  },
  materia: { Plan: { ...role, generator: true }, Build: role, Keep: role },
};

const loadout: Play = async (journal, turns) => {
  const workItems = Array.from({ length: turns / 2 }, (_, index) => ({
    title: `Item ${index}`,
    context: "Do it.",
  }));
  const script = parseScript({
    Plan: [{ workItems }],
    Build: { outputs: ["Built it."], repeat: true },
    Keep: { outputs: [{ satisfied: true }], repeat: true },
  });
  const read = readLoadout(LOADOUT);
  if (!script.ok || !read.ok) throw new Error("What is written here is wrong.");
  const agent = new ScriptedAgent({ script: script.script, digest: "flat", sleep: async () => {} });
  const program = compileLoadout(read.definition, {
    agent: () => agent,
    commands: { run: () => Promise.reject(new Error("No command is run here.")) },
    utility: () => ({ argv: [] }),
    cwd: ".",
    runDir: ".",
  });
  await drive(program, journal, startLoadout(read.definition, "Do all of it."));
};

const NODES = ["a", "b", "c"];

const inbox: Play = async (journal, turns) => {
  const next = (node: string) => NODES[(NODES.indexOf(node) + 1) % NODES.length] as string;
  const read = readInbox({
    name: "ring",
    mode: "interactive",
    nodes: Object.fromEntries(NODES.map((id) => [id, { kind: "task", prompt: "Pass on what you get." }])),
    edges: NODES.map((from) => ({ from, to: next(from), direction: "directional" })),
  });
  if (!read.ok) throw new Error("What is written here is wrong.");
  let taken = 0;
  const relay: Agent = {
    session: ({ node }) => node,
    turn: async ({ node }): Promise<Turn> => {
      taken++;
      const sends = taken < turns ? [{ to: next(node), message: `Turn ${taken}.` }] : [];
      return { kind: "done", text: `Turn ${taken}.`, sends, usage: { tokens: 1, costUsd: 0 }, cursor: taken };
    },
  };
  const program = compileInbox(read.definition, { agent: () => relay });
  await drive(program, journal, startInbox(read.definition, [{ node: "a", text: "Pass it on." }]));
};

async function drive(program: Program, journal: Journal, start: Command): Promise<void> {
  const run = await LocalRun.open(program, journal, RUN, { clock: systemLike });
  await run.send(start);
  await run.drive();
}

const DIALECTS: Readonly<Record<string, Play>> = { graph, loadout, inbox };
const FEW = 200;
const MANY = 1000;

describe.each(Object.entries(DIALECTS))("a turn of a %s", (_, play) => {
  test("appends as often and as much late in a run as early", async () => {
    const [few, many] = [new Scale(), new Scale()];
    await play(few, FEW);
    await play(many, MANY);
    expect(many.bytes.length / MANY).toBeLessThan((few.bytes.length / FEW) * 1.02);
    const window = Math.round((many.bytes.length / MANY) * 60); // appends of sixty turns, a whole number of rounds
    const early = sum(many.bytes.slice(window, 2 * window));
    const late = sum(many.bytes.slice(-2 * window, -window));
    expect(late / early).toBeLessThan(1.1); // longer numbers, nothing else
  });

  test("copies no list that grows with the run", async () => {
    const [few, many] = [
      await copiesOf(() => play(new MemoryJournal(), FEW)),
      await copiesOf(() => play(new MemoryJournal(), MANY)),
    ];
    expect(many).toBeLessThanOrEqual(few + 20);
  });
});

test("a cold resume reads a snapshot and a tail, however long the thread is", async () => {
  const folder = mkdtempSync(join(tmpdir(), "baton-resume-"));
  afterAll(() => rmSync(folder, { recursive: true }));
  const readOf = async (turns: number) => {
    const path = join(folder, `${turns}.db`);
    const journal = new SqliteJournal(path);
    await graph(journal, turns);
    journal.close();
    const again = new Reader(path);
    expect((await loadState(again, RUN)).state.step).toBe(turns);
    again.close();
    return again.events;
  };
  for (const turns of [1000, 2000, 4000]) expect(await readOf(turns)).toBeLessThan(1500);
});

/** A journal that counts the events that are read. */
class Reader extends SqliteJournal {
  events = 0;

  override read(...asked: Parameters<SqliteJournal["read"]>): readonly Event[] {
    const events = super.read(...asked);
    this.events += events.length;
    return events;
  }
}

/** How many copies of long lists are made meanwhile. */
async function copiesOf(work: () => Promise<unknown>): Promise<number> {
  const { slice } = Array.prototype;
  let copied = 0;
  Array.prototype.slice = function (this: unknown[], ...range) {
    if (this.length > 100) copied++;
    return slice.apply(this, range as []);
  };
  try {
    await work();
  } finally {
    Array.prototype.slice = slice;
  }
  return copied;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((a, b) => a + b, 0);
}
