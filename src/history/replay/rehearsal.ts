/**
 * A rehearsal is one call of a handler over a log: it sees what it saw then, and what it wants is answered from the log.
 *
 * 1. It reaches nothing outside: its services are those of a replay program, its context is this one.
 * 2. What it would record is told as facts, and held against what was recorded.
 * 3. A task that was interrupted hears of it once something outside has answered, unless it had before the call.
 * 4. Handlers of Baton's ask for nothing but recorded things, so what they remember is worked out again and compared.
 *    The code of others may have effects, so what it remembered is handed back, and an effect is never run.
 */

import { messageOf } from "../../base/failure.ts";
import { type Json, sameJson } from "../../base/json.ts";
import type { NodeName, RunId, TaskId } from "../../base/names.ts";
import { childRunId } from "../../base/names.ts";
import { sha256 } from "../../engines/local.ts";
import type { Fact } from "../../kernel/event.ts";
import type {
  Artifact,
  ChildRequest,
  ChildResult,
  Outcome,
  Program,
  TaskContext,
  TaskInput,
} from "../../kernel/program.ts";
import { settle } from "../../kernel/settle.ts";
import type { Snapshot } from "../../kernel/snapshot.ts";
import type { RunState, Task } from "../../kernel/state.ts";
import { type Evidence, Unrecorded } from "./evidence.ts";
import { underOther } from "./leeway.ts";

/** A call of a handler as the log has it. */
export interface Call {
  readonly state: RunState;
  readonly task: Task;
  /** The channels as they were when the call began. */
  readonly snapshot: Snapshot;
  readonly evidence: Evidence;
  /** Why the task is to stop, as far as its handler has heard of it. */
  readonly interrupted: () => string | undefined;
  /** When it was over, in milliseconds since 1970 UTC. */
  readonly at: number;
}

export interface Stagehand {
  readonly program: Program;
  /** What a child run had come to when the call was over. Throws `Unrecorded` where that cannot be told. */
  childResult(run: RunId): Promise<ChildResult>;
  /** Told of the program of a child run. */
  onChild(run: RunId, program: Program): void;
  /** True under another definition: prompts are others then, and what was said to them still counts. */
  readonly isChanged: boolean;
  /** True when the handler is the code of others (4). */
  readonly isForeign: boolean;
}

export type Rehearsed =
  | {
      readonly kind: "facts";
      readonly facts: readonly Fact[];
      /** What foreign code wanted to remember that the log does not have. */
      readonly unrecorded: readonly string[];
    }
  /** A sub-step came to another value than it did then. */
  | { readonly kind: "remembers"; readonly key: string; readonly value: Json; readonly recorded: Json }
  /** The handler wants what the log does not have. */
  | { readonly kind: "beyond"; readonly message: string }
  /** Nothing can be said: it depends on what logs do not keep. */
  | { readonly kind: "taken"; readonly why: string };

/** Calls the handler of a task again and tells what it would record. */
export async function rehearse(call: Call, stagehand: Stagehand): Promise<Rehearsed> {
  const { state, task, at, snapshot } = call;
  const handler = stagehand.program.handlers[task.node];
  if (handler === undefined) return { kind: "beyond", message: `There is no node ${task.node}.` };
  const { input, sent, taken } = task;
  const given: TaskInput = { snapshot, sent, taken, ...(input !== undefined && { input }) };
  const context = new RehearsalContext(call, stagehand);
  let outcome: Outcome;
  try {
    outcome = await handler(given, context);
  } catch (error) {
    return excused(error);
  }
  const facts: Fact[] = [];
  settle(state, task.id, outcome, { now: at, emit: (fact) => facts.push(fact) });
  return { kind: "facts", facts, unrecorded: context.unrecorded };
}

function excused(error: unknown): Rehearsed {
  if (error instanceof Surprise) return error.rehearsed;
  if (error instanceof Unrecorded && error.isKnownGap) return { kind: "taken", why: error.message };
  return { kind: "beyond", message: messageOf(error) };
}

/** Thrown out of a handler that goes on otherwise than it did. */
class Surprise extends Error {
  readonly rehearsed: Rehearsed;

  constructor(rehearsed: Rehearsed) {
    super("The rehearsal is over.");
    this.rehearsed = rehearsed;
  }
}

class RehearsalContext implements TaskContext {
  readonly run: RunId;
  readonly task: TaskId;
  readonly node: NodeName;
  readonly step: number;
  readonly attempt: number;
  readonly firstAttempt: number;
  readonly idempotencyKey: string;
  readonly signal: AbortSignal = new AbortController().signal;
  readonly answers: readonly Json[];
  readonly #call: Call;
  readonly #stagehand: Stagehand;
  readonly #memory: Map<string, Json>;
  readonly #kept: Map<string, string> = new Map();
  readonly unrecorded: string[] = [];

  constructor(call: Call, stagehand: Stagehand) {
    const { state, task } = call;
    this.run = state.run;
    this.task = task.id;
    this.node = task.node;
    this.step = task.step;
    this.attempt = task.attempt;
    this.firstAttempt = task.firstAttempt;
    this.idempotencyKey = `${state.run}/${task.id}/${task.attempt}`;
    this.answers = task.questions.flatMap(({ answer, from }) => (answer && !from ? [answer.value] : []));
    this.#call = call;
    this.#stagehand = stagehand;
    const { memory, remembered } = call.evidence;
    this.#memory = new Map(stagehand.isForeign ? remembered : memory); // (4)
  }

  get interrupted(): string | undefined {
    return this.#call.interrupted(); // (3)
  }

  recall(key: string): Json | undefined {
    return this.#memory.get(key);
  }

  async once<T extends Json>(key: string, effect: () => T | Promise<T>): Promise<T> {
    const known = this.#memory.get(key);
    if (known !== undefined) return known as T; // what the same key stored before
    if (this.#stagehand.isForeign) return this.#refuse(key);
    const value = await effect();
    const recorded = this.#call.evidence.remembered.get(key);
    if (recorded === undefined) {
      throw new Unrecorded(`${key} is to be remembered, which was not done then.`, { isKnownGap: false });
    }
    const expected = underOther(recorded, value, this.#stagehand);
    if (!sameJson(expected, recorded)) {
      throw new Surprise({ kind: "remembers", key, value: expected, recorded });
    }
    this.#memory.set(key, recorded);
    return recorded as T; // the same as `value`, save what may differ
  }

  #refuse(key: string): never {
    this.unrecorded.push(key);
    throw new Unrecorded(`The log has nothing under ${key}: it is new, or its effect failed then.`, {
      isKnownGap: true,
    });
  }

  keep(kind: string, text: string): Artifact {
    const ref = sha256(text);
    this.#kept.set(ref, text);
    return { kind, ref, size: text.length };
  }

  async fetch(ref: string): Promise<string | undefined> {
    return this.#kept.get(ref) ?? this.#call.evidence.text(ref);
  }

  progress(): void {}

  now(): number {
    return this.#call.at;
  }

  async child({ key, program }: ChildRequest): Promise<ChildResult> {
    const run = childRunId(this.run, this.task, key);
    this.#stagehand.onChild(run, program);
    try {
      return await this.#stagehand.childResult(run);
    } catch (error) {
      const isGap = this.#stagehand.isForeign && error instanceof Unrecorded && error.isKnownGap;
      if (isGap) this.#call.evidence.gap(`how far child run ${run} had come`); // its node makes a failure of it
      throw error;
    }
  }
}
