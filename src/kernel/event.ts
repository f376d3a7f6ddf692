/** Facts are what happened, in the past tense; an event is a fact with its place in a log. */

import type { Failure } from "../base/failure.ts";
import type { Json, JsonObject } from "../base/json.ts";
import type { ChannelName, NodeName, QuestionId, RunId, TaskId } from "../base/names.ts";
import type { Patch } from "./patch.ts";
import type { Limits, Plan } from "./plan.ts";

export type Fact = RunFact | StepFact | TaskFact;

/** A recorded fact: `seq` counts from 1 without gaps within a run, `at` is in milliseconds since 1970 UTC. */
export type Event = Fact & { readonly run: RunId; readonly seq: number; readonly at: number };

/** Records a fact: gives it its place in the log and folds it into the state. */
export type Emit = (fact: Fact) => void;

export type RunFact =
  | {
      readonly type: "run.started";
      /** Absent when the plan is the one that the log already has. */
      readonly plan?: Plan;
      readonly program: ProgramName;
      /** What the author wrote, where it is data. */
      readonly definition?: Json;
      /** Who asked for it and with what, for views. */
      readonly request?: Json;
      readonly parent?: { readonly run: RunId; readonly task: TaskId };
      readonly patches: readonly Patch[];
      readonly route: readonly ChannelName[];
      readonly sends?: readonly Send[];
      readonly limits?: Limits;
    }
  | { readonly type: "run.resumed"; readonly limits?: Limits; readonly patches: readonly Patch[] }
  | {
      readonly type: "run.paused";
      readonly reason: string;
      readonly message?: string;
      /** The nodes that it stopped before or after. */
      readonly nodes?: readonly NodeName[];
      readonly detail?: Json;
    }
  | {
      readonly type: "run.finished";
      readonly reason?: string;
      readonly message?: string;
      readonly node?: NodeName;
    }
  | { readonly type: "run.failed"; readonly failure: Failure; readonly task?: TaskId }
  | { readonly type: "run.cancelled"; readonly reason?: string }
  /** The state of another moment, of this log or of another, is the state from here on. */
  | {
      readonly type: "run.forked";
      readonly from: { readonly run: RunId; readonly seq: number };
      readonly state: JsonObject;
    }
  | {
      readonly type: "plan.amended";
      readonly plan: Plan;
      readonly program: ProgramName;
      readonly definition?: Json;
    }
  /** Somebody outside the tasks wrote to channels: an edit of the state, a message to an inbox. */
  | {
      readonly type: "state.updated";
      readonly patches: readonly Patch[];
      readonly route: readonly ChannelName[];
      readonly sends?: readonly Send[];
      /** The node in whose name it was done. */
      readonly as?: NodeName;
    };

export type StepFact =
  | {
      readonly type: "step.opened";
      readonly step: number;
      readonly tasks: readonly OpenedTask[];
    }
  | {
      readonly type: "step.committed";
      readonly step: number;
      /** The tasks that it commits, in the order in which their writes were folded. */
      readonly ran: readonly TaskId[];
      readonly patches: readonly Patch[];
    };

export interface OpenedTask {
  readonly task: TaskId;
  readonly node: NodeName;
  /** The argument of a send. */
  readonly input?: Json;
  /** Present when a send started it, which leaves the node's own triggers alone. */
  readonly sent?: true;
  /** How many items it takes from each queue. */
  readonly takes?: Readonly<Record<ChannelName, number>>;
}

export type TaskFact =
  | ({ readonly type: "task.finished"; readonly task: TaskId } & Result)
  | {
      readonly type: "task.failed";
      readonly task: TaskId;
      readonly attempt: number;
      readonly failure: Failure;
      /** When it is tried again, in milliseconds since 1970 UTC; absent when it is not. */
      readonly retryAt?: number;
    }
  | { readonly type: "task.asked"; readonly task: TaskId; readonly questions: readonly Asked[] }
  | {
      readonly type: "task.answered";
      readonly task: TaskId;
      readonly question: QuestionId;
      readonly value: Json;
    }
  /** A sub-step that `once` ran; its value is handed back when the task runs again. */
  | { readonly type: "task.remembered"; readonly task: TaskId; readonly key: string; readonly value: Json }
  /** Something worth telling, which changes no state. */
  | { readonly type: "task.noted"; readonly task: TaskId; readonly kind: string; readonly data: Json }
  /** Somebody wants the task to stop now; its handler is told, and says with its outcome what remains of it. */
  | { readonly type: "task.interrupted"; readonly task: TaskId; readonly reason: string }
  | { readonly type: "task.retried"; readonly task: TaskId };

export interface ProgramName {
  readonly dialect: string;
  readonly name: string;
  /** Changes when the definition does. */
  readonly revision: string;
}

export interface Write {
  readonly channel: ChannelName;
  readonly value: Json;
  /** Replaces the value instead of folding it in. */
  readonly overwrite?: true;
}

export interface Send {
  readonly node: NodeName;
  readonly input: Json;
}

/** What a finished task leaves behind. */
export interface Result {
  readonly writes: readonly Write[];
  /** The pulses and gates that it signals. */
  readonly route: readonly ChannelName[];
  readonly sends?: readonly Send[];
  /** Ends or pauses the run once this task is committed. */
  readonly halt?: Halt;
}

export type Halt =
  | { readonly status: "completed"; readonly reason?: string; readonly message?: string }
  | { readonly status: "failed"; readonly failure: Failure }
  | { readonly status: "paused"; readonly reason: string; readonly message?: string; readonly detail?: Json };

export interface Asked {
  readonly id: QuestionId;
  /** What the person is shown. */
  readonly value: Json;
  /** The JSON Schema of the answer, when only some answers will do. */
  readonly schema?: Json;
  /** The question of a child run that this one passes on. */
  readonly from?: { readonly run: RunId; readonly question: QuestionId };
}
