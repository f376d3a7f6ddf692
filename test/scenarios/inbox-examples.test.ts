/** The examples of inbox graphs run with their scripts, and end as they say. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { Json } from "../../src/base/json.ts";
import { checkInbox, drawInbox, readInbox } from "../../src/inbox.ts";
import { Stage, told } from "./inbox-stage.ts";

function example(name: string): Json {
  return JSON.parse(
    readFileSync(new URL(`../../examples/inbox-${name}.json`, import.meta.url), "utf8"),
  ) as Json;
}

function stageOf(name: string): Stage {
  const graph = example(name);
  expect(checkInbox(graph)).toMatchObject({ ok: true, warnings: [] });
  return new Stage({ graph, script: example(`${name}-script`) });
}

test("a lead with two workers and a verifier finishes its goal", async () => {
  const standing = await stageOf("team").play("lead: We need a sign-up.");
  expect(standing).toMatchObject({
    status: "completed",
    rejections: [],
    warnings: [],
    usage: { tokens: 4650 },
  });
  expect(standing.turns.map(({ node }) => node)).toEqual([
    ...["lead", "frontend", "backend", "lead", "lead", "judge", "lead"],
  ]);
  expect(standing.view.goal).toMatchObject({ ok: true });
});

test("two peers review until nothing is left to say", async () => {
  const standing = await stageOf("review").play("author: Write a function that adds.");
  expect(standing.status).toBe("completed");
  expect(told(standing).at(-1)).toBe("author 3 completed [3 handoff reviewer: Good as it is.]");
});

test("a pipeline hands on by itself and reports", async () => {
  const standing = await stageOf("pipeline").play("gather: Why do my eggs take so long up here?");
  expect(standing.status).toBe("completed");
  expect(standing.deliveries.map(({ from, to, type }) => `${from} ${type} ${to}`)).toEqual([
    "gather report editor",
    "gather handoff write",
    "write handoff check",
    "check report editor",
  ]);
});

test("an example can be drawn", () => {
  const read = readInbox(example("review"));
  expect(read.ok && drawInbox(read.definition).mermaid).toBe(
    ["flowchart LR", '  n0["author"]', '  n1["reviewer"]', '  n0 <-->|"handoff"| n1', ""].join("\n"),
  );
});
