import { expect, test } from "vitest";
import type { Agent, TurnRequest } from "../agent/agent.ts";
import { withRecalled } from "./recalled.ts";

const asked = { title: "May I?", args: { path: "x" } };
const recalled = new Map([["r/1/a/", asked]]);

/** What the agent behind is told of the decision. */
async function told(request: Pick<TurnRequest, "idempotencyKey" | "approval">): Promise<unknown> {
  const requests: TurnRequest[] = [];
  const agent: Agent = {
    session: ({ node }) => node,
    turn: async (one) => {
      requests.push(one);
      return { kind: "asks", ...asked };
    },
  };
  const { signal } = new AbortController();
  const base = { node: "a", prompt: "", tools: "none", signal, progress: () => {} } as const;
  await withRecalled(agent, recalled).turn({ ...base, ...request });
  return requests[0]?.approval;
}

test("a decision goes with the last question of its task", async () => {
  expect(await told({ idempotencyKey: "r/1/a/turn:1", approval: { approved: true } })).toEqual({
    approved: true,
    asked,
  });
});

test("what a dialect says of it stays, and other tasks and first tries are left alone", async () => {
  const other = { title: "Other", args: null };
  const known = { approved: true, asked: other };
  expect(await told({ idempotencyKey: "r/1/a/turn:1", approval: known })).toEqual(known);
  expect(await told({ idempotencyKey: "r/1/b/turn:1", approval: { approved: true } })).toEqual({
    approved: true,
  });
  expect(await told({ idempotencyKey: "r/1/a/turn:1" })).toBeUndefined();
});
