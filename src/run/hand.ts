/**
 * The hand holds the tasks that are running in this process.
 *
 * 1. What comes back is collected in order of arrival; taking it costs as much as it is, however many still run.
 * 2. Of very many tasks some are started at a time, and those that are quick come back before the next ones start: what
 *    is alive at once, and what a task costs, does not grow with how many there are.
 * 3. A task that is let go of is told to stop, and what it returns later is dropped.
 */

import { describeError, failure } from "../base/failure.ts";
import type { TaskId } from "../base/names.ts";
import { SmallMap } from "../base/small-map.ts";
import type { Returned } from "../kernel/next.ts";
import type { Outcome, Program } from "../kernel/program.ts";
import { type RunState, snapshotOf, type Task } from "../kernel/state.ts";
import { Context } from "./context.ts";
import type { Host } from "./host.ts";
import type { Maybe } from "./journal.ts";
import type { Ledger } from "./ledger.ts";

const NOTHING: ReadonlyMap<TaskId, unknown> = new Map();
const NOTHING_RETURNED: Returned[] = []; // never pushed to: an empty list is replaced

/** How many tasks are started at a time. */
const PORTION = 1000;

export class Hand {
  readonly #program: Program;
  readonly #ledger: Ledger;
  readonly #host: Host;
  readonly #held: SmallMap<TaskId, Context> = new SmallMap();
  #fault: Context["fault"];
  #leaving: PromiseLike<void>[] = [];
  #returned: Returned[] = NOTHING_RETURNED;
  #waiting: (() => void) | undefined;
  /** True when the last start left tasks for the next one (2). */
  hasMore: boolean = false;
  #thrown: Map<TaskId, unknown> | undefined;

  constructor(program: Program, ledger: Ledger, host: Host) {
    this.#program = program;
    this.#ledger = ledger;
    this.#host = host;
  }

  /** What tasks threw last, for callers in this process; the log has its description. */
  get thrown(): ReadonlyMap<TaskId, unknown> {
    return this.#thrown ?? NOTHING;
  }

  /** True when nothing runs and nothing waits to be taken. */
  get isEmpty(): boolean {
    return this.#held.size === 0 && this.#returned.length === 0;
  }

  /** True when something is there to be taken. */
  get hasReturned(): boolean {
    return this.#returned.length > 0;
  }

  /** Starts the tasks that are due, as many as fit at a time (2); returns when the next one will be due, if that is all there is. */
  start(state: RunState): number {
    const room = this.#host.concurrency ?? state.plan.limits.concurrency ?? Number.POSITIVE_INFINITY;
    this.hasMore = false;
    if (state.ready.size === this.#held.size) return Number.POSITIVE_INFINITY;
    let nextDue = Number.POSITIVE_INFINITY;
    // As many as still run are passed over each time, so they may be started as well.
    let portion = Math.max(PORTION, this.#held.size);
    for (const task of state.ready.values()) {
      if (this.#held.size >= room) break;
      if (this.#held.has(task.id)) continue;
      if (task.notBefore > 0 && task.notBefore > this.#ledger.clock.now())
        nextDue = Math.min(nextDue, task.notBefore);
      else if (portion-- > 0) this.#run(state, task);
      else {
        this.hasMore = true;
        break;
      }
    }
    return nextDue;
  }

  /** Takes what has come back since the last time. Throws what the journal threw under a task. */
  take(): readonly Returned[] {
    if (this.#fault !== undefined) throw this.#fault.error;
    const returned = this.#returned;
    this.#returned = NOTHING_RETURNED;
    return returned;
  }

  /** Waits until something comes back, or `wake` is called. */
  settled(): Promise<void> {
    return new Promise((resolve) => this.onReturn(resolve));
  }

  /** Calls back once, when something comes back or `wake` is called. */
  onReturn(call: () => void): void {
    this.#waiting = call;
  }

  /** Ends the wait. */
  wake(): void {
    this.#woken()?.();
  }

  /** Ends the wait in the next turn of the queue. */
  #wakeSoon(): void {
    const wake = this.#woken();
    if (wake !== undefined) void Promise.resolve().then(wake);
  }

  #woken(): (() => void) | undefined {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    return waiting;
  }

  /** Lets go of the tasks that the state no longer waits for, and tells those that somebody wants to stop. */
  release(state: RunState, reason: string): void {
    const live = state.status !== "cancelled";
    for (const id of this.#held.keys()) {
      const task = live ? state.ready.get(id) : undefined;
      if (task === undefined) this.#drop(id, reason);
      else if (task.interrupted !== undefined) this.#held.get(id)?.end(task.interrupted);
    }
  }

  /** Lets go of everything. */
  releaseAll(reason: string): void {
    for (const id of this.#held.keys()) this.#drop(id, reason);
  }

  /** Waits until what was let go of has really stopped, but no longer than `grace` milliseconds. */
  gone(grace: number): Maybe<void> {
    if (this.#leaving.length > 0 && grace > 0) return this.#left(grace);
  }

  async #left(grace: number): Promise<void> {
    const waited = new AbortController();
    await Promise.race([Promise.all(this.#leaving), this.#ledger.clock.sleep(grace, waited.signal)]);
    waited.abort("gone");
    this.#leaving = [];
  }

  #drop(id: TaskId, reason: string): void {
    const context = this.#held.get(id);
    this.#held.delete(id);
    if (context?.running !== undefined) this.#leaving.push(context.running);
    context?.end(reason);
  }

  #run(state: RunState, task: Task): void {
    const context = new Context(this.#ledger, this.#host, task);
    this.#held.set(task.id, context);
    try {
      const outcome = this.#call(state, task, context);
      if ("then" in outcome) context.running = this.#whenBack(context, outcome);
      else this.#back(context, outcome);
    } catch (error) {
      this.#back(context, crashed(error));
    }
  }

  #whenBack(context: Context, outcome: PromiseLike<Outcome>): PromiseLike<void> {
    return outcome.then(
      (value) => this.#back(context, value),
      (error) => this.#back(context, crashed(error)),
    );
  }

  #call(state: RunState, task: Task, context: Context): Outcome | PromiseLike<Outcome> {
    const handler = this.#program.handlers[task.node];
    if (handler === undefined) {
      const message = `The program has no node ${task.node}, which the run wants to go on with.`;
      return { kind: "failed", failure: failure("unknown_target", message) };
    }
    const { input, sent, taken } = task;
    const snapshot = snapshotOf(state);
    return handler(
      input === undefined ? { snapshot, sent, taken } : { snapshot, sent, taken, input },
      context,
    );
  }

  #back(context: Context, outcome: Outcome): void {
    const { task } = context;
    if (this.#held.get(task) !== context) return;
    this.#held.delete(task);
    this.#fault ??= context.fault;
    if (outcome.kind === "failed" && outcome.thrown !== undefined) {
      this.#thrown ??= new Map();
      this.#thrown.set(task, outcome.thrown);
    }
    // A list of one is most of what ever comes back, and takes a sixth of one that is pushed to.
    if (this.#returned.length === 0) this.#returned = [{ task, outcome }];
    else this.#returned.push({ task, outcome });
    if (this.#held.size === 0) this.wake();
    else this.#wakeSoon(); // together with what else comes back now
  }
}

/** A handler should return its failures; one that throws has one that nobody foresaw. */
function crashed(thrown: unknown): Outcome {
  const cause = describeError(thrown);
  return {
    kind: "failed",
    failure: failure("node_failed", cause.message, { cause, retryable: true }),
    thrown,
  };
}
