/** The verdict of the check is sound: a loadout of which it says that it ends does end, whatever its agents say. */
import { expect, test } from "vitest";
import type { Agent } from "../../src/agent/agent.ts";
import { isJsonObject, type Json, type JsonObject } from "../../src/base/json.ts";
import { runId } from "../../src/base/names.ts";
import { random } from "../../src/base/random.ts";
import { LocalRun } from "../../src/engines/local.ts";
import { MemoryJournal } from "../../src/journals/memory.ts";
import { checkLoadout, compileLoadout, readLoadout, startLoadout } from "../../src/loadout.ts";

const agent = { prompt: "Work.", tools: "none" };
const STEPS = 3000;

type Dice = (sides: number) => number;

function dice(seed: string): Dice {
  const next = random(seed);
  return (sides) => Math.floor(next() * sides);
}

/** A generator, two to four members of a loop, and two sockets after it, with edges wherever the dice say. */
function loadout(roll: Dice): JsonObject {
  const members = Array.from({ length: 2 + roll(3) }, (_, index) => `Socket-${index + 2}`);
  const after = ["Socket-8", "Socket-9"];
  const anywhere = ["Socket-1", ...members, ...members, ...members, ...after, "end"];
  const bound = () => (roll(2) === 0 ? { maxTraversals: 1 + roll(2) } : {});
  const edge = (when: string) => ({ when, to: anywhere[roll(anywhere.length)] as string, ...bound() });
  const guarded = () => [edge("satisfied"), edge("not_satisfied")];
  const advance = { cursor: "c", items: "state.workItems", ...(roll(3) > 0 && { when: "satisfied" }) };
  const sockets: Record<string, Json> = {
    "Socket-1": { materia: "G", edges: [{ when: "always", to: "Socket-2" }] },
  };
  for (const [index, id] of members.entries()) {
    const around = { when: "always", to: members[(index + 1) % members.length] as string, ...bound() };
    const last = index === members.length - 1;
    const edges = roll(2) === 0 ? guarded() : [around];
    sockets[id] = { materia: "A", parse: "json", edges, ...(last && { advance }) };
  }
  for (const id of after) {
    sockets[id] = { materia: "A", parse: "json", edges: roll(2) === 0 ? guarded() : [edge("always")] };
  }
  const exits = ["satisfied", "not_satisfied", "always"].map((condition) => ({
    ...{ id: condition, from: members.at(-1) as string, condition },
    targetSocketId: [...after, "end", "Socket-1"][roll(4)] as string,
  }));
  return {
    ...{ entry: "Socket-1", sockets, limits: { maxNoAdvanceCycles: roll(3) } },
    loops: { loop: { sockets: members, consumes: { from: "Socket-1" }, exits } },
    materia: { G: { ...agent, generator: true }, A: agent },
  };
}

/** An agent that says what the dice say, and that leans to one side for a while. */
function whimsical(roll: Dice, lean: number): Agent {
  return {
    session: ({ node }) => node,
    turn: async ({ node }) => {
      const workItems = Array.from({ length: roll(4) }, (_, index) => ({ title: `${index}`, context: "x" }));
      const said = node === "Socket-1" ? { workItems } : { satisfied: roll(10) < lean };
      return { kind: "done", text: JSON.stringify(said), usage: { tokens: 0, costUsd: 0 }, cursor: null };
    },
  };
}

async function play(json: Json, roll: Dice, lean: number): Promise<string | undefined> {
  const read = readLoadout(json);
  if (!read.ok) throw new Error("it passed the check");
  const unused = () => {
    throw new Error("there are no utilities");
  };
  const ports = { commands: { run: unused }, utility: unused, cwd: "/", runDir: "/" };
  const program = compileLoadout(read.definition, { ...ports, agent: () => whimsical(roll, lean) });
  const run = await LocalRun.open(program, new MemoryJournal(), runId("r"));
  await run.send({ ...startLoadout(read.definition, ""), limits: { steps: STEPS } });
  await run.drive();
  return run.ledger.state.reason;
}

test("§2: no run goes on for ever of which the check says that it ends", async () => {
  const verdicts: Record<string, number> = {};
  const endless: string[] = [];
  for (let seed = 0; seed < 600; seed++) {
    const roll = dice(`loadout ${seed}`);
    const json = loadout(roll);
    const { ok, termination } = checkLoadout(json);
    if (!ok) continue;
    const { verdict, cycle } = termination;
    verdicts[verdict] = (verdicts[verdict] ?? 0) + 1;
    if (verdict === "may_not_terminate") {
      const known = isJsonObject(json["sockets"] as Json) ? Object.keys(json["sockets"] as JsonObject) : [];
      expect(known).toEqual(expect.arrayContaining([...(cycle ?? ["none"])]));
    }
    if (verdict !== "terminates") continue;
    for (const lean of [0, 5, 9, 10]) {
      if ((await play(json, roll, lean)) === "step_limit") endless.push(`${seed} leaning to ${lean}`);
    }
  }
  expect(endless).toEqual([]);
  expect(verdicts["terminates"]).toBeGreaterThan(50);
  expect(verdicts["may_not_terminate"]).toBeGreaterThan(50);
}, 60_000);
