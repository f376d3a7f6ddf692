/**
 * A stream is a run that is read while it goes on.
 *
 * 1. At pace `step` the run opens no superstep before the reader has had what the last one brought.
 * 2. Each event is shown once, in the order of the log; what tasks show of their progress comes in between.
 * 3. When the reader leaves, the steps in hand are finished and recorded, and no other is opened.
 */

import type { RunId } from "../base/names.ts";
import type { Shown } from "../dialects/graph/config.ts";
import type { Event } from "../kernel/event.ts";
import type { RunState } from "../kernel/state.ts";
import type { Progress } from "../run/host.ts";
import type { Journal } from "../run/journal.ts";
import type { Stop } from "../run/loop.ts";
import { begin } from "./begin.ts";
import { chunksOf, graphAt } from "./chunks.ts";
import { driveToRest } from "./drive.ts";
import { graphHost } from "./host.ts";
import type { Ledgers } from "./ledgers.ts";
import { checkpointOf, isCheckpoint, lastCheckpoint } from "./moments.ts";
import { interruptsOf, isInterrupted, resultOf } from "./outcome.ts";
import type { StreamMode } from "./run-config.ts";
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
  readonly ledgers: Ledgers;
}

/** Runs a session and yields what happens. */
export async function* streamSession(request: StreamRequest): AsyncGenerator<unknown, void> {
  const { open, input, subgraphs, ledgers } = request;
  const tap = new Tap<unknown>();
  let watched: WatchedJournal | undefined;
  const watch: Wrap = (journal, run) => {
    watched = new WatchedJournal(journal, run, (path, events, state) => streaming.show(path, events, state));
    return watched;
  };
  const session = await open(subgraphs ? watch : undefined);
  const streaming = new Streaming(session, tap, watched);
  const running = ledgers.whileDriven(session.ledger, () => streaming.run(input));
  try {
    for (let next = await tap.next(); next !== undefined; next = await tap.next()) yield next.item;
  } finally {
    tap.close();
    await running;
  }
}

class Streaming {
  readonly #session: Session;
  readonly #tap: Tap<unknown>;
  readonly #watched: WatchedJournal | undefined;
  readonly #modes: readonly StreamMode[];
  readonly #isList: boolean;
  /** The tasks that have shown pieces of messages. */
  readonly #told: Set<string> = new Set();
  /** The latest checkpoint of each run. */
  readonly #latest: Map<RunId, number> = new Map();

  constructor(session: Session, tap: Tap<unknown>, watched: WatchedJournal | undefined) {
    const { streamMode = "values" } = session.config;
    this.#session = session;
    this.#tap = tap;
    this.#watched = watched;
    this.#isList = typeof streamMode !== "string";
    this.#modes = typeof streamMode === "string" ? [streamMode] : streamMode;
  }

  /** Drives the run to its end and puts what happens into the tap. It does not throw: errors go there too. */
  async run(input: unknown): Promise<void> {
    const { ledger } = this.#session;
    const unsubscribe = ledger.subscribe((events, state) => this.show([], events, state));
    try {
      const latest = await lastCheckpoint(ledger.journal, ledger.run, ledger.state.seq);
      if (latest !== undefined) this.#latest.set(ledger.run, latest);
      await begin(this.#session, input);
      const stop = await this.#drive();
      if (stop !== undefined) await this.#finish(stop);
      this.#tap.end();
    } catch (thrown) {
      this.#tap.end({ thrown: asGraphError(thrown) });
    } finally {
      unsubscribe();
    }
  }

  /** Shows what a run has recorded; `path` names the tasks that lead to it. */
  show(path: readonly string[], events: readonly Event[], state: RunState): void {
    const graph = graphAt(this.#session.graph, path);
    const isDeep = this.#watched !== undefined;
    const last = events.findLast(isCheckpoint); // the state is the one that it led to
    for (const event of events) {
      const made = checkpointOf(event, state, this.#latest.get(state.run));
      if (made !== undefined) this.#latest.set(state.run, made.seq);
      const checkpoint = event === last ? made : undefined;
      const happening = { event, state, checkpoint, graph, told: this.#told, isDeep };
      for (const { mode, chunk } of chunksOf(this.#modes, happening)) this.#push(path, mode, chunk);
    }
  }

  /** Drives until the run stops; nothing comes back when the reader has left before. */
  async #drive(): Promise<Stop | undefined> {
    const { program, ledger, config } = this.#session;
    const host = graphHost((progress) => this.#progress(progress));
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
    for (const mode of this.#modes) {
      if (mode === "values") this.#push([], mode, result);
      if (mode === "updates") this.#push([], mode, { __interrupt__: interrupts });
    }
  }

  #progress({ run, task, node, chunk }: Progress): void {
    const { mode, chunk: shown } = chunk as Shown; // only nodes of this dialect run here, and they show nothing else
    const isRoot = run === this.#session.ledger.run;
    if (!this.#modes.includes(mode) || (!isRoot && this.#watched === undefined)) return;
    const path = this.#watched?.pathTo(run as RunId) ?? []; // a host is told the ids of runs
    if (mode === "messages") {
      this.#told.add(`${run}/${task}`);
      this.#push(path, mode, [shown, { node, task }]);
    } else this.#push(path, mode, shown);
  }

  #push(path: readonly string[], mode: StreamMode, chunk: unknown): void {
    const parts = [...(this.#session.config.subgraphs ? [path] : []), ...(this.#isList ? [mode] : []), chunk];
    this.#tap.push(parts.length === 1 ? chunk : parts);
  }
}
