/** Quirks are what one agent does differently from the others behind the same protocol: a record of data for each. */

import type { ToolKind } from "../../agent/policy.ts";
import type { JsonObject } from "../../base/json.ts";

export interface Quirks {
  /** Its name in files and cursors. */
  readonly name: string;
  /** The package that brings it, and the newest version that was tried with it. */
  readonly package: { readonly name: string; readonly tried: string };
  /** The program and its arguments. */
  readonly command: readonly [program: string, ...args: string[]];
  /** Set for its process, unless somebody sets them otherwise: it must ask before it acts, and not change itself. */
  readonly env: Readonly<Record<string, string>>;
  /** Variables that it needs to reach its model; they are passed on when they are there. */
  readonly passes: readonly string[];
  /** Told at the handshake, beside what every agent is told. */
  readonly clientMeta?: JsonObject;
  /** How a session comes back in another process, the best way first; nothing when none of them can be trusted. */
  readonly returns: readonly ("resume" | "load")[];
  /** How it says that its model failed, besides an error of the protocol. */
  readonly failures: readonly FailureSign[];
  /** Where it says how many tokens a turn took. */
  readonly usage: UsagePlace;
  /** Where in the `_meta` of a tool call it says which of its tools that is, when the protocol's field is empty. */
  readonly toolName?: readonly string[];
  /** Where in the `_meta` of a tool call it marks those of servers, when it gives them the kind of something else. */
  readonly servedMark?: readonly string[];
  /** What its tools do, by their names, where it does not say so itself. */
  readonly kinds?: Readonly<Record<string, ToolKind>>;
  /** Whether it knows a server of tools once for all sessions in a folder, so that another one of that name replaces it. */
  readonly sharesServers?: true;
  /** The longest that it needs to connect to MCP servers after a session began, in milliseconds. */
  readonly mcpWaitMs: number;
}

/** A turn that ended well by its stop reason failed nevertheless when one of these shows. */
export type FailureSign =
  /** Its last message begins like this. */
  | { readonly kind: "text"; readonly begins: string }
  /** Its answer has this in its `_meta`. */
  | { readonly kind: "meta"; readonly path: readonly string[] }
  /** It said nothing and used no tool. */
  | { readonly kind: "silence" };

export type UsagePlace =
  /** `usage` of the answer to a prompt; of the last request to the model, where the agent does not add them up. */
  | { readonly at: "answer"; readonly of?: "last request" }
  /** In the `_meta` of the answer to a prompt. */
  | { readonly at: "answer_meta"; readonly path: readonly string[] }
  /** In the `_meta` of message chunks. */
  | { readonly at: "chunk_meta"; readonly path: readonly string[] };
