/**
 * Spans of a run for OpenTelemetry, folded from its log: one for the run, one for each task, one for each turn of an
 * agent, with the names of the GenAI semantic conventions (version 1.41.0, in development). They hold no content.
 *
 * 1. Ids are derived from run and task, so the same log always gives the same spans, and children hang on their tasks.
 */

import { isJsonObject, type Json } from "../base/json.ts";
import type { RunId } from "../base/names.ts";
import { sha256 } from "../engines/local.ts";
import type { Event } from "../kernel/event.ts";

export interface TraceSpan {
  /** 32 hex digits, the same for all runs of a family. */
  readonly traceId: string;
  /** 16 hex digits. */
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: "internal" | "client";
  /** Milliseconds since 1970 UTC. */
  readonly startTime: number;
  /** Absent while it is under way. */
  readonly endTime?: number;
  readonly status: "unset" | "ok" | "error";
  readonly attributes: Readonly<Record<string, string | number>>;
  /** Where its content is stored, for those who ask for it: references to what was sent and what came back. */
  readonly prompt?: string;
  readonly output?: string;
}

type Draft = { -readonly [Key in keyof TraceSpan]: TraceSpan[Key] } & {
  attributes: Record<string, string | number>;
};

/** The spans of a log, in the order in which they began. */
export function spansOf(events: readonly Event[]): readonly TraceSpan[] {
  const fold = new SpanFold();
  for (const event of events) fold.take(event);
  return fold.spans;
}

/** Folds a log into spans, event by event; those that are under way change with what comes. */
export class SpanFold {
  readonly #spans: Draft[] = [];
  readonly #tasks: Map<string, Draft> = new Map();
  /** When a task last went to work: where its next turn begins. */
  readonly #since: Map<string, number> = new Map();
  /** The prompt of the turn that each task has in hand. */
  readonly #sent: Map<string, string> = new Map();
  #root: Draft | undefined;

  /** In the order in which they began. */
  get spans(): readonly TraceSpan[] {
    return this.#spans;
  }

  take(event: Event): void {
    switch (event.type) {
      case "run.started":
        this.#root ??= this.#begin(event);
        break;
      case "step.opened":
        for (const { task, node } of event.tasks) this.#open(event, task, node);
        break;
      case "task.remembered":
        if (event.key.startsWith("turn:")) this.#turn(event, event.key, event.value);
        else if (isJsonObject(event.value) && typeof event.value["sent"] === "string") {
          this.#sent.set(event.task, event.value["sent"]);
        }
        break;
      case "task.noted":
        if (event.kind === "inbox.turn" && isJsonObject(event.data)) {
          this.#turn(event, `turn:${event.data["turn"]}`, event.data);
        }
        break;
      case "task.answered":
      case "task.retried":
        this.#since.set(event.task, event.at);
        break;
      case "task.finished":
        end(this.#tasks.get(event.task), event.at, "ok");
        break;
      case "task.failed":
        if (event.retryAt !== undefined) this.#since.set(event.task, event.retryAt);
        else end(this.#tasks.get(event.task), event.at, "error", event.failure.code);
        break;
      case "run.finished":
        end(this.#root, event.at, "ok");
        break;
      case "run.failed":
        end(this.#root, event.at, "error", event.failure.code);
        break;
      case "run.cancelled":
        end(this.#root, event.at, "unset");
        break;
      case "run.resumed":
        delete this.#root?.endTime;
        break;
    }
  }

  #begin({ run, at, program, parent }: Extract<Event, { type: "run.started" }>): Draft {
    const attributes = {
      "gen_ai.operation.name": "invoke_workflow",
      "gen_ai.workflow.name": program.name,
      "gen_ai.conversation.id": run,
      "baton.dialect": program.dialect,
      "baton.revision": program.revision,
    };
    return this.#put(run, `invoke_workflow ${program.name}`, {
      ...{ spanId: digits(run, 16), startTime: at, attributes },
      ...(parent && { parentSpanId: digits(`${parent.run}/${parent.task}`, 16) }),
    });
  }

  #open({ run, at }: Event, task: string, node: string): void {
    const attributes = {
      ...{ "gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": node },
      "baton.task": task,
    };
    const span = {
      spanId: digits(`${run}/${task}`, 16),
      startTime: at,
      attributes,
      ...this.#below(this.#root),
    };
    this.#tasks.set(task, this.#put(run, `invoke_agent ${node}`, span));
    this.#since.set(task, at);
  }

  #turn({ run, at, ...event }: Event, key: string, value: Json): void {
    const { task } = event as { readonly task: string }; // only events of tasks come here
    const owner = this.#tasks.get(task);
    const usage = isJsonObject(value) && isJsonObject(value["usage"]) ? value["usage"] : {};
    const { tokens, costUsd } = usage;
    const prompt = refIn(value, "prompt") ?? this.#sent.get(task);
    const output = refIn(value, "text") ?? refIn(value, "output");
    const hasFailed = isJsonObject(value) && value["failure"] !== undefined;
    this.#put(run, "chat", {
      ...{ spanId: digits(`${run}/${task}/${key}`, 16), kind: "client", ...this.#below(owner) },
      ...(prompt !== undefined && { prompt }),
      ...(output !== undefined && { output }),
      ...{ startTime: this.#since.get(task) ?? at, endTime: at, status: hasFailed ? "error" : "ok" },
      attributes: {
        "gen_ai.operation.name": "chat",
        ...(typeof tokens === "number" && { "baton.usage.tokens": tokens }),
        ...(typeof costUsd === "number" && { "baton.usage.cost_usd": costUsd }),
      },
    });
    this.#since.set(task, at);
  }

  #below(owner: Draft | undefined): { readonly parentSpanId?: string } {
    return owner === undefined ? {} : { parentSpanId: owner.spanId };
  }

  #put(
    run: RunId,
    name: string,
    span: Pick<Draft, "spanId" | "startTime" | "attributes"> & Partial<Draft>,
  ): Draft {
    const [root = run] = run.split(/\/(?=\d+\/)/, 1);
    const draft: Draft = { traceId: digits(root, 32), name, kind: "internal", status: "unset", ...span };
    this.#spans.push(draft);
    return draft;
  }
}

function end(span: Draft | undefined, at: number, status: TraceSpan["status"], error?: string): void {
  if (span === undefined) return;
  span.endTime = at;
  span.status = status;
  if (error !== undefined) span.attributes["error.type"] = error;
}

/** The reference under a key, or of the artifact there. */
function refIn(value: Json, key: string): string | undefined {
  const held = isJsonObject(value) ? value[key] : undefined;
  const ref = isJsonObject(held) ? held["ref"] : held;
  return typeof ref === "string" ? ref : undefined;
}

/** Hex digits that stand for a name (1). */
function digits(name: string, count: number): string {
  return sha256(name).slice("sha256:".length, "sha256:".length + count);
}
