/**
 * An interrupt is a question that a node asks in the middle of its work.
 *
 * 1. The node runs again from its start once every question that it asked is answered; the n-th call of `interrupt`
 *    in a run of the node returns the n-th answer.
 * 2. This is the one place that throws for control flow: an unanswered call leaves the node by a throw, and what was
 *    asked counts even when the node catches it.
 * 3. Work that is remembered and not done again keeps the answers that it had: nobody else is given them.
 */

import { Ambient, type Caller } from "../../base/ambient.ts";
import type { Json } from "../../base/json.ts";
import type { TaskContext } from "../../kernel/program.ts";
import type { NodeConfig } from "./config.ts";
import { GraphError } from "./errors.ts";
import { open, seal } from "./values.ts";

const NOTHING: readonly Json[] = Object.freeze([]);

/** One run of a node, as far as its questions go. */
export class Asking {
  readonly context: TaskContext;
  #questions: Json[] | undefined;
  /** The numbers of the calls whose answers belong to remembered work (3). */
  #taken: Set<number> | undefined;
  #next = 0;

  constructor(context: TaskContext) {
    this.context = context;
  }

  /** What is asked and not answered yet. */
  get questions(): readonly Json[] {
    return this.#questions ?? NOTHING;
  }

  /** True when something was asked, in this run of the node or before. */
  get hasAsked(): boolean {
    return this.#next > 0 || this.#taken !== undefined || this.questions.length > 0;
  }

  /** The number of the next call. */
  take(): number {
    while (this.#taken?.has(this.#next)) this.#next++;
    return this.#next++;
  }

  /** Leaves the answers of these calls to those who had them. */
  reserve(calls: readonly number[]): void {
    if (calls.length === 0) return;
    this.#taken ??= new Set();
    for (const call of calls) this.#taken.add(call);
  }

  /** Asks, or returns the answer that there is. */
  ask(value: unknown, call: number): unknown {
    const { answers } = this.context;
    if (call < answers.length) return open(answers[call] as Json);
    this.#questions ??= [];
    this.#questions.push(seal(value, "The value of interrupt()"));
    throw new Suspension();
  }
}

/** Where a piece of code runs: in which node, and who is told about its questions. */
export interface Scope {
  readonly asking: Asking;
  readonly config: NodeConfig;
  /** Told the number of each call. */
  readonly onCall?: (call: number) => void;
}

const current = new Ambient<Scope>();

/** Leaves the node that asked. */
class Suspension extends Error {
  override readonly name: string = "Suspension";

  constructor() {
    super("This node waits for an answer. Let this pass: do not catch it.");
  }
}

/**
 * Pauses the node and shows `value` to a person; returns what they answer, once `Command({ resume })` brings it.
 * What stands before it in the node runs again then: put effects after it, or into `config.once`. On a platform
 * without `AsyncLocalStorage`, use `config.interrupt` after the first `await`.
 */
export function interrupt<Answer = unknown, Value = unknown>(value: Value): Answer {
  const scope = current.get();
  if (scope === undefined) {
    throw new GraphError("interrupt() was called outside of a node: only a running node can ask.");
  }
  const call = scope.asking.take();
  scope.onCall?.(call);
  return scope.asking.ask(value, call) as Answer; // the caller says what it asked for
}

/** Says whether this was thrown to leave a node that waits for an answer. */
export function isSuspension(thrown: unknown): boolean {
  return thrown instanceof Suspension;
}

/** The node that the code which calls this runs in, if it runs in one. */
export function currentScope(): Scope | undefined {
  return current.get();
}

/** Calls a node, or a part of it, with these arguments, so that it may ask. */
export function callInScope<Args extends readonly unknown[], T>(
  scope: Scope,
  call: (...args: Args) => T,
  args: Args,
): T {
  return current.run(scope, call, args);
}

/** What calls the node of many tasks, so that each may ask; made where the run was asked for. */
export function scopeCaller(): Caller<Scope> {
  return current.caller();
}
