/**
 * A journal keeps the logs of runs.
 *
 * 1. `append` is all or nothing, and the only lock: it takes the sequence number that the writer saw last, and
 *    refuses with a `Conflict` when the log has gone on since.
 * 2. What was appended is never changed.
 * 3. Texts are stored once under the hash of their content, with the append that first refers to them.
 * 4. Heads and snapshots are caches: losing them costs time, not truth.
 */

import type { JsonObject } from "../base/json.ts";
import type { RunId, TaskId } from "../base/names.ts";
import type { Event, ProgramName } from "../kernel/event.ts";
import type { RunStatus } from "../kernel/state.ts";

/** A journal in the same process answers at once; one behind a wire with a promise. */
export type Maybe<T> = T | Promise<T>;

/**
 * Where logs are kept. An implementation is one when it passes `journalConformance` of `batonjs/testing`; what it rejects
 * with reaches the caller of the run, which has recorded nothing of the append then.
 */
export interface Journal {
  append(batch: Batch): Maybe<void>;
  /** The events after a sequence number, in order; at most `limit` of them. */
  read(run: RunId, after: number, limit?: number): Maybe<readonly Event[]>;
  /** A stored text, or `undefined` when there is none under this reference. */
  text(ref: string): Maybe<string | undefined>;
  /** What is known about a run, or `undefined` when there is none. */
  head(run: RunId): Maybe<RunHead | undefined>;
  /** The runs, last changed first. */
  runs(filter?: RunFilter): Maybe<readonly RunHead[]>;
  snapshot(run: RunId): Maybe<StoredSnapshot | undefined>;
  /** Replaces the snapshot of a run. */
  saveSnapshot(run: RunId, snapshot: StoredSnapshot): Maybe<void>;
  /** The stored bytes of the events after a sequence number; 0 where reading them again costs nothing. */
  weight(run: RunId, after: number): Maybe<number>;
  /** Releases what the journal holds open. It is not used afterwards. */
  close(): Maybe<void>;
}

/** A journal that can forget runs, and give back what they took. */
export interface RetainingJournal extends Journal {
  /**
   * Removes runs with their logs, heads and snapshots: all of them or none. Texts stay, since others may refer to
   * them. Whoever still appends to a removed run gets a `Conflict`; its id may be used again.
   */
  remove(runs: readonly RunId[]): Maybe<void>;
  /** Drops the texts that no log refers to, and gives back unused space. A dry run says what that would be. */
  vacuum(options?: VacuumOptions): Maybe<Vacuumed>;
}

export interface VacuumOptions {
  /** True to change nothing. */
  readonly dryRun?: boolean;
}

export interface Vacuumed {
  /** How many texts were dropped, or would be. */
  readonly texts: number;
  /** The stored bytes before and after, which a dry run estimates; 0 where nothing is stored. */
  readonly bytes: { readonly before: number; readonly after: number };
}

export interface Batch {
  readonly run: RunId;
  /** The sequence number of the last event that the writer knows; 0 when there is none. */
  readonly after: number;
  /** Numbered from `after + 1`. */
  readonly events: readonly Event[];
  /** Texts that these events refer to. */
  readonly texts: readonly StoredText[];
  /** Present when it has changed. */
  readonly head?: RunHead;
}

export interface StoredText {
  /** `sha256:` and 64 hex digits. */
  readonly ref: string;
  readonly text: string;
}

/** What a list of runs shows. */
export interface RunHead {
  readonly run: RunId;
  readonly program: ProgramName;
  readonly status: Standing;
  readonly reason?: string;
  readonly parent?: { readonly run: RunId; readonly task: TaskId };
  /** Milliseconds since 1970 UTC. */
  readonly startedAt: number;
  /** When its status changed last. */
  readonly updatedAt: number;
}

/** The status of a run as people see it: `waiting` is running with nothing to do but wait for an answer. */
export type Standing = Exclude<RunStatus, "new"> | "waiting";

export interface RunFilter {
  readonly status?: Standing;
  /** Runs whose id starts with this. */
  readonly prefix?: string;
  readonly limit?: number;
  /** Child runs too; they are left out otherwise. */
  readonly children?: boolean;
}

export interface StoredSnapshot {
  readonly seq: number;
  /** Written by the kernel's `archiveState`. */
  readonly state: JsonObject;
}

/** Somebody else wrote to the run first. */
export class Conflict extends Error {
  override readonly name: string = "Conflict";
  readonly run: RunId;

  constructor(run: RunId, message: string = `Run ${run} was changed by somebody else.`) {
    super(message);
    this.run = run;
  }
}
