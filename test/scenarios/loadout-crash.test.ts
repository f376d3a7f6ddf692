/** Runs that are killed at random moments end in the state of an undisturbed one. */
import { expect, test } from "vitest";
import type { Json } from "../../src/base/json.ts";
import { random } from "../../src/base/random.ts";
import { MemoryJournal } from "../../src/journals/memory.ts";
import { Crash, FaultyJournal } from "../../src/testing/faulty-journal.ts";
import { items, no, Stage, type Standing, workshop, yes } from "./loadout-stage.ts";

const COUNT = 200;
const KILLS = 50;
const next = random("rework");

/** A builder, an evaluator that sends work back, agents that fail, and handoffs that have to be repaired. */
const script: Json = {
  "Socket-1": ["not yet JSON", items(COUNT)],
  "Socket-2": { outputs: ["built", { $: "turn", fail: "Overloaded.", usage: { tokens: 1 } }], repeat: true },
  "Socket-3": Array.from({ length: COUNT }, () => {
    const returns = Math.floor(next() * 3);
    const repaired = next() < 0.3 ? ["hm"] : [];
    return [...Array.from({ length: returns }, (_, index) => no(`reason ${index}`)), ...repaired, yes];
  }).flat(),
  "Socket-4": { outputs: [yes], repeat: true },
  "Socket-5": ["told"],
};

const stage = (journal: FaultyJournal | MemoryJournal) => new Stage({ loadout: workshop(), script, journal });

test("a run of two hundred items with random rework, killed at fifty random moments, ends in the state of an undisturbed one", async () => {
  const calm = new FaultyJournal(new MemoryJournal());
  const end = await stage(calm).play();
  expect(end.status).toBe("completed");
  expect(end.path.length).toBeGreaterThan(3 * COUNT);
  const journal = new MemoryJournal();
  const share = (2 * calm.appends) / (KILLS + 5); // twice the mean, so that all kills fit into one run
  let killed = 0;
  for (;;) {
    const append = 1 + Math.floor(next() * share);
    const plan =
      killed < KILLS ? { append, write: next() < 0.5 ? ("kept" as const) : ("lost" as const) } : {};
    try {
      const after = await stage(new FaultyJournal(journal, plan)).play();
      expect(pick(after)).toEqual(pick(end));
      expect(after.events.filter(({ type }) => type === "task.finished")).toHaveLength(end.path.length);
      break;
    } catch (error) {
      if (!(error instanceof Crash)) throw error;
      killed++;
    }
  }
  expect(killed).toBe(KILLS);
}, 120_000);

function pick({ status, path, state, usage }: Standing): object {
  return { status, path, state, usage };
}
