/**
 * The result document is what a program gets to know of a run.
 *
 * 1. Every field is always there; what a dialect does not have is empty, so that a reader never has to ask which one ran.
 */

import type { Issue } from "../base/issue.ts";
import type { Json } from "../base/json.ts";

export interface ResultDocument {
  readonly run: string;
  /** `running` only while somebody drives it, or after its driver was stopped. */
  readonly status: "running" | "waiting" | "paused" | "completed" | "failed" | "cancelled";
  readonly reason: string | null;
  /** Loadout: the sockets in the order in which they were entered, `Socket-2@WI-1` inside a loop. */
  readonly path: readonly string[];
  /** StateGraph: node names by superstep. */
  readonly steps: readonly (readonly string[])[];
  /** Inbox: turns in the order in which they started. */
  readonly turns: readonly TurnRow[];
  /** Inbox: envelopes in the order in which they were delivered. */
  readonly deliveries: readonly DeliveryRow[];
  /** Inbox: sends that were not delivered. */
  readonly rejections: readonly RejectionRow[];
  readonly nodes: Readonly<Record<string, NodeStanding>>;
  readonly state: Json;
  readonly questions: readonly OpenQuestion[];
  readonly warnings: readonly Warning[];
  readonly usage: { readonly tokens: number; readonly costUsd: number | null };
  readonly error: RunError | null;
}

export interface TurnRow {
  readonly node: string;
  /** Counted from 1 for each node. */
  readonly turn: number;
  /** `running` and `blocked` only while the turn is open. */
  readonly status: "running" | "blocked" | "completed" | "failed" | "interrupted";
  readonly consumed: readonly {
    readonly seq: number;
    readonly kind: "message" | "handoff" | "report";
    readonly from: string;
    readonly message: string;
  }[];
}

export interface DeliveryRow {
  /** Its number in the receiver's inbox. */
  readonly seq: number;
  readonly from: string;
  readonly to: string;
  readonly type: "handoff" | "report";
  readonly message: string;
  readonly artifacts: readonly { readonly kind: string; readonly ref: string }[];
}

export interface RejectionRow {
  readonly from: string;
  readonly to: string;
  readonly code: string;
}

export interface NodeStanding {
  readonly status: "idle" | "running" | "blocked" | "failed";
  /** How many letters wait in its inbox. */
  readonly inbox: number;
}

export interface OpenQuestion {
  readonly id: string;
  readonly node: string;
  readonly value: Json;
}

export interface Warning {
  readonly code: string;
  readonly message: string;
  readonly at: string;
}

export interface RunError {
  readonly code: string;
  readonly message: string;
  /** The node or socket, or `null` when it happened in none. */
  readonly at: string | null;
}

/** What is printed instead of a result when nothing ran. */
export interface ErrorDocument {
  readonly error: {
    readonly code: string;
    readonly message: string;
    readonly hint?: string;
    /** What is wrong with the definition, where that is why. */
    readonly issues?: readonly Issue[];
    /** What the definition would do, a phrase each, where a person has to allow it first. */
    readonly powers?: readonly string[];
  };
}

/** What `check` says of a definition. */
export interface CheckDocument {
  readonly ok: boolean;
  readonly errors: readonly IssueLine[];
  readonly warnings: readonly IssueLine[];
  readonly termination: {
    readonly verdict: "terminates" | "may_not_terminate" | "unknown";
    readonly bound: string | null;
    readonly cycle: readonly string[] | null;
  };
  /** Only when assumptions were given: the most that a run can take. */
  readonly ceiling?: {
    readonly turns: number | null;
    readonly tokens: number | null;
    readonly usd: number | null;
    readonly missing: readonly string[];
  };
}

export type IssueLine = Pick<Issue, "code" | "pointer" | "message" | "hint">;
