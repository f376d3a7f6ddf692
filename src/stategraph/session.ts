/** A session is one call of a compiled graph: its thread, opened, and everything the call brought with it. */

import type { Json } from "../base/json.ts";
import type { RunId } from "../base/names.ts";
import { Refusal } from "../base/refusal.ts";
import type { CompiledGraph } from "../dialects/graph/compile.ts";
import type { Invocation } from "../dialects/graph/config.ts";
import {
  GraphError,
  InvalidUpdateError,
  TaskNotFound,
  ThreadConflictError,
} from "../dialects/graph/errors.ts";
import { printIssues, type StandardSchema } from "../dialects/graph/standard-schema.ts";
import { type Command, decide } from "../kernel/command.ts";
import type { Emit } from "../kernel/event.ts";
import type { Program } from "../kernel/program.ts";
import type { RunState } from "../kernel/state.ts";
import { Conflict, type Journal, type Maybe } from "../run/journal.ts";
import { type Durability, Ledger } from "../run/ledger.ts";
import type { Ledgers } from "./ledgers.ts";
import { NullJournal } from "./null-journal.ts";
import {
  concurrencyOf,
  durabilityOf,
  limitOf,
  type RunConfig,
  refuseMisplaced,
  threadOf,
} from "./run-config.ts";
import { systemMachine } from "./timer.ts";

export interface Session {
  readonly graph: CompiledGraph;
  readonly program: Program;
  readonly ledger: Ledger;
  readonly config: RunConfig;
  /** The most supersteps of this call. */
  readonly limit: number;
  /** The most nodes that run at once in this call; what the graph says when absent. */
  readonly concurrency: number | undefined;
  /** True when there is a checkpointer. */
  readonly isKept: boolean;
  /** True when the call goes on from an older moment of the thread. */
  readonly isForked?: boolean;
  /** Who asked for it and with what, for the log. */
  readonly request?: Json;
}

export interface SessionOptions {
  readonly checkpointer: Journal | undefined;
  readonly durability: Durability | undefined;
  /** Validates what a caller passes as `context`. */
  readonly context?: StandardSchema<unknown, unknown> | undefined;
  readonly ledgers: Ledgers;
  /** Makes `debug` the mode of streams that name none. */
  readonly debug?: boolean | undefined;
  /** Puts a journal in place of the one that keeps the thread. */
  readonly wrap?: (journal: Journal, run: RunId) => Journal;
}

const NOWHERE = new NullJournal();

/** Opens the thread that a config names. */
export function openSession(graph: CompiledGraph, options: SessionOptions, given: RunConfig): Maybe<Session> {
  const { context } = options;
  if (context === undefined) return openWith(graph, options, given);
  return withContext(given, context).then((config) => openWith(graph, options, config));
}

function openWith(graph: CompiledGraph, options: SessionOptions, config: RunConfig): Maybe<Session> {
  const isKept = options.checkpointer !== undefined;
  refuseMisplaced(config);
  const run = threadOf(config, isKept);
  const limit = limitOf(config);
  const concurrency = concurrencyOf(config);
  const opening = openLedger(options, run, durabilityOf(config) ?? options.durability ?? "sync");
  const program = graph.programFor(invocationOf(config, run));
  const on = (ledger: Ledger): Session => ({ graph, program, ledger, config, limit, concurrency, isKept });
  return opening instanceof Promise ? opening.then(on) : on(opening);
}

/** A watched ledger is for one call only; others are kept at hand. */
function openLedger(
  { checkpointer, ledgers, wrap }: SessionOptions,
  run: RunId,
  durability: Durability,
): Maybe<Ledger> {
  if (checkpointer === undefined) {
    return Ledger.create(wrap?.(NOWHERE, run) ?? NOWHERE, run, { durability });
  }
  if (wrap === undefined) return ledgers.take(checkpointer, run, durability);
  return Ledger.open(wrap(checkpointer, run), run, { durability });
}

async function withContext(config: RunConfig, schema: StandardSchema<unknown, unknown>): Promise<RunConfig> {
  const checked = await schema["~standard"].validate(config.context);
  if (checked.issues === undefined) return { ...config, context: checked.value };
  throw new GraphError(`The context is not valid: ${printIssues("context", checked.issues)}.`);
}

/** What nodes and paths get to see of a call. */
export function invocationOf({ configurable, context }: RunConfig, run: RunId): Invocation {
  return { configurable: { ...configurable, thread_id: run }, context, machine: systemMachine };
}

/** Decides a command within a piece of work on the ledger. */
export type Decide = (command: Command) => void;

/** Records what commands amount to, all or nothing; refusals come out as the errors that users know. */
export async function record(
  { ledger, program }: Session,
  work: (decideNow: Decide, state: RunState, emit: Emit) => void,
): Promise<void> {
  try {
    await ledger.command((state, emit) => {
      const decideNow: Decide = (command) => {
        for (const fact of decide(program, state, command)) emit(fact);
      };
      work(decideNow, state, emit);
    });
  } catch (error) {
    throw asGraphError(error);
  }
}

/** What the floors below throw, as the errors that users know. */
export function asGraphError(error: unknown): unknown {
  if (error instanceof Conflict) {
    const message = `${error.message} Call again to go on from where the thread stands now.`;
    return new ThreadConflictError(message, { cause: error });
  }
  return error instanceof Refusal ? fromRefusal(error) : error;
}

function fromRefusal(refusal: Refusal): GraphError {
  const { code, message } = refusal;
  if (code === "invalid_value") return new InvalidUpdateError(message, { cause: refusal });
  if (code === "unknown_question") {
    const hint =
      "getState(config).interrupts tells what waits for an answer; where nothing does, invoke(null, config) goes on.";
    return new TaskNotFound(`${message} ${hint}`, { cause: refusal });
  }
  return new GraphError(message, { cause: refusal });
}
