/** An inbox graph is a set of agent sessions, the nodes, that hand envelopes to each other over edges. */

import type { Tools } from "../../agent/agent.ts";
import type { Budget } from "../budget.ts";

export type NodeKind = "orchestrator" | "task" | "verifier";
export type EdgeType = "handoff" | "report";
export type Direction = "bidirectional" | "directional";
/** `auto`: the orchestrator gets turns of its own while the goal is open. */
export type Mode = "auto" | "interactive";
export type Phase = "planning" | "implementation";
/** Where the turns of a node work: in the folder of the run, there alone, or in a worktree of its own. */
export type Workspace = "shared" | "exclusive" | "worktree";

export interface InboxNode {
  readonly kind: NodeKind;
  /** What people call it; its id when absent. */
  readonly label?: string;
  /** Which agent takes its turns; the default one when absent. */
  readonly agent?: string;
  /** Its role, in the author's words. */
  readonly prompt?: string;
  readonly tools?: Tools;
  /** `exclusive` when absent and its agent may write, else `shared`. */
  readonly workspace?: Workspace;
  readonly model?: string;
  readonly thinking?: string;
}

/** An edge as it stands in a file. */
export interface AuthoredEdge {
  readonly id?: string;
  readonly from: string;
  readonly to: string;
  /** `handoff` when absent. */
  readonly type?: EdgeType;
  /** `bidirectional` when absent, save for an edge from a node to itself. */
  readonly direction?: Direction;
  /** Carries the final message of every completed turn forwards; false when absent. */
  readonly auto?: boolean;
}

export interface Limits {
  /** How many turns may run at once; 4 when absent. */
  readonly maxConcurrentTurns?: number;
  /** After how many identical results of a node, or rounds of the same results, the run pauses; 3 when absent. */
  readonly stallAfter?: number;
  /** How many automatic turns the orchestrator gets without new input; 3 when absent. */
  readonly maxAutoTurns?: number;
}

/** A file as its author wrote it. */
export interface InboxFile {
  readonly $schema?: string;
  readonly name?: string;
  readonly mode?: Mode;
  readonly phase?: Phase;
  readonly nodes: { readonly [id: string]: InboxNode };
  readonly edges?: readonly AuthoredEdge[];
  readonly limits?: Limits;
  readonly budget?: Budget;
}

export type Edge = Required<AuthoredEdge>;

/** A file that passed the check, with everything filled in that its author left out. */
export interface InboxDefinition {
  readonly name: string;
  readonly mode: Mode;
  readonly phase: Phase;
  readonly nodes: { readonly [id: string]: InboxNode };
  readonly edges: readonly Edge[];
  readonly limits: Required<Limits>;
  readonly budget: Budget;
  /** Nodes that an edit took out of a run; what still comes for them is a dead letter. */
  readonly removed?: readonly string[];
}

export const DEFAULT_LIMITS: Required<Limits> = { maxConcurrentTurns: 4, stallAfter: 3, maxAutoTurns: 3 };

/** The sender of what a person writes; no node has this name. */
export const USER = "user";

/** What the agent of a node may use when its author says nothing: only those who do the work may change things. */
export const DEFAULT_TOOLS: Readonly<Record<NodeKind, Tools>> = {
  orchestrator: "readOnly",
  task: "coding",
  verifier: "readOnly",
};
