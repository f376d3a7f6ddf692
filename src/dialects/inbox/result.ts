/** The inbox dialect's part of the result document: turns, deliveries, rejections and nodes. */

import type { Usage } from "../../agent/agent.ts";
import type { Reference } from "./envelope.ts";

export type NodeStatus = "idle" | "running" | "blocked" | "failed";
export type TurnStatus = "running" | "blocked" | "completed" | "failed" | "interrupted";

export interface TurnLine {
  readonly node: string;
  /** Counted from 1 for each node. */
  readonly turn: number;
  readonly status: TurnStatus;
  readonly consumed: readonly ConsumedLine[];
}

export interface ConsumedLine {
  readonly seq: number;
  readonly kind: "message" | "handoff" | "report";
  readonly from: string;
  readonly message: string;
}

export interface DeliveryLine {
  /** Its number in the receiver's inbox. */
  readonly seq: number;
  readonly from: string;
  readonly to: string;
  readonly type: "handoff" | "report";
  readonly message: string;
  readonly artifacts: readonly Reference[];
}

export interface RejectionLine {
  readonly from: string;
  readonly to: string;
  readonly code: string;
}

export interface InboxWarning {
  readonly code: string;
  readonly message: string;
  /** The node. */
  readonly at: string;
}

/** The prompts of a turn: what was sent, and what the agent effectively knew. */
export interface PromptLine {
  readonly node: string;
  readonly turn: number;
  readonly form: "full" | "delta";
  readonly session: string;
  /** References to stored texts. */
  readonly full: string;
  readonly sent: string;
}

export interface NodeLine {
  readonly status: NodeStatus;
  readonly inbox: number;
}

/** The dialect's fields of the result document. */
export interface InboxResult {
  readonly turns: readonly TurnLine[];
  readonly deliveries: readonly DeliveryLine[];
  readonly rejections: readonly RejectionLine[];
  readonly nodes: Readonly<Record<string, NodeLine>>;
  readonly warnings: readonly InboxWarning[];
  readonly usage: Usage;
}
