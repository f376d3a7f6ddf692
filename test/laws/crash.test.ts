/**
 * A crash at every append, the write kept or lost, resumes to the same end, and nothing whose end was recorded runs
 * again.
 */
import { describe, expect, test } from "vitest";
import { LocalRun } from "../../src/engines/local.ts";
import { MemoryJournal } from "../../src/journals/memory.ts";
import { archiveState } from "../../src/kernel/archive.ts";
import type { Event } from "../../src/kernel/event.ts";
import type { Pace } from "../../src/kernel/plan.ts";
import type { Program } from "../../src/kernel/program.ts";
import { openQuestions } from "../../src/kernel/state.ts";
import type { Batch } from "../../src/run/journal.ts";
import { append, done, program, RUN, virtualClock } from "../kit.ts";

class Crash extends Error {}

/** A journal that dies at one append, before or after it was written, and says nothing more. */
class MortalJournal extends MemoryJournal {
  appends = 0;
  readonly #at: number;
  readonly #kept: boolean;

  constructor(at: number, kept: boolean) {
    super();
    this.#at = at;
    this.#kept = kept;
  }

  override append(batch: Batch): void {
    if (++this.appends === this.#at) {
      if (this.#kept) super.append(batch);
      throw new Crash("the process died here");
    }
    super.append(batch);
  }
}

interface Effects {
  /** Idempotency keys in the order in which work was done. */
  readonly done: string[];
}

/** A bit of everything: a fan, a join, sends, a question, a retry, a recorded sub-step, a loop, a child. */
function scenario(pace: Pace, effects: Effects): Program {
  const work = (key: string) => effects.done.push(key);
  const child = program({
    channels: { log: { kind: "fold", reducer: "append", initial: [] } },
    nodes: {
      c1: {
        run: (_, { idempotencyKey }) => (work(idempotencyKey) > 0 ? done({ log: ["c1"] }, "c2") : done()),
      },
      c2: {
        run: (_, { idempotencyKey, answers }) => {
          if (answers.length === 0) return { kind: "asks", questions: [{ value: "child?" }] };
          work(idempotencyKey);
          return done({ log: [...answers] });
        },
      },
    },
  });
  return program({
    pace,
    channels: {
      log: { kind: "fold", reducer: "append", initial: [] },
      sum: { kind: "fold", reducer: "add", initial: 0 },
      "=bc": { kind: "gate", waitsFor: ["b", "c"] },
    },
    reducers: { append },
    nodes: {
      a: {
        run: (_, { idempotencyKey }) => {
          work(idempotencyKey);
          return {
            ...done({ log: ["a"] }, "b", "c"),
            sends: [1, 2, 3].map((input) => ({ node: "s", input })),
          } as never;
        },
      },
      b: {
        run: async (_, context) => {
          const paid = await context.once("pay", () => work(`${context.idempotencyKey}:pay`));
          if (context.answers.length === 0) return { kind: "asks", questions: [{ value: "b?" }] };
          work(context.idempotencyKey);
          return done({ log: [["b", paid > 0, ...context.answers]] }, "=bc");
        },
      },
      c: {
        attempts: { max: 3, initialInterval: 10, backoffFactor: 2, maxInterval: 100, jitter: true },
        run: async (_, { idempotencyKey, attempt }) => {
          await undefined;
          if (attempt === 1) throw new Error("the first attempt fails");
          work(idempotencyKey);
          return done({ log: ["c"] }, "=bc");
        },
      },
      s: {
        run: async ({ input }, { idempotencyKey }) => {
          work(idempotencyKey);
          return done({ sum: input ?? 0 });
        },
      },
      join: {
        triggers: ["=bc"],
        run: (_, { idempotencyKey }) => {
          work(idempotencyKey);
          return done({ log: ["join"] }, "loop");
        },
      },
      loop: {
        run: ({ snapshot }, { idempotencyKey }) => {
          work(idempotencyKey);
          return done({ sum: 10 }, (snapshot.read("sum") as number) < 30 ? "loop" : "kid");
        },
      },
      kid: {
        run: async (_, context) => {
          const result = await context.child({ key: "", program: child, writes: [] });
          if (result.kind === "stopped") return result.outcome;
          return done({ log: [result.output["log"] ?? null] });
        },
      },
    },
  });
}

/** Starts or goes on with the run until it is over, answering whatever it asks. */
async function goOn(made: Program, journal: MemoryJournal): Promise<LocalRun> {
  const run = await LocalRun.open(made, journal, RUN, { clock: virtualClock() });
  if (run.ledger.state.status === "new") await run.send({ type: "start", writes: [] });
  else if (run.ledger.state.status !== "completed") await run.send({ type: "resume" });
  for (let i = 0; i < 20; i++) {
    await run.drive();
    const open = openQuestions(run.ledger.state);
    if (open.length === 0) break;
    for (const { question } of open)
      await run.send({ type: "answer", question: question.id, value: `yes ${question.value}` });
  }
  return run;
}

const recordedEnds = (events: readonly Event[]) =>
  events.flatMap((event) => (event.type === "task.finished" ? [event.task] : []));

const end = ({ ledger: { state } }: LocalRun) => {
  const { cells, status } = archiveState(state);
  return { cells, status };
};

describe.each(["step", "turn"] as const)("at pace %s", (pace) => {
  test("every crash resumes to the same end, and nothing recorded runs twice", async () => {
    const calm = new MortalJournal(Number.POSITIVE_INFINITY, true);
    const expected = end(await goOn(scenario(pace, { done: [] }), calm));
    expect(expected.status).toBe("completed");
    expect(calm.appends).toBeGreaterThan(15);
    for (let at = 1; at <= calm.appends; at++) {
      for (const kept of [true, false]) {
        const effects: Effects = { done: [] };
        const journal = new MortalJournal(at, kept);
        const made = scenario(pace, effects);
        await expect(goOn(made, journal), `crash at append ${at}`).rejects.toThrow(Crash);
        const before = effects.done.length;
        const finished = new Set<string>(recordedEnds(journal.read(RUN, 0)));
        const run = await goOn(made, journal);
        expect(end(run), `after a crash at append ${at}, ${kept ? "kept" : "lost"}`).toEqual(expected);
        const again = effects.done.slice(before).map((key) => key.split("/").slice(1, 3).join("/"));
        expect(again.filter((task) => finished.has(task))).toEqual([]);
      }
    }
  });
});
