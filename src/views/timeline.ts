/** The timeline of a run: one span for every task, from when its step opened to when it settled. */

import type { NodeName, TaskId } from "../base/names.ts";
import type { Event } from "../kernel/event.ts";

export interface Span {
  readonly task: TaskId;
  readonly node: NodeName;
  readonly step: number;
  /** Milliseconds since 1970 UTC. */
  readonly openedAt: number;
  /** When it last went to work: opened, retried, or answered. */
  readonly since: number;
  readonly settledAt?: number;
  readonly status: "running" | "asking" | "retrying" | "finished" | "failed" | "interrupted";
}

export class Timeline {
  readonly #spans: Map<TaskId, Span> = new Map();
  #live: Map<TaskId, Span> = new Map();

  fold(event: Event): void {
    switch (event.type) {
      case "run.started":
        this.#live = new Map();
        break;
      case "step.opened":
        for (const { task, node } of event.tasks) {
          const { at, step } = { at: event.at, step: event.step };
          this.#put({ task, node, step, openedAt: at, since: at, status: "running" });
        }
        break;
      case "task.finished":
        this.#settle(event.task, "finished", event.at);
        break;
      case "task.failed":
        if (event.retryAt === undefined) this.#settle(event.task, "failed", event.at);
        else this.#move(event.task, "retrying", event.retryAt);
        break;
      case "task.interrupted":
        this.#settle(event.task, "interrupted", event.at);
        break;
      case "task.asked":
        this.#move(event.task, "asking", event.at);
        break;
      case "task.answered":
      case "task.retried":
        this.#move(event.task, "running", event.at);
        break;
    }
  }

  /** Every span, in the order of opening. */
  get spans(): readonly Span[] {
    return [...this.#spans.values()];
  }

  /** The spans of tasks that have not settled. */
  get live(): readonly Span[] {
    return [...this.#live.values()];
  }

  #put(span: Span): void {
    this.#spans.set(span.task, span);
    if (span.settledAt === undefined) this.#live.set(span.task, span);
    else this.#live.delete(span.task);
  }

  #move(task: TaskId, status: Span["status"], since: number): void {
    const span = this.#spans.get(task);
    if (span === undefined) return;
    const { settledAt: _, ...open } = span;
    this.#put({ ...open, status, since });
  }

  #settle(task: TaskId, status: Span["status"], settledAt: number): void {
    const span = this.#spans.get(task);
    if (span !== undefined) this.#put({ ...span, status, settledAt });
  }
}
