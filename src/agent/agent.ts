/** The port to whatever thinks: a coding agent, a model, or a script that stands in for one. */

import type { Signal } from "../base/abort.ts";
import type { Failure } from "../base/failure.ts";
import type { Json, JsonObject } from "../base/json.ts";

/** Takes turns. It keeps no state of its own between them that a restart would miss: what it must know is its cursor. */
export interface Agent {
  /** Names what keeps its place from turn to turn; turns with the same session get each other's cursor. */
  session(request: SessionRequest): string;
  /** Takes one turn. It returns its failures and throws only for bugs. */
  turn(request: TurnRequest): Promise<Turn>;
  /** Says whether turns of this session can change files at all; those of an agent that does not say can. */
  mayWrite?(request: SessionRequest): boolean;
}

/** Whose turn it is: what an agent names its sessions by. */
export interface SessionRequest {
  /** The socket or inbox node that the turn is for. */
  readonly node: string;
  /** The materia or role that it plays. */
  readonly role?: string;
  /** The work item in hand, such as `WI-1`. */
  readonly item?: string;
}

/**
 * Everything that an agent gets for one turn. A turn that asked or was cut short is requested again with the same
 * `idempotencyKey`, then with the decision as `approval`.
 */
export interface TurnRequest extends SessionRequest {
  /** Exactly what is sent. */
  readonly prompt: string;
  /** What is sent instead when the conversation of the cursor is gone; `prompt`, when that says it all. */
  readonly fullPrompt?: string;
  readonly tools: Tools;
  /** What it may write; everything that its tools allow when absent. */
  readonly writes?: "none" | "docs" | "all";
  /** Where it works; the folder of the run when absent. */
  readonly cwd?: string;
  readonly model?: string;
  readonly thinking?: string;
  /** JSON Schema of the object that the final message must be, for agents whose model can be held to one. */
  readonly schema?: JsonObject;
  /** The cursor that the session's last recorded turn returned. */
  readonly cursor?: Json;
  /** The person's decision, when this turn was started before and asked for it. */
  readonly approval?: Approval;
  /** The same text when the same turn is taken again after a crash. */
  readonly idempotencyKey: string;
  readonly signal: Signal;
  /** Told what the agent shows while it works. */
  progress(chunk: Progress): void;
  /** Stages a message at once and says whether it may go; what is staged here is not returned again. */
  send?(staged: StagedSend): SendVerdict;
  /** Whom it can write to, as its graph was when the turn began; not known when absent. */
  readonly contacts?: readonly string[];
  /** Says whether this turn may close the goal; the one that it closes it with is returned with the turn. */
  finish?(end: Finish): SendVerdict;
  /** How the run stands as this turn may see it. */
  look?(): Json;
}

/** How a goal ended. */
export interface Finish {
  readonly ok: boolean;
  readonly summary: string;
}

/** Whether a message may go where it was sent, told to the agent at once; `message` says what to do instead. */
export type SendVerdict =
  | { readonly ok: true }
  | { readonly ok: false; readonly code: string; readonly message: string };

/** What an agent may use: nothing, what only looks, everything that a coder needs, or the named tools. */
export type Tools =
  | "none"
  | "readOnly"
  | "coding"
  | { readonly type: "custom"; readonly tools: readonly string[] };

/** What an agent shows while it works. It is live only: none of it is recorded. */
export type Progress =
  | { readonly kind: "text" | "thought"; readonly text: string }
  | { readonly kind: "tool"; readonly title: string; readonly status: "running" | "completed" | "failed" }
  /** The turn goes on, and has shown nothing for so many milliseconds. */
  | { readonly kind: "beat"; readonly quietMs: number };

/** What a person decided on the question that a turn ended with. */
export interface Approval {
  readonly approved: boolean;
  /** What the person was asked. An agent that lost its process applies the decision to nothing else. */
  readonly asked?: Asked;
  /** The arguments as the person changed them. */
  readonly args?: Json;
  readonly reason?: string;
  /** What the person said, where an answer was wanted. */
  readonly answer?: Json;
}

/** What a person is to decide on. */
export interface Asked {
  readonly title: string;
  readonly args: Json;
  /** What the person is to say: yes or no when absent, or an answer in words. */
  readonly wants?: "answer";
}

/**
 * How a turn ended: it is done and says so, it asks a person and is requested again with the answer, or it failed. What it
 * took is told in each case.
 */
export type Turn =
  | {
      readonly kind: "done";
      /** The final message. */
      readonly text: string;
      readonly sends?: readonly StagedSend[];
      readonly finish?: Finish;
      readonly usage: Usage;
      readonly cursor: Json;
    }
  /** A person must decide before the turn goes on; it is then taken again, with the decision. */
  | ({ readonly kind: "asks"; readonly cursor?: Json } & Asked)
  | { readonly kind: "failed"; readonly failure: Failure; readonly usage: Usage; readonly cursor?: Json };

/** A message that a turn wants to be delivered once it is committed. */
export interface StagedSend {
  readonly to: string;
  readonly message: string;
  readonly structured?: Json;
  readonly artifacts?: readonly { readonly kind: string; readonly ref: string }[];
}

/** What a turn cost. A cost that is not known is `null`, which is not zero. */
export interface Usage {
  /** Those that were counted. */
  readonly tokens: number;
  readonly costUsd: number | null;
  /** True when some tokens were not counted, so that there were more. */
  readonly uncounted?: true;
}

/** Adds what two turns cost; a sum with something unknown in it is unknown. */
export function addUsage(a: Usage, b: Usage): Usage {
  const costUsd = a.costUsd === null || b.costUsd === null ? null : a.costUsd + b.costUsd;
  const isUncounted = a.uncounted === true || b.uncounted === true;
  return { tokens: a.tokens + b.tokens, costUsd, ...(isUncounted && { uncounted: true }) };
}

/** What is known of a turn that nobody counted. */
export const UNKNOWN_USAGE: Usage = { tokens: 0, costUsd: null, uncounted: true };

/** The sum of no turns. */
export const NO_USAGE: Usage = { tokens: 0, costUsd: 0 };
