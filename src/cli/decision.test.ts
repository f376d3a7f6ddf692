import { expect, test } from "vitest";
import type { Json } from "../base/json.ts";
import { decisionOf } from "./decision.ts";

const rows: [chosen: Json, satisfied: Json, sentence: string][] = [
  [
    { via: "edge", edge: 1, when: "not_satisfied", to: "S-4" },
    false,
    "S-5 on WI-1 took edge 1 to S-4, which wants not_satisfied: the output says satisfied: false; not taken: edge 0 to S-6 wants satisfied; counters: edge:S-5/1 2",
  ],
  [
    { via: "edge", edge: 0, when: "always", to: "S-4" },
    null,
    "S-5 on WI-1 took edge 0 to S-4, which is always taken",
  ],
  [
    { via: "edge", edge: 1, when: "always", to: "S-4", exhausted: true },
    true,
    "was passed as often as it may be",
  ],
  [{ via: "exit", loop: "work", exit: "x", to: "S-7" }, true, "left the loop work for S-7 by its exit x"],
  [{ via: "exit", loop: "work", exit: null, to: "end" }, true, "left the loop work for end by no exit"],
  [{ via: "none", to: "end" }, null, "ended the run: no edge matches, the output says neither"],
  [{ via: "end", why: "the socket has no edges", to: "end" }, null, "ended the run: the socket has no edges"],
];

test.each(rows)("%j", (chosen, satisfied, sentence) => {
  const tried = [{ edge: 0, when: "satisfied", to: "S-6", why: "wants satisfied" }];
  const route = { socket: "S-5", item: "WI-1", chosen, tried, satisfied, counters: { "edge:S-5/1": 2 } };
  expect(decisionOf(route).sentence).toContain(sentence);
  expect(decisionOf(route).data).toEqual(route);
});
