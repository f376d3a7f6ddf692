/** A log folds to the live state, the kernel decides on it again as it did, and an archive is the state. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { archiveState, restoreState } from "../../src/kernel/archive.ts";
import type { Event } from "../../src/kernel/event.ts";
import { evolve } from "../../src/kernel/evolve.ts";
import type { Program } from "../../src/kernel/program.ts";
import { replay } from "../../src/kernel/replay.ts";
import { emptyState, openQuestions, type RunState } from "../../src/kernel/state.ts";
import { done, program, RUN, start } from "../kit.ts";

/** Random graphs of up to six nodes that write, signal, send, ask and fail as drawn. */
const node = fc.record({
  route: fc.array(fc.nat(5), { maxLength: 2 }),
  sends: fc.array(fc.nat(5), { maxLength: 1 }),
  asks: fc.boolean(),
  fails: fc.nat(3),
  waits: fc.nat(4),
});
const graph = fc.record({
  pace: fc.constantFrom("step" as const, "turn" as const),
  nodes: fc.array(node, { minLength: 1, maxLength: 6 }),
});
type Graph = typeof graph extends fc.Arbitrary<infer T> ? T : never;

function build({ pace, nodes }: Graph): Program {
  const failures = new Map<string, number>();
  const name = (index: number) => `n${index % nodes.length}`;
  return program({
    pace,
    limits: { steps: 12, concurrency: 3 },
    channels: {
      log: { kind: "fold", reducer: "append", initial: [] },
      seen: { kind: "topic", unique: true, accumulate: false },
      sum: { kind: "fold", reducer: "add", initial: 0 },
    },
    nodes: Object.fromEntries(
      nodes.map(({ route, sends, asks, fails, waits }, index) => [
        name(index),
        {
          attempts: { max: 2, initialInterval: 10, backoffFactor: 2, maxInterval: 100, jitter: true },
          run: async (input, context) => {
            for (let i = 0; i < waits; i++) await undefined;
            const key = context.idempotencyKey;
            if (fails === 1 && !failures.has(key)) {
              failures.set(key, 1);
              if (context.attempt === 1) throw new Error("first attempt");
            }
            if (asks && context.answers.length === 0) return { kind: "asks", questions: [{ value: key }] };
            const writes = { log: [[key, input.input ?? null]], seen: [index], sum: index };
            const outcome = done(writes, ...(input.sent ? [] : route.map(name)));
            return {
              ...outcome,
              sends: input.sent ? [] : sends.map((to) => ({ node: name(to), input: index })),
            };
          },
        } as Parameters<typeof program>[0]["nodes"][string],
      ]),
    ),
  });
}

/** Drives a run to its end and answers whatever is asked. */
async function finish(made: Program): Promise<{ events: readonly Event[]; state: RunState }> {
  const { run, events } = await start(made);
  for (let i = 0; i < 200 && run.ledger.state.status === "running"; i++) {
    for (const { question } of openQuestions(run.ledger.state)) {
      await run.send({ type: "answer", question: question.id, value: i });
    }
    await run.drive();
  }
  return { events: events(), state: run.ledger.state };
}

const printed = (state: RunState) => JSON.parse(JSON.stringify(archiveState(state)));
const asStored = (events: readonly Event[]): Event[] => JSON.parse(JSON.stringify(events));

describe("on random graphs", () => {
  test("folding the stored log gives the live state, at every prefix of it as well through an archive", async () => {
    await fc.assert(
      fc.asyncProperty(graph, fc.nat(), async (drawn, cut) => {
        const { events, state } = await finish(build(drawn));
        let folded = emptyState(RUN);
        for (const event of asStored(events)) {
          evolve(folded, event);
          if (event.seq === cut % events.length) {
            folded = Object.assign(restoreState(RUN, printed(folded)), { seq: event.seq });
          }
        }
        expect(printed(folded)).toEqual(printed(state));
      }),
      { numRuns: 150 },
    );
  });

  test("the kernel decides again what it decided, and a changed log is found", async () => {
    await fc.assert(
      fc.asyncProperty(graph, async (drawn) => {
        const made = build(drawn);
        const events = asStored((await finish(made)).events);
        expect(replay(made, RUN, events).ok).toBe(true);
        const place = events.findIndex(({ type }) => type === "step.committed");
        if (place === -1) return;
        const forged = structuredClone(events);
        forged[place] = { ...forged[place], patches: [] } as unknown as Event;
        const replayed = replay(made, RUN, forged);
        expect(replayed.ok).toBe(false);
        expect(!replayed.ok && replayed.at.seq).toBe(place + 1);
      }),
      { numRuns: 100 },
    );
  });
});
