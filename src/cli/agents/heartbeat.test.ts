import { expect, test } from "vitest";
import { type Agent, NO_USAGE, type Progress } from "../../agent/agent.ts";
import { withHeartbeat } from "./heartbeat.ts";

test("a turn that shows nothing is heard of while it goes on, and not afterwards", async () => {
  const shown: Progress[] = [];
  const agent: Agent = {
    session: ({ node }) => node,
    async turn({ progress }) {
      progress({ kind: "text", text: "Wait." });
      await new Promise((resolve) => setTimeout(resolve, 130));
      return { kind: "done", text: "", usage: NO_USAGE, cursor: null };
    },
  };
  const request = { node: "n", prompt: "", tools: "none", idempotencyKey: "1" } as const;
  const { signal } = new AbortController();
  await withHeartbeat(agent, 30).turn({ ...request, signal, progress: (chunk) => shown.push(chunk) });
  const { length } = shown;
  expect(shown[0]).toEqual({ kind: "text", text: "Wait." });
  expect(shown.slice(1).every((chunk) => chunk.kind === "beat" && chunk.quietMs >= 30)).toBe(true);
  expect(length).toBeGreaterThan(2);
  await new Promise((resolve) => setTimeout(resolve, 70));
  expect(shown).toHaveLength(length);
});
