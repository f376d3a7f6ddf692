/** The replay of one log: the kernel and, where it may, the handlers, held against it event by event. */

import type { Json, JsonObject } from "../base/json.ts";
import type { RunId, TaskId } from "../base/names.ts";
import type { Event, Fact } from "../kernel/event.ts";
import { type Divergence, factOf, plainFact, Replayer } from "../kernel/replay.ts";
import { type RunState, snapshotOf, type Task } from "../kernel/state.ts";
import type { Journal } from "../run/journal.ts";
import { loadState } from "../run/load.ts";
import { CallBook } from "./call-book.ts";
import { firstDifference } from "./difference.ts";
import type { ReplayProgram } from "./evidence.ts";
import { type Rehearsed, rehearse } from "./rehearsal.ts";
import { archiveHash, stateHash } from "./state-hash.ts";

/** The first place where a replay and a log differ. */
export interface ReplayDifference {
  readonly run: RunId;
  readonly seq: number;
  /** The type of the recorded event. */
  readonly type: Event["type"];
  readonly task?: TaskId;
  /** Whose decision differs: the kernel's, a handler's, or the log itself cannot be as it is. */
  readonly by: "kernel" | "handler" | "log";
  /** A JSON pointer to what differs in the fact; the empty string is the whole of it. */
  readonly path: string;
  /** What is decided now. Absent where nothing is. */
  readonly expected?: Json;
  readonly recorded?: Json;
  /** One sentence for people. */
  readonly message: string;
}

export interface RunReplay {
  readonly run: RunId;
  /** The sequence number of the last event that was replayed. */
  readonly seq: number;
  /** The hash of the state there. */
  readonly hash: string;
  readonly checked: "handlers" | "kernel";
  /** How many calls of handlers came to what was recorded. */
  readonly rehearsed: number;
  /** How many were taken as recorded, since logs do not keep what they depend on. */
  readonly taken: number;
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
  readonly #book: CallBook = new CallBook();
  /** The programs of child runs, as handlers asked for them. */
  readonly children: Map<RunId, ReplayProgram> = new Map();
  difference: ReplayDifference | undefined;
  #rehearsed = 0;
  #taken = 0;

  constructor(options: LogReplayOptions) {
    this.#options = options;
    this.#replayer = new Replayer(options.replayProgram.program, options.run);
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
    else if (replayProgram.attend) this.#book.fold(event, this.#state);
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
    const checked = this.#options.replayProgram.attend ? "handlers" : "kernel";
    return {
      run,
      seq,
      hash: stateHash(this.#state),
      checked,
      rehearsed: this.#rehearsed,
      taken: this.#taken,
    };
  }

  async #rehearse(task: Task, event: Event): Promise<void> {
    const { journal, replayProgram, isChanged } = this.#options;
    const { memory, remembered, notes, snapshot } = this.#book.callOf(task);
    const recorded = [...notes, event];
    let hasGap = false;
    const evidence = {
      remembered,
      facts: recorded.map(factOf),
      text: async (ref: string) => journal.text(ref),
      gap: () => {
        hasGap = true;
      },
    };
    replayProgram.attend?.(evidence);
    const call = {
      ...{ state: this.#state, task, memory, evidence, at: event.at },
      snapshot: snapshot ?? snapshotOf(this.#state),
    };
    const rehearsed = await rehearse(call, {
      program: replayProgram.program,
      mayPromptDiffer: isChanged,
      onChild: (run, program) => this.children.set(run, { ...replayProgram, program }),
      childState: async (run) => (await loadState(journal, run)).state,
    });
    if (hasGap || rehearsed.kind === "taken") this.#taken++;
    else {
      this.difference = compare(rehearsed, recorded, event);
      if (this.difference === undefined) this.#rehearsed++;
    }
  }
}

/** A log as it would be if the run had been started with the plan of another program. */
function underPlanOf({ program }: ReplayProgram, event: Event): Event {
  if (event.type === "plan.amended") return { ...event, plan: program.plan, program: program.id };
  if (event.type !== "run.started" || event.plan === undefined) return event;
  const more = event.route.slice(event.plan.entry.length);
  return { ...event, plan: program.plan, program: program.id, route: [...program.plan.entry, ...more] };
}

function compare(
  rehearsed: Exclude<Rehearsed, { kind: "taken" }>,
  recorded: readonly Event[],
  event: Event,
): ReplayDifference | undefined {
  const place = placeOf(event);
  switch (rehearsed.kind) {
    case "beyond": {
      const fact = plainFact(factOf(event));
      return { ...place, by: "handler", path: "", recorded: fact, message: rehearsed.message };
    }
    case "remembers": {
      const { key, value } = rehearsed;
      const found = firstDifference(value, rehearsed.recorded);
      const message = `${key} is remembered otherwise at ${found?.path || "its whole"}.`;
      return { ...place, by: "handler", path: found?.path ?? "", ...sides(found), message };
    }
    case "facts":
      return compareFacts(rehearsed.facts, recorded);
  }
}

function compareFacts(facts: readonly Fact[], recorded: readonly Event[]): ReplayDifference | undefined {
  for (const [index, event] of recorded.entries()) {
    const fact = facts[index];
    const has = comparable(factOf(event));
    const found = firstDifference(fact && comparable(fact), has);
    if (found === undefined) continue;
    const where = found.path === "" ? "as a whole" : `at ${found.path}`;
    const message = `The handler comes to another ${event.type} ${where}.`;
    return { ...placeOf(event), by: "handler", path: found.path, ...sides(found), message };
  }
  const [more] = facts.slice(recorded.length);
  const last = recorded.at(-1);
  if (more === undefined || last === undefined) return undefined;
  const message = `The handler records a ${more.type} that the log does not have.`;
  return { ...placeOf(last), by: "handler", path: "", expected: plainFact(more), message };
}

/** Without what differs from machine to machine: stacks, and the jitter of a retry, which is drawn from the run's id. */
function comparable(fact: Fact): Json {
  if (fact.type !== "task.failed") return plainFact(fact);
  const { retryAt, failure, ...rest } = fact;
  const { cause: _, ...why } = failure;
  return plainFact({ ...rest, failure: why, ...(retryAt !== undefined && { retryAt: 0 }) });
}

function differenceOf({ at, expected, problem }: Divergence): ReplayDifference {
  const place = placeOf(at);
  const recorded = plainFact(factOf(at));
  if (problem !== undefined) {
    return { ...place, by: "log", path: "", recorded, message: `Event ${at.seq} cannot be: ${problem}.` };
  }
  if (expected === undefined) {
    const message = `The kernel would record nothing here, and the log has ${at.type}.`;
    return { ...place, by: "kernel", path: "", recorded, message };
  }
  const found = firstDifference(plainFact(expected), recorded);
  const message =
    expected.type === at.type
      ? `The kernel decides another ${at.type} at ${found?.path}.`
      : `The kernel decides ${expected.type}, and the log has ${at.type}.`;
  return { ...place, by: "kernel", path: found?.path ?? "", ...sides(found), message };
}

function sides(found: ReturnType<typeof firstDifference>): Pick<ReplayDifference, "expected" | "recorded"> {
  return {
    ...(found?.left !== undefined && { expected: found.left }),
    ...(found?.right !== undefined && { recorded: found.right }),
  };
}

function placeOf(event: Event): Pick<ReplayDifference, "run" | "seq" | "type" | "task"> {
  const { run, seq, type } = event;
  return "task" in event && event.task !== undefined
    ? { run, seq, type, task: event.task }
    : { run, seq, type };
}
