/**
 * A place is how far a reader of a stream has come: in the log of a thread, and in those of its sub-graphs.
 *
 * 1. Each log has a mark: the last event whose chunks were all shown, and how many chunks of the next one were.
 * 2. A sub-graph whose task has finished needs no mark once its parent's mark is past that: what is behind it is shown.
 * 3. As a text it is a sequence number, or JSON when one number does not tell it.
 */

import { childRunId, type RunId } from "../base/names.ts";
import { GraphError } from "../dialects/graph/errors.ts";
import type { Event } from "../kernel/event.ts";

interface Mark {
  readonly seq: number;
  /** How many chunks of the event after `seq` were shown. */
  readonly shown: number;
}

const NOWHERE: Mark = { seq: 0, shown: 0 };

/** One chunk of an event: the `index`-th of `count`. */
export interface ChunkMark {
  readonly run: RunId;
  readonly seq: number;
  readonly index: number;
  readonly count: number;
}

export class Place {
  readonly #root: RunId;
  readonly #marks: Map<string, Mark> = new Map();
  /** By the run whose mark has to pass `seq`: the runs that then need none (2). */
  readonly #closing: Map<RunId, { readonly seq: number; readonly prefix: string }[]> = new Map();

  /** The place that a text or a sequence number tells; the beginning when absent. Throws a `GraphError`. */
  constructor(root: RunId, after: number | string = 0) {
    this.#root = root;
    for (const [run, mark] of read(after)) this.#marks.set(run, mark);
  }

  /** Says whether a chunk was shown. */
  has({ run, seq, index }: Omit<ChunkMark, "count">): boolean {
    const mark = this.#markOf(run);
    return seq <= mark.seq || (seq === mark.seq + 1 && index < mark.shown);
  }

  /** The last event of a run whose chunks were all shown. */
  seqOf(run: RunId): number {
    return this.#markOf(run).seq;
  }

  /** Moves on behind a chunk. */
  pass({ run, seq, index, count }: ChunkMark): void {
    const isWhole = index + 1 === count;
    this.#marks.set(this.#keyOf(run), isWhole ? { seq, shown: 0 } : { seq: seq - 1, shown: index + 1 });
    const closing = this.#closing.get(run);
    if (!isWhole || closing === undefined) return;
    const rest = closing.filter((one) => one.seq > seq);
    if (rest.length === 0) this.#closing.delete(run);
    else this.#closing.set(run, rest);
    for (const { prefix } of closing.slice(0, closing.length - rest.length)) this.#forget(prefix);
  }

  /** From event `seq` of a run on, nothing more comes of the runs whose ids begin with this (2). */
  close(run: RunId, seq: number, prefix: string): void {
    const closing = this.#closing.get(run);
    if (closing === undefined) this.#closing.set(run, [{ seq, prefix }]);
    else closing.push({ seq, prefix });
  }

  toString(): string {
    const { seq, shown } = this.#markOf(this.#root);
    const others = this.#marks.size - (this.#marks.has("") ? 1 : 0);
    if (others === 0 && shown === 0) return String(seq); // (3)
    return JSON.stringify([...this.#marks].map(([run, mark]) => [run, mark.seq, mark.shown]));
  }

  #forget(prefix: string): void {
    const key = this.#keyOf(prefix);
    for (const run of this.#marks.keys()) {
      if (run === key || run.startsWith(`${key}/`) || (key.endsWith("/") && run.startsWith(key)))
        this.#marks.delete(run);
    }
  }

  #markOf(run: RunId): Mark {
    return this.#marks.get(this.#keyOf(run)) ?? NOWHERE;
  }

  /** What the id of a run adds to that of the root. */
  #keyOf(run: string): string {
    return run.slice(this.#root.length);
  }
}

/** Closes what an event of a run ends: the sub-graph of a task, or of all tasks. */
export function closeSubGraphs(place: Place, event: Event): void {
  const { type, run, seq } = event;
  if (type === "task.finished") place.close(run, seq, childRunId(run, event.task, ""));
  if (type === "run.started" || type === "run.forked") place.close(run, seq, `${run}/`);
}

function read(after: number | string): (readonly [run: string, mark: Mark])[] {
  if (/^\d+$/.test(String(after))) {
    const seq = Number(after);
    return seq === 0 ? [] : [["", { seq, shown: 0 }]];
  }
  const marks = parse(after);
  const areMarks =
    Array.isArray(marks) &&
    marks.every(
      ([run, seq, shown]) => typeof run === "string" && Number.isInteger(seq) && Number.isInteger(shown),
    );
  if (areMarks)
    return (marks as [string, number, number][]).map(([run, seq, shown]) => [run, { seq, shown }]);
  throw new GraphError(
    `after is ${after}; it has to be a sequence number, or a place as a stream tells it: \`stream.place\`.`,
  );
}

function parse(after: number | string): unknown {
  try {
    const value: unknown = JSON.parse(String(after));
    return Array.isArray(value) && value.every(Array.isArray) ? value : undefined;
  } catch {
    return undefined;
  }
}
