/**
 * A run tracer passes a run on to OpenTelemetry: its spans, with the times that the log recorded.
 *
 * 1. Spans say what happened and for how long. What was asked and said is added only by `traceRun`, and only on request.
 * 2. A span starts and ends as its events come. A run that is resumed after its end gets another span, linked to the one
 *    before it.
 * 3. The tasks that runs were started by are the parents of those runs, as far as the same tracer has seen them.
 */

import {
  type Attributes,
  type Context,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  type TracerProvider,
  trace,
} from "@opentelemetry/api";
import type { RunId } from "../base/names.ts";
import { familyOf } from "../history/family.ts";
import { SpanFold, type TraceSpan } from "../history/spans.ts";
import type { Event } from "../kernel/event.ts";
import type { Journal } from "../run/journal.ts";
import { readEvents } from "../run/load.ts";

/** The version of the semantic conventions that names and attributes are those of. */
export const SEMANTIC_CONVENTIONS = "1.41.0";

/** Tells a run to OpenTelemetry while it happens: `take` its events. `traceRun` does it for a run that is over. */
export class RunTracer {
  readonly #tracer: Tracer;
  readonly #folds: Map<RunId, SpanFold> = new Map();
  readonly #spans: Map<string, Span> = new Map();
  readonly #open: Map<string, TraceSpan> = new Map();
  readonly #ended: Map<string, TraceSpan> = new Map();

  constructor(provider: TracerProvider) {
    const schemaUrl = `https://opentelemetry.io/schemas/${SEMANTIC_CONVENTIONS}`;
    this.#tracer = provider.getTracer("batonjs", undefined, { schemaUrl });
  }

  /** Takes the next event of a run, from its first one on. For a live run: `ledger.subscribe((events) => …)`. */
  take(event: Event): void {
    const fold = this.#folds.get(event.run) ?? new SpanFold();
    this.#folds.set(event.run, fold);
    const before = fold.spans.length;
    fold.take(event);
    for (const span of fold.spans.slice(before)) this.#start(span, span.startTime);
    for (const span of this.#open.values()) if (span.endTime !== undefined) this.#end(span);
    if (event.type === "run.resumed") this.#goOn(event.at);
  }

  /** Ends what is still under way, without a status: the log goes no further. */
  close(): void {
    for (const id of this.#open.keys()) this.#spans.get(id)?.end();
    this.#open.clear();
  }

  #start(span: TraceSpan, at: number): void {
    const before = this.#spans.get(span.spanId);
    const kind = span.kind === "client" ? SpanKind.CLIENT : SpanKind.INTERNAL;
    const links = before === undefined ? [] : [{ context: before.spanContext() }]; // (2)
    const options = { kind, startTime: new Date(at), attributes: span.attributes, links };
    this.#spans.set(span.spanId, this.#tracer.startSpan(span.name, options, this.#above(span)));
    this.#open.set(span.spanId, span);
  }

  #end(span: TraceSpan): void {
    endSpan(this.#spans.get(span.spanId), span);
    this.#open.delete(span.spanId);
    this.#ended.set(span.spanId, span);
  }

  /** Runs that were over and are not any more. */
  #goOn(at: number): void {
    for (const [id, span] of this.#ended) {
      if (span.endTime !== undefined) continue;
      this.#ended.delete(id);
      this.#start(span, at);
    }
  }

  #above({ parentSpanId }: TraceSpan): Context {
    const parent = parentSpanId === undefined ? undefined : this.#spans.get(parentSpanId); // (3)
    return parent === undefined ? ROOT_CONTEXT : trace.setSpan(ROOT_CONTEXT, parent);
  }
}

/** Where spans go, and whether they have prompts and outputs in them. */
export interface TraceOptions {
  /** Whose tracer makes the spans; it also says where they are exported to. */
  readonly provider: TracerProvider;
  /** Adds what was sent and what came back to the spans of turns; false when absent. */
  readonly content?: boolean;
}

/** Passes a recorded run on with its children; returns how many spans that were. Refuses a run that is not there. */
export async function traceRun(
  journal: Journal,
  run: RunId,
  { provider, content = false }: TraceOptions,
): Promise<number> {
  const schemaUrl = `https://opentelemetry.io/schemas/${SEMANTIC_CONVENTIONS}`;
  const tracer = provider.getTracer("batonjs", undefined, { schemaUrl });
  const begun = new Map<string, Span>();
  for (const head of await familyOf(journal, run)) {
    const fold = new SpanFold();
    for await (const event of readEvents(journal, head.run, 0)) fold.take(event);
    for (const span of fold.spans) {
      const said = content ? await contentOf(journal, span) : {};
      const parent = begun.get(span.parentSpanId ?? "");
      const above = parent === undefined ? ROOT_CONTEXT : trace.setSpan(ROOT_CONTEXT, parent);
      const kind = span.kind === "client" ? SpanKind.CLIENT : SpanKind.INTERNAL;
      const attributes = { ...span.attributes, ...said };
      const options = { kind, startTime: new Date(span.startTime), attributes };
      const started = tracer.startSpan(span.name, options, above);
      begun.set(span.spanId, started);
      endSpan(started, span);
    }
  }
  return begun.size;
}

/** A span of a log that goes no further ends when it began: OpenTelemetry has none without an end. */
function endSpan(started: Span | undefined, { status, attributes, endTime, startTime }: TraceSpan): void {
  started?.setAttributes(attributes);
  if (status === "ok") started?.setStatus({ code: SpanStatusCode.OK });
  if (status === "error") {
    started?.setStatus({ code: SpanStatusCode.ERROR, message: String(attributes["error.type"] ?? "") });
  }
  started?.end(new Date(endTime ?? startTime));
}

async function contentOf(journal: Journal, { prompt, output }: TraceSpan): Promise<Attributes> {
  const message = async (role: string, ref: string | undefined): Promise<string | undefined> => {
    const text = ref === undefined ? undefined : await journal.text(ref);
    return text === undefined
      ? undefined
      : JSON.stringify([{ role, parts: [{ type: "text", content: text }] }]);
  };
  const [input, said] = [await message("user", prompt), await message("assistant", output)];
  return {
    ...(input !== undefined && { "gen_ai.input.messages": input }),
    ...(said !== undefined && { "gen_ai.output.messages": said }),
  };
}
