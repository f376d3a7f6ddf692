/** An interrupted visit holds the run; resumed, it is made again, and the agent goes on where its session stands. */
import { expect, test } from "vitest";
import type { Agent, TurnRequest } from "../../src/agent/agent.ts";
import type { Json } from "../../src/base/json.ts";
import { LocalRun } from "../../src/engines/local.ts";
import { MemoryJournal } from "../../src/journals/memory.ts";
import { compileLoadout, LoadoutView, readLoadout, startLoadout } from "../../src/loadout.ts";
import { RUN } from "./loadout-stage.ts";

const materia = { A: { prompt: "Work.", tools: "none" } };
const loadout: Json = { entry: "Socket-1", sockets: { "Socket-1": { materia: "A" } }, materia };

/** An agent whose first turn lasts until it is told to stop, and that tells how far it came. */
class Patient implements Agent {
  readonly cursors: (Json | undefined)[] = [];
  readonly started: Promise<void>;
  #begin: () => void = () => undefined;

  constructor() {
    this.started = new Promise((resolve) => {
      this.#begin = resolve;
    });
  }

  session(): string {
    return "patient";
  }

  async turn({ cursor, signal }: TurnRequest): ReturnType<Agent["turn"]> {
    this.cursors.push(cursor);
    const usage = { tokens: 5, costUsd: 0.01 };
    if (this.cursors.length > 1) return { kind: "done", text: "done", usage, cursor: "second" };
    const stopped = new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
    this.#begin();
    await stopped;
    return { kind: "done", text: "half of it", usage, cursor: "first" };
  }
}

async function open(json: Json, agent: Agent): Promise<{ run: LocalRun; journal: MemoryJournal }> {
  const read = readLoadout(json);
  if (!read.ok) throw new Error("it passes the check");
  const unused = () => {
    throw new Error("there are no utilities");
  };
  const ports = { commands: { run: unused }, utility: unused, cwd: "/", runDir: "/", agent: () => agent };
  const journal = new MemoryJournal();
  const run = await LocalRun.open(compileLoadout(read.definition, ports), journal, RUN);
  await run.send(startLoadout(read.definition, ""));
  return { run, journal };
}

test("the run pauses, what the turn cost counts, and the session goes on from its cursor", async () => {
  const agent = new Patient();
  const { run, journal } = await open(loadout, agent);
  const driving = run.drive();
  await agent.started;
  await run.send({ type: "interrupt", node: "Socket-1", reason: "look at this first" });
  await driving;
  expect(run.ledger.state).toMatchObject({ status: "paused", reason: "interrupted" });
  expect(run.ledger.state.message).toContain("look at this first");
  await run.send({ type: "resume" });
  await run.drive();
  expect(run.ledger.state.status).toBe("completed");
  expect(agent.cursors).toEqual([undefined, "first"]);
  const view = new LoadoutView();
  for (const event of journal.read(RUN, 0)) view.evolve(event);
  expect(view.path).toEqual(["Socket-1"]);
  expect(view.usage).toEqual({ tokens: 10, costUsd: 0.02 });
});

test("an interrupted child holds the run that it belongs to", async () => {
  const agent = new Patient();
  const sockets = { "Socket-1": { materia: "Sub" } };
  const outer = {
    entry: "Socket-1",
    sockets,
    materia: { Sub: { type: "graph", loadout: "In" } },
    loadouts: { In: loadout },
  };
  const { run } = await open(outer, agent);
  const driving = run.drive();
  await agent.started;
  await run.send({ type: "interrupt", node: "Socket-1" });
  await driving;
  expect(run.ledger.state).toMatchObject({ status: "paused", reason: "interrupted" });
  await run.send({ type: "resume" });
  await run.drive();
  expect(run.ledger.state.status).toBe("completed");
});
