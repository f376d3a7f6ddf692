/**
 * A policy says which kinds of tool calls an agent may make, and which of them a person decides on.
 *
 * 1. What a turn may do at all comes first: what its tools or its phase leave out is denied, whatever the policy says.
 * 2. A turn that may write documents only may run no commands, because nobody can say what a command writes.
 * 3. A call that names no path is not known to stay within documents.
 */

import type { Tools, TurnRequest } from "./agent.ts";
import { isDocument } from "./documents.ts";

/** What a tool call does, as far as a policy tells calls apart. */
export type ToolKind =
  | "read"
  | "search"
  | "think"
  | "fetch"
  | "edit"
  | "delete"
  | "move"
  | "execute"
  | "switch_mode"
  | "other";

/** `allow` asks nobody, `ask` waits for a person, `deny` tells the agent no. */
export type Verdict = "allow" | "ask" | "deny";

/** The verdict for each kind of tool call; see `DEFAULT_POLICY`. */
export type Policy = Readonly<Record<ToolKind, Verdict>>;

/** What only looks is allowed, what changes something is asked about, and nobody changes the mode. */
export const DEFAULT_POLICY: Policy = {
  ...{ read: "allow", search: "allow", think: "allow" },
  ...{ fetch: "ask", edit: "ask", delete: "ask", move: "ask", execute: "ask", other: "ask" },
  switch_mode: "deny",
};

/** The default policy with changes. */
export function policyWith(changes: Partial<Policy> = {}): Policy {
  return { ...DEFAULT_POLICY, ...changes };
}

/** What a turn may do, and who decides. */
export interface Rules {
  readonly tools: Tools;
  readonly writes: NonNullable<TurnRequest["writes"]>;
  readonly policy: Policy;
}

/** The tool call that is to be judged. */
export interface ToolUse {
  readonly kind: ToolKind;
  /** The agent's own name for the tool, where it says one. */
  readonly name?: string;
  /** The files that it is about, relative to the working folder. */
  readonly paths: readonly string[];
}

const LOOKS: ReadonlySet<ToolKind> = new Set(["read", "search", "think", "fetch"]);
const WRITES: ReadonlySet<ToolKind> = new Set(["edit", "delete", "move", "execute"]);

export function verdictOn(use: ToolUse, { tools, writes, policy }: Rules): Verdict {
  if (!isOffered(use, tools)) return "deny";
  if (writes !== "all" && WRITES.has(use.kind) && !(writes === "docs" && staysInDocs(use))) return "deny";
  return policy[use.kind];
}

function isOffered({ kind, name }: ToolUse, tools: Tools): boolean {
  if (kind === "think" || tools === "coding") return true;
  if (tools === "none") return false;
  if (tools === "readOnly") return LOOKS.has(kind);
  return tools.tools.includes(kind) || (name !== undefined && tools.tools.includes(name));
}

function staysInDocs({ kind, paths }: ToolUse): boolean {
  return kind !== "execute" && paths.length > 0 && paths.every(isDocument);
}
