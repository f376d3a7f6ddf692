/** The replay of one log: the kernel and, where it may, the handlers, held against it event by event. */

import type { Json, JsonObject } from "../base/json.ts";
import type { RunId, TaskId } from "../base/names.ts";
import type { Event } from "../kernel/event.ts";
import type { Program } from "../kernel/program.ts";
import { factOf, Replayer } from "../kernel/replay.ts";
import type { Snapshot } from "../kernel/snapshot.ts";
import { type RunState, snapshotOf, type Task } from "../kernel/state.ts";
import type { Journal } from "../run/journal.ts";
import { CallBook, type RecordedCall } from "./call-book.ts";
import { childResult } from "./child-result.ts";
import type { Evidence, ReplayProgram } from "./evidence.ts";
import { rehearse } from "./rehearsal.ts";
import { compareCall, differenceOf, placeOf, type ReplayDifference } from "./replay-difference.ts";
import { archiveHash, stateHash } from "./state-hash.ts";

export interface RunReplay {
  readonly run: RunId;
  /** The sequence number of the last event that was replayed. */
  readonly seq: number;
  /** The hash of the state there. */
  readonly hash: string;
  /** What was decided again besides what the kernel decides: all that handlers do, or where tasks lead. */
  readonly checked: "handlers" | "routes" | "kernel";
  /** How many calls of handlers came to what was recorded. */
  readonly rehearsed: number;
  /** How many were taken as recorded, since logs do not keep what they depend on. */
  readonly taken: number;
  /** Which ones, and what is not kept. */
  readonly gaps: readonly Gap[];
}

/** A call of a handler that was taken as recorded. */
export interface Gap {
  /** The event that it ended with. */
  readonly seq: number;
  readonly task: TaskId;
  /** One sentence. */
  readonly why: string;
}

export interface LogReplayOptions {
  readonly journal: Journal;
  readonly run: RunId;
  readonly replayProgram: ReplayProgram;
  readonly isChanged: boolean;
}

export class LogReplay {
  readonly #options: LogReplayOptions;
  readonly #replayer: Replayer;
  readonly #book: CallBook;
  #program: Program;
  /** The programs of child runs, as handlers asked for them. */
  readonly children: Map<RunId, ReplayProgram> = new Map();
  difference: ReplayDifference | undefined;
  #rehearsed = 0;
  readonly #gaps: Gap[] = [];

  constructor(options: LogReplayOptions) {
    this.#options = options;
    const { program, beginsCall } = options.replayProgram;
    this.#program = program;
    this.#replayer = new Replayer(program, options.run);
    this.#book = new CallBook({ program: () => this.#program, beginsCall });
  }

  get #state(): RunState {
    return this.#replayer.state;
  }

  /** Takes the next event. What it differs in, if it does, is the `difference` from then on. */
  async take(recorded: Event): Promise<void> {
    const { isChanged, replayProgram } = this.#options;
    const event = isChanged ? underPlanOf(replayProgram, recorded) : recorded;
    const task = replayProgram.attend && this.#book.endedBy(event, this.#state);
    if (task !== undefined) await this.#rehearse(task, event);
    if (this.difference !== undefined) return;
    const divergence = this.#replayer.take(event);
    if (divergence !== undefined) this.difference = differenceOf(divergence);
    else if (replayProgram.attend) {
      if (event.type === "plan.amended" && !isChanged && event.definition !== undefined) {
        this.#program = replayProgram.amended?.(event.definition, event.plan) ?? this.#program;
      }
      this.#book.fold(event, this.#state);
      replayProgram.follow?.(event);
    }
  }

  /** Holds a snapshot that the journal keeps against the state at this event. */
  compareSnapshot(event: Event, archive: JsonObject): void {
    const [expected, recorded] = [stateHash(this.#state), archiveHash(archive)];
    if (this.difference !== undefined || expected === recorded) return;
    const message = `The snapshot at event ${event.seq} is not the state that the log folds to.`;
    this.difference = { ...placeOf(event), by: "log", path: "", expected, recorded, message };
  }

  report(): RunReplay {
    const { seq, run } = this.#state;
    const { attend, checks = "handlers" } = this.#options.replayProgram;
    const checked = attend ? checks : "kernel";
    return {
      run,
      seq,
      hash: stateHash(this.#state),
      checked,
      rehearsed: this.#rehearsed,
      taken: this.#gaps.length,
      gaps: this.#gaps,
    };
  }

  /** Calls the handler again; where it is not known what it saw, whatever comes to the same counts. */
  async #rehearse(task: Task, event: Event): Promise<void> {
    const [call, ...earlier] = this.#book.callsOf(task);
    if (this.#options.replayProgram.checks === "routes") {
      const handlers = call.program?.handlers ?? this.#program.handlers;
      if (event.type !== "task.finished" || !Object.hasOwn(handlers, task.node)) return;
    }
    const [snapshot = snapshotOf(this.#state), ...late] = call.snapshots;
    const first = await this.#attempt(task, event, { ...call, snapshot });
    let found = first;
    if (found.kind === "differs") {
      const others = [
        ...late.map((other) => ({ ...call, snapshot: other })),
        ...earlier.flatMap((each) => each.snapshots.map((other) => ({ ...each, snapshot: other }))),
        ...(found.isDecision ? cutShort(call).map((memory) => ({ ...call, snapshot, memory })) : []),
      ];
      for (const other of others) {
        if (found.kind !== "differs") break;
        found = await this.#attempt(task, event, other);
      }
    }
    if (found.kind === "same") this.#rehearsed++;
    else if (found.kind === "gap") this.#gaps.push({ seq: event.seq, task: task.id, why: found.why });
    else this.difference = first.kind === "differs" ? first.difference : undefined;
  }

  async #attempt(
    task: Task,
    event: Event,
    { notes, memory, remembered, snapshot, ...call }: RecordedCall & { readonly snapshot: Snapshot },
  ): Promise<Attempt> {
    const { journal, replayProgram, isChanged } = this.#options;
    const recorded = [...notes, event];
    const missing: string[] = [];
    let { interrupted } = call;
    const evidence: Evidence = {
      ...{ memory, remembered, facts: recorded.map(factOf) },
      text: async (ref) => journal.text(ref),
      gap: (what) => missing.push(what),
      reached: () => {
        interrupted = task.interrupted;
      },
    };
    replayProgram.attend?.(evidence);
    const given = {
      state: this.#state,
      task,
      evidence,
      at: event.at,
      snapshot,
      interrupted: () => interrupted,
    };
    const rehearsed = await rehearse(given, {
      ...{ program: call.program ?? this.#program, isChanged },
      onChild: (run, program) => this.children.set(run, { ...replayProgram, program }),
      childResult: (run) => childResult({ journal, run, task, end: event }),
    });
    if (missing.length > 0) return { kind: "gap", why: `The log does not keep ${missing[0]}.` };
    if (rehearsed.kind === "taken") return { kind: "gap", why: rehearsed.why };
    const difference = compareCall(rehearsed, recorded, { event, isChanged });
    if (difference === undefined) return { kind: "same" };
    return { kind: "differs", difference, isDecision: rehearsed.kind === "facts" };
  }
}

type Attempt =
  | { readonly kind: "same" }
  | { readonly kind: "gap"; readonly why: string }
  /** A decision differs, when everything that was remembered on the way to it was the same. */
  | { readonly kind: "differs"; readonly difference: ReplayDifference; readonly isDecision: boolean };

/** So many places at which a driver may have died are looked at. */
const MOST_CUTS = 32;

/**
 * What a task may have remembered when another driver took it up: one that dies leaves no fact, and what the handler
 * tells depends on what it found.
 */
function cutShort({ memory, remembered }: RecordedCall): ReadonlyMap<string, Json>[] {
  const added = [...remembered].filter(([key]) => !memory.has(key)).slice(0, MOST_CUTS);
  return added.map((_, index) => new Map([...memory, ...added.slice(0, index + 1)]));
}

/** A log as it would be if the run had been started with the plan of another program. */
function underPlanOf({ program }: ReplayProgram, event: Event): Event {
  if (event.type === "plan.amended") return { ...event, plan: program.plan, program: program.id };
  if (event.type !== "run.started" || event.plan === undefined) return event;
  const more = event.route.slice(event.plan.entry.length);
  return { ...event, plan: program.plan, program: program.id, route: [...program.plan.entry, ...more] };
}
