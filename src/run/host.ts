/** The host is what a driver needs of the machine that it runs on, besides its journal and clock. */

import type { ChildRequest, ChildResult } from "../kernel/program.ts";
import type { Task } from "../kernel/state.ts";
import type { Ledger } from "./ledger.ts";

export interface Host {
  /** The most tasks of one run that run at once here; what the plan of the run says when absent. */
  readonly concurrency?: number;
  /** The most steps that a child may open each time that it is run here; what its plan says when absent. */
  readonly steps?: number;
  /** The address of a text by its content: `sha256:` and 64 hex digits. */
  digest(text: string): string;
  /** Told what a running task shows of its progress; nothing of it is recorded. */
  progress?(progress: Progress): void;
  /** Runs a child of a task, or goes on with it, until it is over or only a person can move it on. */
  child(request: ChildRequest, origin: ChildOrigin): Promise<ChildResult>;
}

export interface ChildOrigin {
  readonly parent: Ledger;
  readonly task: Task;
  /** Fires when the parent's task is stopped. */
  readonly signal: AbortSignal;
}

export interface Progress {
  readonly run: string;
  readonly task: string;
  readonly node: string;
  readonly chunk: unknown;
}
