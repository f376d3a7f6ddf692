/**
 * A stream is a run that is read while it goes on.
 *
 * 1. At pace `step` the run opens no superstep before the reader has had what the last one brought.
 * 2. Each event is shown once, in the order of the log; what tasks show of their progress comes in between.
 * 3. When the reader leaves, the steps in hand are finished and recorded, and no other is opened.
 */

import type { RunId } from "../base/names.ts";
import type { Shown } from "../dialects/graph/config.ts";
import { GraphError } from "../dialects/graph/errors.ts";
import type { Event } from "../kernel/event.ts";
import type { RunState } from "../kernel/state.ts";
import type { Progress } from "../run/host.ts";
import type { Journal } from "../run/journal.ts";
import type { Stop } from "../run/loop.ts";
import { inStages, missingCheckpointer } from "./begin.ts";
import { chunksOf, graphAt } from "./chunks.ts";
import { driveToRest } from "./drive.ts";
import { eventByEvent } from "./event-by-event.ts";
import { type Followed, moveToEnd, recall } from "./follow.ts";
import { graphHost } from "./host.ts";
import type { Ledgers } from "./ledgers.ts";
import { checkpointOf, lastCheckpoint } from "./moments.ts";
import { interruptsOf, isInterrupted, resultOf } from "./outcome.ts";
import { type ChunkMark, closeSubGraphs, Place } from "./place.ts";
import { modesOf, type StreamMode } from "./run-config.ts";
import { asGraphError, record, type Session } from "./session.ts";
import { Tap } from "./tap.ts";
import { WatchedJournal } from "./watched-journal.ts";

/** Puts a journal in place of the one that keeps a thread. */
export type Wrap = (journal: Journal, run: RunId) => Journal;

export interface StreamRequest {
  readonly open: (wrap: Wrap | undefined) => Promise<Session>;
  readonly input: unknown;
  /** Shows what happens in children too. */
  readonly subgraphs: boolean;
  /** The place that the reader came with. */
  readonly after: number | string | undefined;
  readonly ledgers: Ledgers;
}

/** The chunks of a run that is read while it goes on. */
export interface ChunkStream<Chunk = unknown> extends AsyncGenerator<Chunk, void> {
  /** Where the reader is: give it as `after` of a later call, with the same modes, to go on behind the last chunk. */
  readonly place: string;
}

/** Runs a session and yields what happens. */
export function streamSession(request: StreamRequest): ChunkStream {
  let place: Place | undefined;
  const chunks = streamChunks(request, (session) => {
    place = new Place(session.ledger.run, session.config.after);
    return place;
  });
  return Object.defineProperty(chunks as ChunkStream, "place", {
    get: () => String(place ?? request.after ?? 0),
  });
}

async function* streamChunks(
  { open, input, subgraphs, ledgers }: StreamRequest,
  placeIn: (session: Session) => Place,
): AsyncGenerator<unknown, void> {
  const tap = new Tap<Item>();
  let watched: WatchedJournal | undefined;
  const watch: Wrap = (journal, run) => {
    watched = new WatchedJournal(journal, run, (path, event, state) => streaming.show(path, event, state));
    return watched;
  };
  const session = await open(subgraphs ? watch : undefined);
  const place = placeIn(session);
  const streaming = new Streaming({ session, tap, place, watched });
  if (session.config.after !== undefined) yield* streaming.recall();
  else await moveToEnd(place, session.ledger.state, streaming.followed);
  const running = ledgers.whileDriven(session.ledger, () => streaming.run(input));
  try {
    for (let next = await tap.next(); next !== undefined; next = await tap.next()) {
      const { shown, mark } = next.item;
      if (mark !== undefined) place.pass(mark);
      yield shown;
    }
  } finally {
    tap.close();
    await running;
  }
}

/** What a reader gets, and where they are then; what tasks show of their progress has no place. */
interface Item {
  readonly shown: unknown;
  readonly mark: ChunkMark | undefined;
}

interface StreamingParts {
  readonly session: Session;
  readonly tap: Tap<Item>;
  readonly place: Place;
  readonly watched: WatchedJournal | undefined;
}

class Streaming {
  readonly #session: Session;
  readonly #tap: Tap<Item>;
  readonly #place: Place;
  readonly #watched: WatchedJournal | undefined;
  readonly #modes: readonly StreamMode[];
  readonly #isList: boolean;
  /** The tasks that have shown pieces of messages. */
  readonly #told: Set<string> = new Set();
  /** The latest checkpoint of each run. */
  readonly #latest: Map<RunId, number> = new Map();

  constructor({ session, tap, place, watched }: StreamingParts) {
    const { streamMode = "values" } = session.config;
    this.#session = session;
    this.#tap = tap;
    this.#place = place;
    this.#watched = watched;
    this.#isList = typeof streamMode !== "string";
    this.#modes = modesOf(streamMode);
  }

  get followed(): Followed {
    const { graph, ledger } = this.#session;
    const { run, journal } = ledger;
    return { journal, run, graph, modes: this.#modes, isDeep: this.#watched !== undefined };
  }

  /** Yields what was recorded behind the place before this call. */
  async *recall(): AsyncGenerator<unknown, void> {
    const { ledger, isKept } = this.#session;
    if (!isKept) throw new GraphError(missingCheckpointer("stream(…, { after })"));
    for await (const { path, mode, chunk } of recall(this.followed, this.#place, ledger.state.seq)) {
      yield this.#formOf(path, mode, chunk);
    }
  }

  /** Drives the run to its end and puts what happens into the tap. It does not throw: errors go there too. */
  async run(input: unknown): Promise<void> {
    const { ledger, program } = this.#session;
    const listener = eventByEvent(ledger, program.plan.pace, (...told) => this.show([], ...told));
    const unsubscribe = ledger.subscribe(listener);
    try {
      const latest = await lastCheckpoint(ledger.journal, ledger.run, ledger.state.seq);
      if (latest !== undefined) this.#latest.set(ledger.run, latest);
      const stop = await inStages(this.#session, input, () => this.#drive());
      if (stop !== undefined) await this.#finish(stop);
      this.#tap.end();
    } catch (thrown) {
      this.#tap.end({ thrown: asGraphError(thrown) });
    } finally {
      unsubscribe();
    }
  }

  /** Shows an event of a run with the state that it led to; `path` names the tasks that lead to the run. */
  show(path: readonly string[], event: Event, state: RunState): void {
    const graph = graphAt(this.#session.graph, path);
    const isDeep = this.#watched !== undefined;
    const checkpoint = checkpointOf(event, state, this.#latest.get(state.run));
    if (checkpoint !== undefined) this.#latest.set(state.run, checkpoint.seq);
    if (isDeep) closeSubGraphs(this.#place, event);
    const happening = { event, state, checkpoint, graph, told: this.#told, isDeep };
    const chunks = chunksOf(this.#modes, happening);
    const { run, seq } = event;
    for (const [index, { mode, chunk }] of chunks.entries()) {
      this.#push(this.#formOf(path, mode, chunk), { run, seq, index, count: chunks.length });
    }
  }

  /** Drives until the run stops; nothing comes back when the reader has left before. */
  async #drive(): Promise<Stop | undefined> {
    const { program, ledger, config } = this.#session;
    const host = graphHost(this.#session, (progress) => this.#progress(progress));
    const isStepped = program.plan.pace === "step";
    const { signal } = config;
    const options = { ...(signal && { signal }), ...(isStepped && { budget: 1 }) };
    const pausing = isStepped ? undefined : this.#pauseWhenLeft();
    pausing?.catch(() => {}); // thrown where it is awaited; a run that is over does not need it
    for (;;) {
      await this.#tap.wanted();
      if (this.#tap.isClosed) return undefined;
      const stop = await driveToRest(program, ledger, host, options);
      if (stop.kind === "yielded") continue;
      if (!this.#tap.isClosed) return stop;
      await pausing;
      return undefined;
    }
  }

  /** At pace `turn` there is no boundary to stop at, so the run is told to open nothing more. */
  async #pauseWhenLeft(): Promise<void> {
    await this.#tap.left;
    await record(this.#session, (decide, state) => {
      if (state.status === "running") decide({ type: "pause", reason: "reader_left" });
    });
  }

  async #finish(stop: Stop): Promise<void> {
    const result = await resultOf(this.#session, stop);
    if (!isInterrupted(result)) return;
    const interrupts = interruptsOf(this.#session.ledger.state);
    if (this.#modes.includes("updates"))
      this.#push(this.#formOf([], "updates", { __interrupt__: interrupts }));
    // A pause that asks nothing has no values that were not shown.
    if (interrupts.length > 0 && this.#modes.includes("values"))
      this.#push(this.#formOf([], "values", result));
  }

  #progress({ run, task, node, chunk }: Progress): void {
    const { mode, chunk: shown } = chunk as Shown; // only nodes of this dialect run here, and they show nothing else
    const isRoot = run === this.#session.ledger.run;
    if (!this.#modes.includes(mode) || (!isRoot && this.#watched === undefined)) return;
    const path = this.#watched?.pathTo(run as RunId) ?? []; // a host is told the ids of runs
    if (mode === "messages") {
      this.#told.add(`${run}/${task}`);
      this.#push(this.#formOf(path, mode, [shown, { node, task }]));
    } else this.#push(this.#formOf(path, mode, shown));
  }

  /** A chunk as the reader asked for it: alone, or with its path, its mode or both before it. */
  #formOf(path: readonly string[], mode: StreamMode, chunk: unknown): unknown {
    const parts = [...(this.#watched === undefined ? [] : [path]), ...(this.#isList ? [mode] : []), chunk];
    return parts.length === 1 ? chunk : parts;
  }

  #push(shown: unknown, mark?: ChunkMark): void {
    this.#tap.push({ shown, mark });
  }
}
