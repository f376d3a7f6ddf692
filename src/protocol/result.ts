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
  readonly turns: readonly Json[];
  readonly deliveries: readonly Json[];
  readonly rejections: readonly Json[];
  readonly nodes: Readonly<Record<string, Json>>;
  readonly state: Json;
  readonly questions: readonly OpenQuestion[];
  readonly warnings: readonly Warning[];
  readonly usage: { readonly tokens: number; readonly costUsd: number | null };
  readonly error: RunError | null;
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
}

export type IssueLine = Pick<Issue, "code" | "pointer" | "message" | "hint">;
