/** §5: every routing decision explains itself: what was chosen, what was asked before, and what had been counted. */
import { expect, test } from "vitest";
import { items, no, Stage, workshop, yes } from "./loadout-stage.ts";

test("§5: a view tells of every route its choice, the ways not taken and the counters of the item", async () => {
  const script = {
    "Socket-1": [items(1)],
    "Socket-2": ["built", "built again"],
    "Socket-3": [no("Tests are missing."), yes],
    "Socket-4": [yes],
    "Socket-5": ["told"],
  };
  const exits = ["satisfied", "always", "not_satisfied"].map((condition) => {
    return { id: `on ${condition}`, from: "Socket-4", condition, targetSocketId: "Socket-5" };
  });
  const loops = {
    items: { sockets: ["Socket-2", "Socket-3", "Socket-4"], consumes: { from: "Socket-1" }, exits },
  };
  const { view } = await new Stage({ loadout: workshop({ loops }), script }).play();
  const one = { item: "WI-1", title: "Item 1" };
  const [, , back, , onward, over, end] = view.routes;
  expect(back).toEqual({
    ...{ socket: "Socket-3", label: "Eval", ...one, satisfied: false, counters: { "edge:Socket-2/0": 1 } },
    chosen: { via: "edge", edge: 1, when: "not_satisfied", to: "Socket-2" },
    tried: [
      {
        edge: 0,
        when: "satisfied",
        to: "Socket-4",
        why: "wants satisfied; the output says satisfied: false",
      },
    ],
  });
  expect(onward).toMatchObject({
    counters: { "edge:Socket-2/0": 2, "edge:Socket-3/1": 1, cycles: 1 },
    tried: [],
  });
  expect(over).toMatchObject({
    ...{ socket: "Socket-4", ...one, satisfied: true, counters: { "edge:Socket-3/0": 1, cycles: 1 } },
    chosen: { via: "exit", exit: "on satisfied", to: "Socket-5", why: "the items of the loop are done" },
    tried: [
      { exit: "on always", why: "matches, but satisfied is asked before always" },
      { exit: "on not_satisfied", why: "wants not_satisfied; the output says satisfied: true" },
    ],
  });
  expect(end).toMatchObject({ socket: "Socket-5", chosen: { via: "end" } });
  expect(view.lastRoute).toEqual(end);
});
