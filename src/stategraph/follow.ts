/**
 * Following reads a run from its log: what was recorded behind a place, and then what is recorded live.
 *
 * 1. Each chunk is shown once, in the order of its log, with the state that its event led to.
 * 2. What a sub-graph recorded comes before the event that says how its task ended.
 * 3. It drives nothing, and it may watch a run that another process drives.
 */

import { childRunId, type RunId, type TaskId } from "../base/names.ts";
import type { Graph } from "../dialects/graph/graph.ts";
import type { Event } from "../kernel/event.ts";
import { evolve } from "../kernel/evolve.ts";
import { emptyState, type RunState } from "../kernel/state.ts";
import { systemClock } from "../run/clock.ts";
import { standingOf } from "../run/head.ts";
import type { Journal } from "../run/journal.ts";
import { loadState } from "../run/load.ts";
import { type Chunk, chunksOf, subGraphAt } from "./chunks.ts";
import { checkpointOf } from "./moments.ts";
import { closeSubGraphs, Place } from "./place.ts";
import type { StreamMode } from "./run-config.ts";

/** A chunk of a stream, with its place in the log of the thread. */
export interface RecordedChunk extends Chunk {
  /** The number of the event in the log of its run. */
  readonly seq: number;
  /** Milliseconds since 1970 UTC. */
  readonly at: number;
  /** Where a reader is who has seen this chunk; give it as `after` to go on behind it. */
  readonly place: string;
  /** The tasks that lead to the sub-graph that it is of; empty for the graph itself. */
  readonly path: readonly string[];
}

/** From where `events` begins to read a log, and how often it looks for more. */
export interface FollowOptions {
  /** The sequence number of the last event that was seen, or the `place`; the beginning by default. */
  readonly after?: number | string;
  /** How often to look for what other processes record, in milliseconds; 50 by default. */
  readonly interval?: number;
}

export interface Followed {
  readonly journal: Journal;
  readonly run: RunId;
  readonly graph: Graph;
  readonly modes: readonly StreamMode[];
  /** Shows what sub-graphs do too. */
  readonly isDeep: boolean;
}

/** Yields the chunks of a run until it is over or waits for a person, or the signal fires. */
export async function* followRun(
  followed: Followed,
  { after, interval = 50 }: FollowOptions,
  signal: AbortSignal | undefined,
): AsyncGenerator<RecordedChunk, void> {
  const reader = new LogReader(followed, new Place(followed.run, after));
  for (;;) {
    yield* reader.upTo(END_OF_TIME);
    if (signal?.aborted || isAtRest(reader.state)) return;
    await systemClock.sleep(interval, signal);
  }
}

/** Yields the chunks of a run that were recorded behind a place, up to the event `last`. */
export function recall(followed: Followed, place: Place, last: number): AsyncGenerator<RecordedChunk, void> {
  return new LogReader(followed, place, { last }).upTo(END_OF_TIME);
}

/** Moves a place to the end of what is recorded of a run, and of the sub-graphs of its open tasks when that is asked for. */
export async function moveToEnd(
  place: Place,
  state: RunState,
  followed: Pick<Followed, "journal" | "graph" | "isDeep">,
): Promise<void> {
  const { run, seq, tasks } = state;
  if (seq === 0) return;
  place.pass({ run, seq, index: 0, count: 1 });
  if (!followed.isDeep) return;
  for (const { id, node, phase } of tasks.list()) {
    const graph = phase === "finished" ? undefined : subGraphAt(followed.graph, node);
    if (graph === undefined) continue;
    const child = await loadState(followed.journal, childRunId(run, id, ""));
    await moveToEnd(place, child.state, { ...followed, graph });
  }
}

const END_OF_TIME = Number.POSITIVE_INFINITY;
const NOTHING_TOLD: ReadonlySet<string> = new Set();
const PAGE = 1000;

function isAtRest(state: RunState): boolean {
  return state.status === "new" || standingOf(state) !== "running";
}

interface Bounds {
  /** The last event to show. */
  readonly last?: number;
  readonly path?: readonly string[];
}

/** Reads the log of one run, and those of the sub-graphs of its open tasks. */
class LogReader {
  readonly state: RunState;
  readonly #followed: Followed;
  readonly #place: Place;
  readonly #last: number;
  readonly #path: readonly string[];
  readonly #children: Map<TaskId, LogReader> = new Map();
  /** Events that were read and not folded yet, last first. */
  #ahead: Event[] = [];
  #parent: number | undefined;

  constructor(followed: Followed, place: Place, { last = END_OF_TIME, path = [] }: Bounds = {}) {
    this.state = emptyState(followed.run);
    this.#followed = followed;
    this.#place = place;
    this.#last = last;
    this.#path = path;
  }

  /** Yields what was recorded until this time, in milliseconds since 1970 UTC. */
  async *upTo(time: number): AsyncGenerator<RecordedChunk, void> {
    for (let event = await this.#next(time); event !== undefined; event = await this.#next(time)) {
      if (this.#isNews(event)) yield* this.#before(event);
      evolve(this.state, event);
      yield* this.#chunksOf(event);
    }
    if (this.#isNews({ seq: this.state.seq + 1 })) yield* this.#all(time);
  }

  *#chunksOf(event: Event): Generator<RecordedChunk, void> {
    const { graph, modes, isDeep, run } = this.#followed;
    const checkpoint = checkpointOf(event, this.state, this.#parent);
    this.#parent = checkpoint?.seq ?? this.#parent;
    if (!this.#isNews(event)) return;
    const { seq, at } = event;
    const happening = { event, state: this.state, checkpoint, graph, told: NOTHING_TOLD, isDeep };
    const chunks = chunksOf(modes, happening);
    for (const [index, chunk] of chunks.entries()) {
      if (this.#place.has({ run, seq, index })) continue;
      this.#place.pass({ run, seq, index, count: chunks.length });
      yield { seq, at, ...chunk, path: this.#path, place: String(this.#place) };
    }
  }

  #isNews({ seq }: { readonly seq: number }): boolean {
    return seq > this.#place.seqOf(this.#followed.run);
  }

  async #next(time: number): Promise<Event | undefined> {
    if (this.#ahead.length === 0) {
      const { journal, run } = this.#followed;
      this.#ahead = (await journal.read(run, this.state.seq, PAGE)).toReversed();
    }
    const event = this.#ahead.at(-1);
    if (event === undefined || event.at > time || event.seq > this.#last) return undefined;
    return this.#ahead.pop();
  }

  /** What sub-graphs recorded before this event (2). */
  async *#before(event: Event): AsyncGenerator<RecordedChunk, void> {
    closeSubGraphs(this.#place, event);
    switch (event.type) {
      case "task.finished":
        yield* this.#of(event.task, END_OF_TIME);
        this.#children.delete(event.task);
        break;
      case "task.failed":
      case "task.asked":
        yield* this.#of(event.task, event.at);
        break;
      case "run.started":
      case "run.forked":
        yield* this.#all(event.at);
        this.#children.clear();
        break;
    }
  }

  async *#all(time: number): AsyncGenerator<RecordedChunk, void> {
    if (!this.#followed.isDeep) return;
    for (const { id, phase } of this.state.tasks.list()) if (phase !== "finished") yield* this.#of(id, time);
  }

  async *#of(task: TaskId, time: number): AsyncGenerator<RecordedChunk, void> {
    const { graph, run, isDeep } = this.#followed;
    const node = this.state.tasks.get(task)?.node;
    const sub = isDeep && node !== undefined ? subGraphAt(graph, node) : undefined;
    if (sub === undefined) return;
    let child = this.#children.get(task);
    if (child === undefined) {
      const followed = { ...this.#followed, graph: sub, run: childRunId(run, task, "") };
      child = new LogReader(followed, this.#place, { path: [...this.#path, task] });
      this.#children.set(task, child);
    }
    yield* child.upTo(time);
  }
}
