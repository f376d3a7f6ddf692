/** The result of a run: its log, folded once by the kernel and once by the view of its dialect. */

import type { RunId } from "../../base/names.ts";
import type { Event } from "../../kernel/event.ts";
import { evolve } from "../../kernel/evolve.ts";
import { emptyState, openQuestions, outputOf, type RunState } from "../../kernel/state.ts";
import type { ResultDocument } from "../../protocol/result.ts";
import { standingOf } from "../../run/head.ts";
import type { Journal } from "../../run/journal.ts";
import { readEvents } from "../../run/load.ts";
import type { Decision } from "../terminal/decision.ts";
import { dialectOf } from "./dialects.ts";

export interface Account {
  readonly state: RunState;
  readonly result: ResultDocument;
  /** Why it went where it went last, where a dialect can tell. */
  readonly decision: Decision | undefined;
  /** What its visits changed in the files, a line each, where a dialect can tell. */
  readonly changed: readonly string[];
}

/** Reads the whole log of a run. */
export async function readResult(journal: Journal, run: RunId): Promise<Account> {
  const state = emptyState(run);
  const events: Event[] = [];
  for await (const event of readEvents(journal, run, 0)) {
    evolve(state, event);
    events.push(event);
  }
  return accountOf(state, events);
}

/** The account of a log that was folded, with all of its events. */
export async function accountOf(state: RunState, events: readonly Event[]): Promise<Account> {
  const { run } = state;
  const dialect = await dialectOf(state.program);
  const { failure, reason } = state;
  const status = standingOf(state);
  const open = status === "cancelled" ? [] : openQuestions(state); // nobody can answer them any more
  const result: ResultDocument = {
    run,
    status,
    reason: reason ?? null,
    path: [],
    steps: [],
    turns: [],
    deliveries: [],
    rejections: [],
    nodes: {},
    state: outputOf(state),
    questions: open.map(({ task, question: { id, value } }) => ({ id, node: task.node, value })),
    warnings: [],
    usage: { tokens: 0, costUsd: 0 },
    error: failure ? { code: failure.code, message: failure.message, at: failure.at ?? null } : null,
    ...dialect.read(events, state),
  };
  return { state, result, decision: dialect.decision?.(events), changed: dialect.changed?.(events) ?? [] };
}
