/** Case 7: what the runtime costs around each turn of a scripted agent, in a loadout and among inboxes, as runs get long. */

import type { Agent, Turn } from "../../src/agent/agent.ts";
import { parseScript } from "../../src/agent/script.ts";
import { ScriptedAgent } from "../../src/agent/scripted.ts";
import type { Json } from "../../src/base/json.ts";
import { runId } from "../../src/base/names.ts";
import { LocalRun } from "../../src/engines/local.ts";
import { compileInbox, readInbox, startInbox } from "../../src/inbox.ts";
import { compileLoadout, readLoadout, startLoadout } from "../../src/loadout.ts";
import type { Journal } from "../../src/run/journal.ts";
import { SqliteJournal } from "../../src/sqlite.ts";
import { type Contender, contest } from "../harness/contest.ts";
import { freshPath, removeDatabase } from "../harness/folder.ts";
import { atMost, type Case, timesOf } from "../harness/report.ts";

const FEW_ITEMS = 100;
const ITEMS = 1000;
const FEW_ENVELOPES = 1000;
const ENVELOPES = 10_000;
/** The sockets of the loop. */
const SOCKETS = 3;
const NODES = Array.from({ length: 10 }, (_, index) => `node-${index}`);
/** A run that is ten times as long may cost this much more per turn and still be called flat. */
const FLAT = 1.3;

export const dialects: Case = {
  title: "7. Turns of loadouts and inboxes, kept in SQLite",
  about:
    "A loadout plans work items, and a loop of three sockets (build, evaluate, keep) does them one by one; a turn is one run of a socket. An inbox graph has ten nodes in a ring that hand one envelope on; a turn takes it and sends the next. The agent is scripted and answers at once, so all the time is the runtime's.",
  async run() {
    const loadouts = await contest([loadoutOf(FEW_ITEMS), loadoutOf(ITEMS)], {
      rounds: 3,
      warmUps: 1,
      result: "completed",
    });
    const inboxes = await contest([inboxOf(FEW_ENVELOPES), inboxOf(ENVELOPES)], {
      rounds: 2,
      warmUps: 1,
      result: "completed",
    });
    const [fewItems, items] = loadouts.names as [string, string];
    const [fewEnvelopes, envelopes] = inboxes.names as [string, string];
    return {
      rows: [...timesOf(loadouts, "turn"), ...timesOf(inboxes, "turn")],
      figures: [
        atMost("time of a turn at 1,000 items to that at 100", loadouts.ratio(items, fewItems), FLAT),
        atMost(
          "time of a turn at 10,000 envelopes to that at 1,000",
          inboxes.ratio(envelopes, fewEnvelopes),
          FLAT,
        ),
      ],
    };
  },
};

/** Runs work on a new journal each time. */
function kept(
  name: string,
  turns: number,
  calls: number,
  work: (journal: Journal) => Promise<string>,
): Contender {
  let journal: SqliteJournal;
  return {
    name,
    units: turns,
    calls,
    prepare: () => {
      journal = new SqliteJournal(freshPath("turns.db"));
    },
    run: () => work(journal),
    finish: () => {
      journal.close();
      removeDatabase(journal.path);
    },
  };
}

function loadoutOf(items: number): Contender {
  const workItems = Array.from({ length: items }, (_, index) => ({
    title: `Item ${index}`,
    context: "Do it.",
  }));
  const agent = scripted({
    Plan: [{ workItems }],
    Build: { outputs: ["Built it."], repeat: true },
    Eval: { outputs: [{ satisfied: true }], repeat: true },
    Keep: { outputs: [{ satisfied: true }], repeat: true },
  });
  const read = readLoadout(LOADOUT);
  if (!read.ok) throw new Error(JSON.stringify(read.errors));
  const { definition } = read;
  return kept(
    `loadout, ${items.toLocaleString("en")} items`,
    items * SOCKETS,
    items < ITEMS ? 5 : 1,
    async (journal) => {
      const program = compileLoadout(definition, {
        agent: () => agent,
        commands: { run: () => Promise.reject(new Error("No command is run here.")) },
        utility: () => ({ argv: [] }),
        cwd: ".",
        runDir: ".",
      });
      const run = await LocalRun.open(program, journal, runId("bench"));
      await run.send(startLoadout(definition, "Do all of it."));
      await run.drive();
      const { state } = run.ledger;
      return state.step === 1 + items * SOCKETS ? state.status : `${state.step} turns`;
    },
  );
}

const role = { prompt: "Work.", tools: "none" };
const LOADOUT: Json = {
  name: "Bench",
  entry: "Socket-1",
  sockets: {
    "Socket-1": { materia: "Plan", edges: [{ when: "always", to: "Socket-2" }] },
    "Socket-2": { materia: "Build", edges: [{ when: "always", to: "Socket-3" }] },
    "Socket-3": {
      materia: "Eval",
      parse: "json",
      edges: [
        { when: "satisfied", to: "Socket-4" },
        { when: "not_satisfied", to: "Socket-2" },
      ],
    },
    "Socket-4": {
      materia: "Keep",
      parse: "json",
      advance: { cursor: "workItemIndex", items: "state.workItems", when: "satisfied" },
      edges: [{ when: "always", to: "Socket-2" }],
    },
  },
  loops: {
    items: {
      sockets: ["Socket-2", "Socket-3", "Socket-4"],
      consumes: { from: "Socket-1" },
      exits: [{ id: "done", from: "Socket-4", condition: "satisfied", targetSocketId: "end" }],
    },
  },
  materia: { Plan: { ...role, generator: true }, Build: role, Eval: role, Keep: role },
};

function scripted(json: Json): Agent {
  const parsed = parseScript(json);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.issues));
  return new ScriptedAgent({ script: parsed.script, digest: "bench", sleep: async () => {} });
}

function inboxOf(envelopes: number): Contender {
  const read = readInbox(ring());
  if (!read.ok) throw new Error(JSON.stringify(read.errors));
  const { definition } = read;
  return kept(
    `inbox, ${envelopes.toLocaleString("en")} envelopes`,
    envelopes,
    envelopes < ENVELOPES ? 2 : 1,
    async (journal) => {
      const agent = new Relay(envelopes);
      const run = await LocalRun.open(
        compileInbox(definition, { agent: () => agent }),
        journal,
        runId("bench"),
      );
      await run.send(startInbox(definition, [{ node: NODES[0] as string, text: "Pass it on." }]));
      await run.drive();
      return agent.turns === envelopes ? run.ledger.state.status : `${agent.turns} turns`;
    },
  );
}

function ring(): Json {
  return {
    name: "ring",
    mode: "interactive",
    nodes: Object.fromEntries(NODES.map((id) => [id, { kind: "task", prompt: "Pass on what you get." }])),
    edges: NODES.map((from, index) => ({
      from,
      to: NODES[(index + 1) % NODES.length] as string,
      direction: "directional",
    })),
  };
}

/** Plays a script without an end: each turn sends one envelope to the next node of the ring, until it is the last. */
class Relay implements Agent {
  turns: number = 0;
  readonly #most: number;

  constructor(most: number) {
    this.#most = most;
  }

  session({ node }: { readonly node: string }): string {
    return node;
  }

  async turn({ node }: { readonly node: string }): Promise<Turn> {
    this.turns++;
    const text = `Turn ${this.turns}.`;
    const to = NODES[(NODES.indexOf(node) + 1) % NODES.length] as string;
    const sends = this.turns < this.#most ? [{ to, message: text }] : [];
    return { kind: "done", text, sends, usage: { tokens: 1, costUsd: 0 }, cursor: this.turns };
  }
}
