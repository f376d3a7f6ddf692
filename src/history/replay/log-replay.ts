/** The replay of one log: the kernel and, where it may, the handlers, held against it event by event. */

import type { Json, JsonObject } from "../../base/json.ts";
import type { RunId, TaskId } from "../../base/names.ts";
import type { Event } from "../../kernel/event.ts";
import type { Program } from "../../kernel/program.ts";
import { factOf, Replayer } from "../../kernel/replay.ts";
import type { Snapshot } from "../../kernel/snapshot.ts";
import { type RunState, snapshotOf, type Task } from "../../kernel/state.ts";
import type { Journal } from "../../run/journal.ts";
import { CallBook, type RecordedCall } from "./call-book.ts";
import { childResult } from "./child-result.ts";
import type { Evidence, ReplayProgram } from "./evidence.ts";
import { type Judged, judge } from "./judge.ts";
import { rehearse } from "./rehearsal.ts";
import { differenceOf, placeOf, type ReplayDifference } from "./replay-difference.ts";
import { compareStart } from "./start-difference.ts";
import { archiveHash, stateHash } from "./state-hash.ts";

export interface RunReplay {
  readonly run: RunId;
  /** The sequence number of the last event that was replayed. */
  readonly seq: number;
  /** The hash of the state there. */
  readonly hash: string;
  /**
   * What was decided again besides what the kernel decides: all that handlers do, where tasks lead, or what node
   * functions come to.
   */
  readonly checked: "handlers" | "routes" | "nodes" | "kernel";
  /** What was not asked again, a phrase each; none when everything was. */
  readonly unchecked: readonly string[];
  /** How many calls of handlers came to what was recorded. */
  readonly rehearsed: number;
  /** How many were taken as recorded, since logs do not keep what they depend on. */
  readonly taken: number;
  /** Which ones, and what is not kept. */
  readonly gaps: readonly Gap[];
}

/** A call of a handler, or a start, that was taken as recorded. */
export interface Gap {
  /** The event that it ended with. */
  readonly seq: number;
  /** Absent for a start. */
  readonly task?: TaskId;
  /** One sentence. */
  readonly why: string;
}

export interface LogReplayOptions {
  readonly journal: Journal;
  readonly run: RunId;
  readonly replayProgram: ReplayProgram;
  readonly isChanged: boolean;
  /** The tasks whose failures are not the end of them: of what foreign code came to, only the end is compared. */
  readonly finished?: ReadonlySet<TaskId>;
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
  /** How many channels the plan of the log signals at every start. */
  #entries = 0;
  readonly #gaps: Gap[] = [];

  constructor(options: LogReplayOptions) {
    this.#options = options;
    const { program, beginsCall, checks } = options.replayProgram;
    this.#program = program;
    this.#replayer = new Replayer(program, options.run);
    const mayBeginLate = checks === "nodes" && program.plan.pace === "turn";
    this.#book = new CallBook({ program: () => this.#program, beginsCall, mayBeginLate });
  }

  get #state(): RunState {
    return this.#replayer.state;
  }

  /** Takes the next event. What it differs in, if it does, is the `difference` from then on. */
  async take(recorded: Event): Promise<void> {
    const { isChanged, replayProgram } = this.#options;
    if (recorded.type === "run.started" && recorded.plan) this.#entries = recorded.plan.entry.length;
    const event = isChanged ? underPlanOf(replayProgram, recorded, this.#entries) : recorded;
    const task = replayProgram.attend && this.#book.endedBy(event, this.#state);
    if (task !== undefined && !this.#isLeftOut(event)) await this.#rehearse(task, event);
    if (this.difference !== undefined) return;
    replayProgram.foresee?.(event);
    const divergence = this.#replayer.take(event);
    if (divergence !== undefined) this.difference = differenceOf(divergence);
    else if (replayProgram.attend) {
      if (event.type === "plan.amended" && !isChanged && event.definition !== undefined) {
        this.#program = replayProgram.amended?.(event.definition, event.plan) ?? this.#program;
      }
      this.#book.fold(event, this.#state);
      replayProgram.follow?.(event);
      if (event.type === "run.started") await this.#beginAgain(event);
    }
  }

  /** Asks where the run would begin now. */
  async #beginAgain(event: Extract<Event, { type: "run.started" }>): Promise<void> {
    const { start } = this.#options.replayProgram;
    if (start === undefined) return;
    const found = await compareStart(event, this.#state, start);
    if (found?.kind === "gap") this.#gaps.push({ seq: event.seq, why: found.why });
    else this.difference = found?.difference;
  }

  /** Of what foreign code came to, only the end of each task is compared: earlier attempts failed, as attempts may. */
  #isLeftOut(event: Event): boolean {
    const { replayProgram, finished } = this.#options;
    if (replayProgram.checks === "routes") {
      return event.type !== "task.finished" || !this.#hasHandler(event.task);
    }
    if (replayProgram.checks !== "nodes" || event.type !== "task.failed") return false;
    return event.retryAt !== undefined || finished?.has(event.task) === true;
  }

  #hasHandler(id: TaskId): boolean {
    const node = this.#state.tasks.get(id)?.node;
    return node !== undefined && Object.hasOwn(this.#program.handlers, node);
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
    const { attend, checks = "handlers", ...more } = this.#options.replayProgram;
    const checked = attend ? checks : "kernel";
    const { unchecked = attend ? [] : ["handlers"] } = more;
    return {
      run,
      seq,
      hash: stateHash(this.#state),
      checked,
      unchecked,
      rehearsed: this.#rehearsed,
      taken: this.#gaps.length,
      gaps: this.#gaps,
    };
  }

  /** Calls the handler again; where it is not known what it saw, whatever comes to the same counts. */
  async #rehearse(task: Task, event: Event): Promise<void> {
    const [call, ...earlier] = this.#book.callsOf(task);
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
  ): Promise<Judged> {
    const { journal, replayProgram, isChanged: isOther } = this.#options;
    const { checks = "handlers" } = replayProgram;
    const isChanged = isOther && checks === "handlers";
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
      ...{ program: call.program ?? this.#program, isChanged, isForeign: checks === "nodes" },
      onChild: (run, program) => {
        if (checks === "handlers") this.children.set(run, { ...replayProgram, program });
      },
      childResult: (run) => childResult({ journal, run, task, end: event, since: call.since }),
    });
    return judge({ rehearsed, missing, recorded, event, task, checks, isChanged });
  }
}

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

/** A log as it would be if the run had been started with the plan of another program; its own has so many entries. */
function underPlanOf({ program }: ReplayProgram, event: Event, entries: number): Event {
  if (event.type === "plan.amended") return { ...event, plan: program.plan, program: program.id };
  if (event.type !== "run.started") return event;
  const route = [...program.plan.entry, ...event.route.slice(entries)];
  const { plan: own, ...rest } = event;
  return { ...rest, ...(own && { plan: program.plan }), program: program.id, route };
}
