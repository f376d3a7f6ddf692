/** OpenTelemetry: a log becomes spans with its times and parents, live as well as later, and content only on request. */
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace-base";
import { describe, expect, test } from "vitest";
import { items, RUN, Stage, workshop, yes } from "../../test/scenarios/loadout-stage.ts";
import { RunTracer, traceRun } from "./run-tracer.ts";

function collector() {
  const exporter = new InMemorySpanExporter();
  const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  return { provider, spans: () => exporter.getFinishedSpans() };
}

async function played(): Promise<Stage> {
  const script = {
    "Socket-1": [items(1)],
    "Socket-2": ["built"],
    "Socket-3": [yes],
    "Socket-4": [yes],
    "Socket-5": ["told"],
  };
  const stage = new Stage({ loadout: workshop(), script });
  expect((await stage.play()).status).toBe("completed");
  return stage;
}

const millis = ([seconds, nanos]: readonly [number, number]) => seconds * 1000 + nanos / 1e6;
const told = (spans: readonly ReadableSpan[]) =>
  spans.map(({ name, startTime, endTime, attributes }) => ({
    ...{ name, from: millis(startTime), to: millis(endTime) },
    agent: attributes["gen_ai.agent.name"],
  }));

describe("a recorded run", () => {
  test("becomes a tree of spans with the times of its log, and holds no content", async () => {
    const { journal } = await played();
    const { provider, spans } = collector();
    const log = await journal.read(RUN, 0);
    expect(await traceRun(journal, RUN, { provider })).toBe(spans().length);
    const root = spans().find(({ name }) => name.startsWith("invoke_workflow"));
    const visit = spans().find(({ attributes }) => attributes["gen_ai.agent.name"] === "Socket-2");
    const turn = spans().find(
      ({ name, parentSpanContext }) =>
        name === "chat" && parentSpanContext?.spanId === visit?.spanContext().spanId,
    );
    expect(visit?.parentSpanContext?.spanId).toBe(root?.spanContext().spanId);
    expect(turn?.attributes).toMatchObject({ "gen_ai.operation.name": "chat" });
    expect(new Set(spans().map((span) => span.spanContext().traceId)).size).toBe(1);
    expect(root && millis(root.startTime)).toBe(log[0]?.at);
    expect(root && millis(root.endTime)).toBe(log.at(-1)?.at);
    expect(JSON.stringify(spans().map(({ attributes }) => attributes))).not.toContain("built");
  });

  test("has prompts and outputs when they are asked for", async () => {
    const { journal } = await played();
    const { provider, spans } = collector();
    await traceRun(journal, RUN, { provider, content: true });
    const said = spans().map(({ attributes }) => String(attributes["gen_ai.output.messages"]));
    expect(said).toContainEqual(
      JSON.stringify([{ role: "assistant", parts: [{ type: "text", content: "built" }] }]),
    );
    expect(
      spans().some(({ attributes }) => String(attributes["gen_ai.input.messages"]).includes('"role":"user"')),
    ).toBe(true);
  });
});

test("a run that is followed live gives the same spans", async () => {
  const { journal } = await played();
  const [later, live] = [collector(), collector()];
  await traceRun(journal, RUN, { provider: later.provider });
  const tracer = new RunTracer(live.provider);
  for (const event of await journal.read(RUN, 0)) tracer.take(event);
  tracer.close();
  const sorted = (spans: readonly ReadableSpan[]) =>
    told(spans)
      .map((span) => JSON.stringify(span))
      .sort();
  expect(sorted(live.spans())).toEqual(sorted(later.spans()));
});

test("a run that failed and was resumed has two spans, and the later one links to the other", () => {
  const { provider, spans } = collector();
  const tracer = new RunTracer(provider);
  const program = { dialect: "test", name: "t", revision: "1" };
  const failure = { code: "node_failed", message: "No.", retryable: false } as const;
  const place = (seq: number) => ({ run: RUN, seq, at: 1000 * seq });
  tracer.take({ type: "run.started", program, patches: [], route: [], ...place(1) });
  tracer.take({ type: "run.failed", failure, ...place(2) });
  tracer.take({ type: "run.resumed", patches: [], ...place(3) });
  tracer.take({ type: "run.finished", ...place(4) });
  const [failed, resumed] = spans();
  expect(failed?.status.message).toBe("node_failed");
  expect(resumed && millis(resumed.startTime)).toBe(3000);
  expect(resumed?.links[0]?.context.spanId).toBe(failed?.spanContext().spanId);
});
