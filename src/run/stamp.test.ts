import { describe, expect, test } from "vitest";
import { runId, taskId } from "../base/names.ts";
import type { Fact } from "../kernel/event.ts";
import { stamp } from "./stamp.ts";

const task = taskId(1, "a", 0);
const facts: readonly (() => Fact)[] = [
  () => ({ type: "step.opened", step: 1, tasks: [{ task, node: "a" }] }),
  () => ({ type: "task.finished", task, writes: [], route: [">a"], sends: [{ node: "a", input: 1 }] }),
  () => ({ type: "step.committed", step: 1, ran: [task], patches: [] }),
  () => ({ type: "task.retried", task }),
];

describe.each(facts.map((make) => ({ type: make().type, make })))("$type", ({ make }) => {
  test("rule 2: a fact of any type becomes an event in the same way: all of it, with its place behind it", () => {
    const place = { run: runId("r"), seq: 7, at: 1000 };
    const event = stamp(make(), place);
    expect(event).toEqual({ ...make(), ...place });
    expect(Object.keys(event)).toEqual([...Object.keys(make()), "run", "seq", "at"]);
  });

  test("rule 1: the fact itself becomes the event", () => {
    const fact = make();
    expect(stamp(fact, { run: runId("r"), seq: 1, at: 0 })).toBe(fact);
  });
});
