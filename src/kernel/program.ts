/** A program is a plan beside the code that it names: what a dialect compiles a definition to. */

import type { Signal } from "../base/abort.ts";
import type { Failure } from "../base/failure.ts";
import type { Json } from "../base/json.ts";
import type { ChannelName, NodeName, RunId, TaskId } from "../base/names.ts";
import type { Asked, ProgramName, Result } from "./event.ts";
import type { Change, Take } from "./patch.ts";
import type { Plan } from "./plan.ts";
import type { Snapshot } from "./snapshot.ts";

/** What a run is driven by: a plan, which is data, beside the code that it names. A dialect compiles a definition to it. */
export interface Program {
  readonly id: ProgramName;
  readonly plan: Plan;
  /** What the author wrote, where it is data; it is kept in the log, so that a run outlives its file. */
  readonly definition?: Json;
  readonly handlers: Readonly<Record<NodeName, Handler>>;
  readonly reducers: Readonly<Record<string, Reducer>>;
}

/** Does a task's work. It may wait and reach outside, but only through its context or ports of its own. */
export type Handler = (input: TaskInput, context: TaskContext) => Outcome | PromiseLike<Outcome>;

/** Folds one write into the current value. It must be pure: it is called again when a commit is tried again. */
export interface Reducer {
  (current: Json | undefined, update: Json): Json;
  /**
   * Says what all writes of a commit change together, without making the new value. `current` is the live value:
   * it must be neither kept nor changed.
   */
  readonly patch?: (current: Json | undefined, updates: readonly Json[]) => Change | Take;
}

/** What a handler works on: the channels, and what its task was started with. */
export interface TaskInput {
  /** The channels as they were when the step was opened. */
  readonly snapshot: Snapshot;
  /** The argument of a send. */
  readonly input?: Json;
  /** True when a send started the task. */
  readonly sent: boolean;
  /** What was taken from the queues, in the order in which it arrived. */
  readonly taken: Readonly<Record<ChannelName, readonly Json[]>>;
}

/** What came of a task: it is done, it asks a person, it failed, or it was held up by what a person can remove. */
export type Outcome =
  | ({ readonly kind: "done"; readonly notes?: readonly Note[] } & Result)
  /** The task waits for answers and is then run again from its start, with them. */
  | { readonly kind: "asks"; readonly questions: readonly Ask[]; readonly notes?: readonly Note[] }
  | {
      readonly kind: "failed";
      readonly failure: Failure;
      readonly notes?: readonly Note[];
      readonly thrown?: unknown;
    }
  /** The task did not run for a reason that a person can remove; the run pauses, and a resume runs it again. */
  | {
      readonly kind: "held";
      readonly reason: string;
      readonly message: string;
      readonly detail?: Json;
      readonly notes?: readonly Note[];
    };

/** Something worth recording that no decision depends on, for views. */
export interface Note {
  readonly kind: string;
  readonly data: Json;
}

export type Ask = Omit<Asked, "id">;

/** A text that was stored once under the hash of its content. */
export interface Artifact {
  readonly kind: string;
  /** `sha256:` and 64 hex digits. */
  readonly ref: string;
  /** Its length in UTF-16 units. */
  readonly size: number;
}

/** What a handler may ask of the run. */
export interface TaskContext {
  readonly run: RunId;
  readonly task: TaskId;
  readonly node: NodeName;
  readonly step: number;
  /** Counts from 1; a task that runs again after an answer or a crash keeps its number. */
  readonly attempt: number;
  /** The attempt with which the present allowance of attempts began: 1 until the task is retried by hand. */
  readonly firstAttempt: number;
  /** The same text for the same attempt at the same work: `run/task/attempt`. */
  readonly idempotencyKey: string;
  /** Fires when the task is interrupted, the run is cancelled or the driver stops. */
  readonly signal: Signal;
  /** Why somebody wants the task to stop, once they do. The signal fires then, and the outcome still counts. */
  readonly interrupted: string | undefined;
  /** The answers to this task's questions, in the order in which they were asked. */
  readonly answers: readonly Json[];
  /** What earlier runs of this task remembered under a key. */
  recall(key: string): Json | undefined;
  /** Runs an effect and records its value; when the task runs again, the recorded value is returned instead. */
  once<T extends Json>(key: string, effect: () => T | Promise<T>): Promise<T>;
  /** Stores a text under the hash of its content, together with the next thing that is recorded. */
  keep(kind: string, text: string): Artifact;
  /** Reads a stored text back. */
  fetch(ref: string): Promise<string | undefined>;
  /** Tells watchers something now; it is not recorded. */
  progress(chunk: unknown): void;
  /** The time, in milliseconds since 1970 UTC. What depends on it belongs into `once`. */
  now(): number;
  /** Runs a program as a child of this task, or goes on with the one that it started under the key before. */
  child(request: ChildRequest): Promise<ChildResult>;
}

/** A run inside of a task: its program, and what it starts with. */
export interface ChildRequest {
  /** Tells several children of one task apart; the empty string will do for one. */
  readonly key: string;
  readonly program: Program;
  readonly writes: Result["writes"];
  readonly route?: readonly ChannelName[];
  readonly sends?: Result["sends"];
}

export type ChildResult =
  | {
      readonly kind: "completed";
      readonly run: RunId;
      readonly output: Readonly<Record<ChannelName, Json>>;
      /** What its channels held at first, when an earlier run of the task began it. */
      readonly began?: Readonly<Record<ChannelName, Json>>;
    }
  /** The outcome that the parent's task should return: the child's questions, its failure, or its pause. */
  | { readonly kind: "stopped"; readonly run: RunId; readonly outcome: Outcome };
