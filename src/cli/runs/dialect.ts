/** A dialect as the command line knows it: what its runs look like, and how one is taken up again. */

import type { Json } from "../../base/json.ts";
import type { RunId } from "../../base/names.ts";
import type { Event, Write } from "../../kernel/event.ts";
import type { Program } from "../../kernel/program.ts";
import type { Question, RunState } from "../../kernel/state.ts";
import type { ResultDocument } from "../../protocol/result.ts";
import type { Decision } from "../terminal/decision.ts";
import type { Terminal } from "../terminal/terminal.ts";
import type { Options } from "../verb.ts";
import type { Engine } from "./engine.ts";
import type { Beginning } from "./request.ts";
import type { Store } from "./store.ts";

/** What can be said of a run at any moment for next to nothing. */
export interface Glance {
  readonly usage: ResultDocument["usage"];
  readonly budget?: { readonly maxTokens?: number; readonly maxCostUsd?: number };
  /** What a node is called and works on, for people. */
  readonly about: (node: string) => string;
  /** The nodes, where each is somebody to follow by name whether at work or not. */
  readonly nodes?: readonly NodeRow[];
}

/** How a node of an inbox graph stands. */
export interface NodeRow {
  readonly node: string;
  readonly status: string;
  /** How many letters wait in its inbox. */
  readonly inbox: number;
  readonly tokens: number;
}

/** Follows a run as it happens. */
export interface Watch {
  evolve(event: Event): void;
  glance(state: RunState): Glance;
}

export interface Dialect {
  /** The fields of the result that only the dialect can tell. */
  read(events: readonly Event[], state: RunState): Partial<ResultDocument>;
  watch(): Watch;
  /** Why the run went where it went last; nothing where a dialect does not choose. */
  decision?(events: readonly Event[]): Decision | undefined;
  /** What happened to the files, a line for each visit that changed some; nothing where visits have no pictures. */
  changed?(events: readonly Event[]): readonly string[];
  /** Says in one sentence why an answer does not fit a question; `undefined` when it does. */
  checkAnswer(question: Question, answer: Json): string | undefined;
  /** Makes anew what goes on with a run. Throws a `Misuse` when something that it needs is gone. */
  reopen(reopening: Reopening): Promise<Program | Engine>;
  /** The budget as writes to the run's channels. Throws a `Misuse` when its runs have none. */
  budgetWrites(budget: NonNullable<Glance["budget"]>): Writes;
  /** What every resume writes. */
  resumeWrites(): Writes;
}

type Writes = readonly Write[];

export interface Reopening {
  readonly run: RunId;
  readonly beginning: Beginning;
  readonly store: Store;
  readonly options: Options;
  readonly terminal: Terminal;
}
