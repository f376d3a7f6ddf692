/** A task's context: everything that a handler may ask of the run while it works. */

import type { Json } from "../base/json.ts";
import type { NodeName, RunId, TaskId } from "../base/names.ts";
import { Refusal } from "../base/refusal.ts";
import type { Artifact, ChildRequest, ChildResult, TaskContext } from "../kernel/program.ts";
import type { Task } from "../kernel/state.ts";
import type { Host } from "./host.ts";
import type { Ledger } from "./ledger.ts";

export class Context implements TaskContext {
  readonly run: RunId;
  readonly task: TaskId;
  readonly node: NodeName;
  readonly step: number;
  readonly attempt: number;
  readonly firstAttempt: number;
  readonly #ledger: Ledger;
  readonly #host: Host;
  readonly #task: Task;
  /** Resolves when the handler has returned; absent when it did so at once. */
  running: PromiseLike<void> | undefined;
  /** Set when the journal failed under the handler. */
  fault: { readonly error: unknown } | undefined;
  #abort: AbortController | undefined;
  #ended: DOMException | undefined;

  constructor(ledger: Ledger, host: Host, task: Task) {
    this.run = ledger.run;
    this.task = task.id;
    this.node = task.node;
    this.step = task.step;
    this.attempt = task.attempt;
    this.firstAttempt = task.firstAttempt;
    this.#ledger = ledger;
    this.#host = host;
    this.#task = task;
  }

  get idempotencyKey(): string {
    return `${this.run}/${this.task}/${this.attempt}`;
  }

  get signal(): AbortSignal {
    if (this.#abort === undefined) {
      this.#abort = new AbortController();
      const why = this.#live.interrupted;
      if (why !== undefined) this.end(why);
      else if (this.#ended !== undefined) this.#abort.abort(this.#ended);
    }
    return this.#abort.signal;
  }

  get interrupted(): string | undefined {
    return this.#live.interrupted;
  }

  get answers(): readonly Json[] {
    return this.#live.questions.flatMap(({ answer, from }) => (answer && !from ? [answer.value] : []));
  }

  /** The task in the latest state, which is another object once the state was read again. */
  get #live(): Task {
    return this.#ledger.state.tasks.get(this.task) ?? this.#task;
  }

  recall(key: string): Json | undefined {
    return this.#live.memory?.get(key);
  }

  async once<T extends Json>(key: string, effect: () => T | Promise<T>): Promise<T> {
    const known = this.recall(key);
    if (known !== undefined) return known as T; // what the same key stored before
    const value = await effect();
    const recorded = await this.#guarded(async () =>
      this.#ledger.drive((state, emit) => {
        const live = state.tasks.get(this.task)?.phase === "ready";
        if (live) emit({ type: "task.remembered", task: this.task, key, value });
        return live;
      }),
    );
    if (!recorded) throw new Refusal("wrong_state", `Task ${this.task} is over; ${key} is not recorded.`);
    return value;
  }

  keep(kind: string, text: string): Artifact {
    const ref = this.#host.digest(text);
    this.#ledger.keep(ref, text);
    return { kind, ref, size: text.length };
  }

  async fetch(ref: string): Promise<string | undefined> {
    return this.#ledger.text(ref);
  }

  progress(chunk: unknown): void {
    this.#host.progress?.({ run: this.run, task: this.task, node: this.node, chunk });
  }

  now(): number {
    return this.#ledger.clock.now();
  }

  child(request: ChildRequest): Promise<ChildResult> {
    const origin = { parent: this.#ledger, task: this.#live, signal: this.signal };
    return this.#guarded(() => this.#host.child(request, origin));
  }

  /** A journal that fails is not the task's failure: it stops the driver, whatever the handler makes of it. */
  async #guarded<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      this.fault = { error };
      throw error;
    }
  }

  /** Tells the handler to stop. */
  end(reason: string): void {
    if (this.#ended !== undefined) return;
    this.#ended = new DOMException(`Task ${this.task} was stopped: ${reason}.`, "AbortError");
    this.#abort?.abort(this.#ended);
  }
}
