/**
 * What a page sends to the studio's server.
 *
 * 1. Every path is relative to the project's folder, with `/` between its parts, and stays inside of it.
 */

import type { Json, JsonObject } from "../base/json.ts";

/** The most that a run may use from now on; what is left out is not limited anew. */
export interface Limit {
  readonly maxTokens?: number;
  readonly maxCostUsd?: number;
}

/**
 * Holds an answer to what was shown: the `digest` of the question as the person read it. Where the question is another
 * one by now, the answer is refused with 409 `changed` and nothing is recorded. Left out, any state of it is meant.
 */
interface Shown {
  readonly digest?: string;
}

/** What a person asks of a run. Each is a verb of the command line. */
export type RunVerb =
  | ({ readonly verb: "answer"; readonly question: string; readonly value: Json } & Shown)
  | ({ readonly verb: "approve"; readonly question: string; readonly edit?: Json } & Shown)
  | ({ readonly verb: "deny"; readonly question: string; readonly reason?: string } & Shown)
  | { readonly verb: "send"; readonly node: string; readonly text: string }
  | { readonly verb: "interrupt"; readonly node: string }
  | { readonly verb: "retry"; readonly node?: string }
  | { readonly verb: "pause" }
  | { readonly verb: "resume"; readonly budget?: Limit }
  | { readonly verb: "cancel"; readonly reason?: string }
  /** Changes the graph of an inbox run; the edits are those of `InboxEdit`. */
  | { readonly verb: "edit"; readonly edits: readonly JsonObject[] };

export interface SaveRequest {
  readonly text: string;
  /** The digest that was read; `null` for a file that is not to exist yet. */
  readonly base: string | null;
}

export interface StartRequest {
  /** A path or `bundled:NAME`. */
  readonly definition: string;
  readonly task?: string;
  readonly inputs?: JsonObject;
  /** Inbox graphs: what to begin with. */
  readonly messages?: readonly { readonly node: string; readonly text: string }[];
  /** The path of a script that takes every turn. */
  readonly script?: string;
  readonly agent?: string;
  readonly budget?: Limit;
  /** The person was shown what the definition may do and allows it this once. */
  readonly yes?: boolean;
}

export interface ForkRequest {
  readonly at?: number;
  readonly edit?: readonly { readonly pointer: string; readonly value: Json }[];
}

export interface SimulateRequest {
  readonly text: string;
  readonly runs?: number;
  readonly seed?: number;
}
