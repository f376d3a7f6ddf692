/** What an agent is offered of its graph follows from where its node stands there. */

import { expect, test } from "vitest";
import { toolsOf } from "../../src/agent/tool-desk.ts";
import { graph, Stage, turn } from "../scenarios/inbox-stage.ts";

test("a node from which no edge leads is offered no send, and so needs nothing to send with", async () => {
  const made = graph("lead coder", ["lead>coder"], { mode: "auto" });
  const stage = new Stage({
    graph: { ...made, nodes: { lead: { kind: "orchestrator" }, coder: { kind: "task" } } },
    script: {
      lead: [turn("plan", { coder: "do it" }), turn("over", {}, { finish: { ok: true, summary: "x" } })],
      coder: ["did it"],
    },
  });
  await stage.play("lead: go");
  const offered = stage.requests.map((request) => [request.node, toolsOf(request).join(" ")]);
  expect(offered).toEqual([
    ["lead", "send finish ask look"],
    ["coder", "ask look"],
    ["lead", "send finish ask look"],
  ]);
});
