import { describe, expect, test } from "vitest";
import type { Json } from "../base/json.ts";
import type { RunId, TaskId } from "../base/names.ts";
import type { Event, Fact } from "../kernel/event.ts";
import { Transcript } from "./transcript.ts";

const plan = (drawing: Json) => ({ drawing }) as never; // a story looks at the drawing alone
const started = (dialect: string, drawing: Json = {}): Fact => ({
  ...{ type: "run.started", program: { dialect, name: "it", revision: "1" }, plan: plan(drawing) },
  ...{ patches: [], route: [] },
});
const opened = (node: string, more: object = {}): Fact => {
  return { type: "step.opened", step: 2, tasks: [{ task: `2/${node}` as TaskId, node, ...more }] };
};

/** The lines of facts, without their places. */
function told(...facts: readonly Fact[]): readonly string[] {
  const transcript = new Transcript();
  return facts.flatMap((fact, index) => {
    const event: Event = { ...fact, run: "r" as RunId, seq: index + 1, at: 0 };
    const line = transcript.tell(event);
    return line === undefined ? [] : [`${line.node ?? ""}|${line.text}`];
  });
}

describe("the story of a loadout", () => {
  const drawing = { nodes: [{ id: "Socket-2", label: "Build" }] };
  const routed = (enters: Json): Fact => {
    const data = { chosen: { via: "edge", to: "Socket-2", when: "always" }, enters };
    return { type: "task.noted", task: "1/Socket-1" as TaskId, kind: "loadout.routed", data };
  };
  const entered: Fact = {
    ...{ type: "task.noted", task: "2/Socket-2" as TaskId, kind: "loadout.entered" },
    data: { label: "Build", item: "WI-1", title: "Do it" },
  };

  test("tells a socket once, when it is entered, with the item of the route before it (1)", () => {
    const enters = { socket: "Socket-2", item: "WI-1", title: "Do it\n  well" };
    expect(told(started("loadout", drawing), routed(enters), opened("Socket-2"), entered).slice(1)).toEqual([
      "Socket-1|→ Socket-2 (WI-1): always",
      "Socket-2|Build on WI-1, Do it well",
    ]);
  });

  test("does without an item, a title and a label", () => {
    const lines = told(
      ...[started("loadout", drawing), opened("Socket-2"), opened("Socket-3")],
      ...[routed({ socket: "Socket-2", item: "WI-2" }), opened("Socket-2")],
    );
    expect(lines.slice(1)).toEqual([
      ...["Socket-2|Build", "Socket-3|begins"],
      ...["Socket-1|→ Socket-2 (WI-2): always", "Socket-2|Build on WI-2"],
    ]);
  });
});

describe("the story of an inbox graph", () => {
  const envelope = { type: "handoff", payload: { message: "Build\nit." } };

  test("tells who writes to whom", () => {
    const message = { type: "message", from: "user", message: "Hi" };
    const lines = told(
      started("inbox"),
      {
        type: "state.updated",
        patches: [{ channel: "inbox:lead", op: "append", items: [message] }],
        route: [],
      },
      opened("lead", { takes: { "inbox:lead": 2 } }),
      {
        type: "task.finished",
        task: "2/lead" as TaskId,
        writes: [{ channel: "inbox:coder", value: envelope }],
        route: [],
      },
    );
    expect(lines.slice(1)).toEqual([
      "|user → lead: Hi",
      "lead|begins a turn with 2 letters",
      "lead|→ coder (handoff): Build it.",
    ]);
  });

  test("says nothing of the dialect's own nodes, and leaves other events to everybody's words", () => {
    expect(told(started("inbox"), opened(":nudge"), { type: "run.finished" }).slice(1)).toEqual([
      "|completed",
    ]);
  });
});

test("a dialect without a story is told in everybody's words", () => {
  expect(told(started("toString"), opened("a"))).toEqual(["|it started as r", "|step 2: a"]);
});
