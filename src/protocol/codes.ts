/**
 * The one table of codes: what each failure and refusal means to HTTP, to a shell, and to somebody who might try again.
 *
 * 1. Every code of both unions has a row: a missing one does not compile.
 * 2. How a run stands decides the exit code of a verb that ran it; a refusal has its own, since nothing ran.
 */

import type { FailureCode } from "../base/failure.ts";
import type { RefusalCode } from "../base/refusal.ts";

/** What the process says to the shell that started it. */
export const EXIT = {
  done: 0,
  failed: 1,
  usage: 2,
  waiting: 3,
  budget: 4,
  stalled: 5,
  cancelled: 6,
  diverged: 7,
  sigint: 130,
  sigterm: 143,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

export interface CodeRow {
  /** The status of the HTTP response that carries it. */
  readonly http: number;
  readonly exit: ExitCode;
  /** Who may try the same thing again: anybody at once, somebody after a change, or nobody. */
  readonly retry: "at_once" | "after_a_change" | "never";
}

const row = (http: number, exit: ExitCode, retry: CodeRow["retry"]): CodeRow => ({ http, exit, retry });

/** Why work did not succeed. */
export const FAILURES: Readonly<Record<FailureCode, CodeRow>> = {
  node_failed: row(500, EXIT.failed, "after_a_change"),
  timeout: row(504, EXIT.failed, "at_once"),
  step_limit: row(422, EXIT.failed, "after_a_change"),
  invalid_update: row(422, EXIT.failed, "after_a_change"),
  unknown_target: row(422, EXIT.failed, "after_a_change"),
  invalid_input: row(422, EXIT.failed, "after_a_change"),
  agent_failed: row(502, EXIT.failed, "at_once"),
  agent_refused: row(502, EXIT.failed, "after_a_change"),
  script_exhausted: row(422, EXIT.failed, "after_a_change"),
  utility_failed: row(502, EXIT.failed, "after_a_change"),
  output_too_large: row(502, EXIT.failed, "after_a_change"),
  output_invalid: row(502, EXIT.failed, "after_a_change"),
  handoff_invalid: row(502, EXIT.failed, "after_a_change"),
  edge_exhausted: row(422, EXIT.failed, "after_a_change"),
  no_progress: row(422, EXIT.failed, "after_a_change"),
  child_failed: row(502, EXIT.failed, "after_a_change"),
  interrupt_unavailable: row(422, EXIT.failed, "after_a_change"),
  internal: row(500, EXIT.failed, "never"),
};

/** Why a command was not carried out. */
export const REFUSALS: Readonly<Record<RefusalCode, CodeRow>> = {
  unknown_run: row(404, EXIT.usage, "never"),
  unknown_node: row(404, EXIT.usage, "never"),
  unknown_task: row(404, EXIT.usage, "never"),
  unknown_question: row(404, EXIT.usage, "never"),
  ambiguous_question: row(409, EXIT.usage, "after_a_change"),
  already_answered: row(409, EXIT.usage, "never"),
  already_exists: row(409, EXIT.usage, "after_a_change"),
  wrong_state: row(409, EXIT.usage, "after_a_change"),
  invalid_value: row(422, EXIT.usage, "after_a_change"),
  conflict: row(409, EXIT.failed, "at_once"),
  not_trusted: row(403, EXIT.usage, "after_a_change"),
  newer_format: row(409, EXIT.failed, "after_a_change"),
};

/** Why a paused run stopped, where a shell is told more than that a person has to move it on. */
const PAUSES: Readonly<Record<string, ExitCode>> = {
  budget_exhausted: EXIT.budget,
  stalled: EXIT.stalled,
};

/** The exit code of a verb that ran a run, by how the run stands afterwards. */
export function exitCodeOf(standing: string, reason: string | null): ExitCode {
  switch (standing) {
    case "completed":
      return EXIT.done;
    case "waiting":
      return EXIT.waiting;
    case "paused":
      return (reason !== null && Object.hasOwn(PAUSES, reason) && PAUSES[reason]) || EXIT.waiting;
    case "cancelled":
      return EXIT.cancelled;
    default:
      return EXIT.failed;
  }
}

/** Why a request is refused before it reaches a run; a shell sees `usage` for the same mistakes. */
export type RequestCode =
  | "usage"
  | "not_found"
  | "unreadable"
  | "invalid_definition"
  | "invalid_input"
  | "invalid_script"
  | "no_agent"
  | "not_supported"
  | "above_budget"
  | "changed"
  | "unauthorized"
  | "foreign_origin"
  | "foreign_host"
  | "not_json"
  | "too_large"
  | "stopping";

export const REQUESTS: Readonly<Record<RequestCode, CodeRow>> = {
  usage: row(400, EXIT.usage, "after_a_change"),
  not_found: row(404, EXIT.usage, "after_a_change"),
  unreadable: row(422, EXIT.usage, "after_a_change"),
  invalid_definition: row(422, EXIT.usage, "after_a_change"),
  invalid_input: row(400, EXIT.usage, "after_a_change"),
  invalid_script: row(422, EXIT.usage, "after_a_change"),
  no_agent: row(422, EXIT.usage, "after_a_change"),
  not_supported: row(422, EXIT.usage, "never"),
  above_budget: row(409, EXIT.usage, "after_a_change"),
  changed: row(409, EXIT.usage, "after_a_change"),
  unauthorized: row(401, EXIT.usage, "after_a_change"),
  foreign_origin: row(403, EXIT.usage, "never"),
  foreign_host: row(403, EXIT.usage, "never"),
  not_json: row(415, EXIT.usage, "after_a_change"),
  too_large: row(413, EXIT.usage, "after_a_change"),
  stopping: row(503, EXIT.failed, "at_once"),
};

/** The status of the HTTP response that carries a code; 500 for one that has no row. */
export function httpStatusOf(code: string): number {
  for (const table of [REFUSALS, REQUESTS, FAILURES] as readonly Readonly<Record<string, CodeRow>>[]) {
    if (Object.hasOwn(table, code)) return (table[code] as CodeRow).http;
  }
  return 500;
}
