/** One small scenario of each dialect: it begins or goes on with a run in a journal, and tells every effect that it has. */
import type { Agent } from "../../src/agent/agent.ts";
import { parseScript } from "../../src/agent/script.ts";
import { ScriptedAgent } from "../../src/agent/scripted.ts";
import type { Json } from "../../src/base/json.ts";
import { runId } from "../../src/base/names.ts";
import { LocalRun } from "../../src/engines/local.ts";
import { compileInbox, readInbox, startInbox } from "../../src/inbox.ts";
import {
  Command,
  END,
  field,
  interrupt,
  isInterrupted,
  reducers,
  START,
  StateGraph,
} from "../../src/index.ts";
import { archiveState } from "../../src/kernel/archive.ts";
import type { Command as RunCommand } from "../../src/kernel/command.ts";
import type { Program } from "../../src/kernel/program.ts";
import { channelValue, openQuestions, type RunState } from "../../src/kernel/state.ts";
import { compileLoadout, readLoadout, startLoadout } from "../../src/loadout.ts";
import type { Journal } from "../../src/run/journal.ts";

export const RUN = runId("r");

export interface World {
  readonly journal: Journal;
  /** Called when work is done that the world outside would notice. */
  effect(idempotencyKey: string): void | Promise<void>;
}

export interface Scenario {
  /** Begins the run, or goes on with it, until it is over. */
  play(world: World): Promise<void>;
  /** What every way through it comes to. */
  end(state: RunState): Json;
}

/** How many steps a run may still open depends on when it was resumed last; all else is the same. */
function endOf(state: RunState): Json {
  const { status, step, cells } = archiveState(state);
  return JSON.parse(JSON.stringify({ status, step, cells })) as Json;
}

const yes = { satisfied: true };

const graph: Scenario = {
  async play({ journal, effect }) {
    const app = stateGraph(effect).compile({ checkpointer: journal });
    const thread = { configurable: { thread_id: RUN } };
    const isNew = (await journal.head(RUN)) === undefined;
    let result = await app.invoke(isNew ? { topic: "batons" } : null, thread);
    while (isInterrupted(result)) result = await app.invoke(new Command({ resume: "yes" }), thread);
  },
  end: endOf,
};

/** A fan, a join, a loop, a recorded sub-step and a question. */
export function stateGraph(effect: World["effect"]) {
  return new StateGraph({
    topic: field<string>(),
    log: field<readonly string[]>({ reducer: reducers.append, default: [] }),
  })
    .addNode("plan", async (_, { idempotencyKey }) => {
      await effect(idempotencyKey);
      return { log: ["plan"] };
    })
    .addNode("left", async (_, { idempotencyKey, once }) => {
      const paid = await once("pay", async () => {
        await effect(`${idempotencyKey}:pay`);
        return "paid";
      });
      await effect(idempotencyKey);
      return { log: [paid] };
    })
    .addNode("right", async (_, { idempotencyKey }) => {
      await effect(idempotencyKey);
      return { log: ["right"] };
    })
    .addNode("ask", async () => {
      const answer = interrupt<string>({ sure: "?" });
      return { log: [answer] };
    })
    .addNode("again", async ({ log }, { idempotencyKey }) => {
      await effect(idempotencyKey);
      return { log: [`again ${log.length}`] };
    })
    .addEdge(START, "plan")
    .addEdge("plan", "left")
    .addEdge("plan", "right")
    .addEdge(["left", "right"], "ask")
    .addEdge("ask", "again")
    .addConditionalEdges("again", ({ log }) => (log.length < 7 ? "again" : END));
}

const LOADOUT: Json = {
  name: "workshop",
  entry: "Plan",
  sockets: {
    Plan: { materia: "Plan", edges: [{ when: "always", to: "Build" }] },
    Build: { materia: "Work", edges: [{ when: "always", to: "Check" }] },
    Check: {
      materia: "Work",
      parse: "json",
      advance: { cursor: "workItemIndex", items: "state.workItems", when: "satisfied" },
      edges: [{ when: "always", to: "Build" }],
    },
    Approve: { materia: "Person" },
  },
  loops: {
    items: {
      sockets: ["Build", "Check"],
      consumes: { from: "Plan" },
      exits: [{ id: "done", from: "Check", condition: "satisfied", targetSocketId: "Approve" }],
    },
  },
  materia: {
    Plan: { prompt: "Plan.", tools: "none", generator: true },
    Work: { prompt: "Work.", tools: "none" },
    Person: { type: "human", prompt: "Is it well?" },
  },
};

const LOADOUT_SCRIPT: Json = {
  Plan: [
    "no JSON",
    { workItems: [{ title: "One" }, { title: "Two" }].map((item) => ({ ...item, context: "Do." })) },
  ],
  Build: { outputs: ["built", { $: "turn", text: "built again", usage: { tokens: 7 } }], repeat: true },
  Check: [{ satisfied: false, context: "not yet" }, yes, yes],
};

/** The program of the loadout scenario. */
export function loadoutProgram(effect: World["effect"]): { program: Program; start: RunCommand } {
  const read = readLoadout(LOADOUT);
  if (!read.ok) throw new Error(JSON.stringify(read.errors));
  const program = compileLoadout(read.definition, {
    agent: () => actor(LOADOUT_SCRIPT, effect),
    commands: { run: () => Promise.reject(new Error("no programs here")) },
    utility: () => undefined,
    cwd: "/",
    runDir: "/",
  });
  return { program, start: startLoadout(read.definition, "Do it.") };
}

const loadout: Scenario = {
  play: ({ journal, effect }) => playProgram(loadoutProgram(effect), journal),
  end: endOf,
};

const INBOX: Json = {
  name: "team",
  nodes: {
    lead: { kind: "orchestrator", role: "Lead.", tools: "none" },
    coder: { kind: "task", role: "Code.", tools: "none" },
  },
  edges: [{ from: "lead", to: "coder", bidirectional: true }],
};

const send = (to: string, text: string) => ({ $: "turn", text, sends: [{ to, message: text }] });

const INBOX_SCRIPT: Json = {
  lead: [
    send("coder", "build it"),
    send("coder", "better"),
    { $: "turn", text: "done", finish: { ok: true, summary: "All is well." } },
  ],
  coder: [send("lead", "built"), send("lead", "built better")],
};

/** The program of the inbox scenario. */
export function inboxProgram(effect: World["effect"]): { program: Program; start: RunCommand } {
  const read = readInbox(INBOX);
  if (!read.ok) throw new Error(JSON.stringify(read.errors));
  const program = compileInbox(read.definition, { agent: () => actor(INBOX_SCRIPT, effect) });
  return { program, start: startInbox(read.definition, [{ node: "lead", text: "Go." }]) };
}

const inbox: Scenario = {
  play: ({ journal, effect }) => playProgram(inboxProgram(effect), journal),
  // A turn that was cut short is followed by another one, so turns are counted differently; mail and goal are not.
  end: (state) => ({
    status: state.status,
    goal: channelValue(state, "goal") ?? null,
    read: Object.keys(state.plan.nodes).map((node) => {
      const desk = channelValue(state, `desk:${node}`) as { readonly read?: number } | undefined;
      return desk?.read ?? 0;
    }),
  }),
};

export const SCENARIOS: Readonly<Record<string, Scenario>> = { graph, loadout, inbox };

async function playProgram(
  { program, start }: ReturnType<typeof loadoutProgram>,
  journal: Journal,
): Promise<void> {
  const run = await LocalRun.open(program, journal, RUN);
  const { status } = run.ledger.state;
  if (status === "new") await run.send(start);
  else if (status !== "completed") await run.send({ type: "resume" });
  for (;;) {
    await run.drive();
    const open = openQuestions(run.ledger.state);
    if (open.length === 0) break;
    for (const { question } of open)
      await run.send({ type: "answer", question: question.id, value: { approved: true } });
  }
}

/** A scripted agent whose every turn is an effect. */
function actor(script: Json, effect: World["effect"]): Agent {
  const parsed = parseScript(script);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.issues));
  const scripted = new ScriptedAgent({ script: parsed.script, digest: "script", sleep: async () => {} });
  return {
    session: (request) => scripted.session(request),
    turn: async (request) => {
      await effect(request.idempotencyKey);
      return scripted.turn(request);
    },
  };
}
