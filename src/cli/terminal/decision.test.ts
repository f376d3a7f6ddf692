/** §5: every routing decision explains itself, in a sentence that needs nothing but the file to be understood. */
import { expect, test } from "vitest";
import type { Json } from "../../base/json.ts";
import { decisionOf } from "./decision.ts";

const rows: [chosen: Json, satisfied: Json, sentence: string][] = [
  [
    { via: "edge", edge: 1, when: "not_satisfied", to: "S-4" },
    false,
    "S-5 (Eval) on WI-1 said satisfied: false and took edges[1] to S-4, which wants not_satisfied; edges[0] to S-6 wants satisfied; WI-1 had passed edges[1] twice before",
  ],
  [
    { via: "edge", edge: 0, when: "always", to: "S-4" },
    null,
    "S-5 (Eval) on WI-1 took edges[0] to S-4, which is always taken; edges[0]",
  ],
  [
    { via: "edge", edge: 1, when: "satisfied", to: "S-4", exhausted: true },
    true,
    "said satisfied: true, and would take edges[1] to S-4, but has passed it as often as its maxTraversals allows",
  ],
  [
    { via: "exit", loop: "work", exit: "x", to: "S-7" },
    true,
    "said satisfied: true, and all items of loop work are done, so the run left the loop by its exit x to S-7",
  ],
  [
    { via: "exit", loop: "work", exit: null, to: "end" },
    true,
    "all items of loop work are done; no exit of the loop matches, so the run ended",
  ],
  [
    { via: "none", to: "end" },
    null,
    "did not say whether it is satisfied, and none of its edges matches, so the run ended",
  ],
  [
    { via: "end", why: "the socket has no edges", to: "end" },
    null,
    "S-5 (Eval) on WI-1 has no edges, so the run ended",
  ],
];

test.each(rows)("%j", (chosen, satisfied, sentence) => {
  const tried = [{ edge: 0, when: "satisfied", to: "S-6", why: "wants satisfied; the output says neither" }];
  const route = { socket: "S-5", item: "WI-1", chosen, tried, satisfied, counters: { "edge:S-5/1": 2 } };
  expect(decisionOf({ ...route, label: "Eval" }).sentence).toContain(sentence);
  expect(decisionOf(route).data).toEqual(route);
});

test("exits that were not taken are told by their ids, and circles by their number", () => {
  const { sentence } = decisionOf({
    ...{ socket: "S-5", satisfied: null, counters: { cycles: 1, "edge:S-4/0": 2 } },
    chosen: { via: "exit", loop: "work", exit: null, to: "end" },
    tried: [{ exit: "done", when: "satisfied", to: "S-6", why: "wants satisfied; the output says neither" }],
  });
  expect(sentence).toBe(
    "S-5: loop work has no items; no exit of the loop matches, so the run ended; exit done to S-6 wants satisfied; the run had gone in a circle once without advancing",
  );
});
