/** Spans: the run, its tasks and their turns, each within what it belongs to, and no content. */
import { expect, test } from "vitest";
import { items, RUN, Stage, workshop, yes } from "../../test/scenarios/loadout-stage.ts";
import { spansOf } from "./spans.ts";

test("a loadout's log is a tree of spans without content, the same each time", async () => {
  const script = {
    "Socket-1": ["not JSON", items(1)],
    "Socket-2": ["a secret word"],
    ...{ "Socket-3": [yes], "Socket-4": [yes], "Socket-5": ["told"] },
  };
  const stage = new Stage({ loadout: workshop(), script });
  await stage.play("A secret task.");
  const events = await stage.journal.read(RUN, 0);
  const spans = spansOf(events);
  expect(spansOf(events)).toEqual(spans);
  const [run, ...rest] = spans;
  expect(run).toMatchObject({ name: expect.stringMatching(/^invoke_workflow /), status: "ok" });
  expect(run?.parentSpanId).toBeUndefined();
  const byId = new Map(spans.map((span) => [span.spanId, span]));
  expect(byId.size).toBe(spans.length);
  for (const span of rest) {
    const above = byId.get(span.parentSpanId ?? "");
    expect(above?.name.startsWith(span.name === "chat" ? "invoke_agent" : "invoke_workflow")).toBe(true);
    expect(span.startTime).toBeGreaterThanOrEqual(above?.startTime ?? Number.POSITIVE_INFINITY);
    expect(span.endTime).toBeLessThanOrEqual(run?.endTime ?? 0);
  }
  expect(rest.filter(({ name }) => name === "chat")).toHaveLength(6);
  expect(JSON.stringify(spans)).not.toContain("secret");
});
