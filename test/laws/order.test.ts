/** Any order in which the tasks of a step end gives the same commits. */
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Event } from "../../src/kernel/event.ts";
import { done, program, start } from "../kit.ts";

const WIDTH = 6;

/** A fan of nodes, each of which ends after as many rounds of the microtask queue as told. */
function fan(waits: readonly number[]) {
  const names = waits.map((_, index) => `n${index}`);
  const join = `=${names.join("+")}`;
  return program({
    channels: {
      log: { kind: "fold", reducer: "append", initial: [] },
      sum: { kind: "fold", reducer: "add", initial: 0 },
      [join]: { kind: "gate", waitsFor: names },
    },
    nodes: {
      start: {
        run: () => ({ ...done({}, ...names), sends: names.map((node) => ({ node, input: node })) }) as never,
      },
      ...Object.fromEntries(
        names.map((name, index) => [
          name,
          {
            run: async ({ input = null }) => {
              for (let i = 0; i < (waits[index] ?? 0); i++) await undefined;
              return done({ log: [[name, input]], sum: index }, join);
            },
          },
        ]),
      ),
      end: { triggers: [join], run: () => done({ log: ["end"] }) },
    },
  });
}

function commits(events: readonly Event[]): unknown[] {
  return events.flatMap((event) => (event.type === "step.committed" ? [{ ...event, seq: 0, at: 0 }] : []));
}

test("commits do not depend on who ends first", async () => {
  const even = await start(fan(Array.from({ length: WIDTH }, () => 0)));
  const expected = commits(even.events());
  expect(expected).toHaveLength(3);
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(20), { minLength: WIDTH, maxLength: WIDTH }), async (waits) => {
      const { events, run } = await start(fan(waits));
      expect(commits(events())).toEqual(expected);
      expect(run.ledger.state.cells.get("log")?.value).toEqual(even.run.ledger.state.cells.get("log")?.value);
    }),
  );
});
