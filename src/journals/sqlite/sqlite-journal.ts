/**
 * A journal in a SQLite file, which several processes may use at once.
 *
 * 1. One append is one transaction that adds one row, whose statement is all of it where nothing else is to be written.
 * 2. Rows of a run are joined when they are many: pages are then full, and reading a log takes few rows. Rows are only
 *    ever joined as a whole, so any process may do it at any time.
 * 3. Heads are numbered in the order in which they changed.
 * 4. A row says by its checksum whether it is what was stored. A damaged one is never joined, so damage stays where it
 *    is and is named when somebody reads it.
 * 5. What this object remembers of the file (numbers of runs, shapes) holds for good; a rollback forgets it.
 * 6. A damaged head is made anew from the log, since it is a cache. One that is whole says how long the log was, so a
 *    log that lost its end is damaged, too.
 */

import type { DatabaseSync } from "node:sqlite";
import type { RunId } from "../../base/names.ts";
import { Refusal } from "../../base/refusal.ts";
import type { Event } from "../../kernel/event.ts";
import {
  type Batch,
  Conflict,
  type RetainingJournal,
  type RunFilter,
  type RunHead,
  type StoredSnapshot,
  type Vacuumed,
  type VacuumOptions,
} from "../../run/journal.ts";
import { Blobs } from "./blobs.ts";
import { checksum, isWhole } from "./checksum.ts";
import { Codec, type Row, UnreadableLog } from "./codec.ts";
import { type DatabaseOptions, openDatabase } from "./database.ts";
import { headAnew } from "./head-anew.ts";
import { parseHead, printHead } from "./head-text.ts";
import { type Log, LogRows } from "./log-rows.ts";
import { Retention } from "./retention.ts";
import { Shapes } from "./shapes.ts";
import { type Statements, statements } from "./statements.ts";
import { JournalFault, named, unfitSchema } from "./trouble.ts";

export interface SqliteJournalOptions extends DatabaseOptions {
  /** Strings of at least this many UTF-16 units are stored once each, apart from the log; 8,192 when absent. */
  readonly blobsFrom?: number;
}

/**
 * Runs and threads in a SQLite file, which several processes may use at once; `SqliteSaver` is the same class. What a step
 * adds does not grow with the run. Appending behind what somebody else wrote rejects with a `Conflict`; a file that is full,
 * locked for longer than five seconds or damaged with a `JournalFault`. `close()` it when nobody needs it any more.
 *
 * @example
 * const saver = new SqliteSaver(":memory:"); // or the path of a file, such as "threads.db"
 * const graph = new StateGraph({ n: field<number>() }).addNode("add", ({ n }) => ({ n: n + 1 }));
 * const app = graph.addEdge(START, "add").addEdge("add", END).compile({ checkpointer: saver });
 */
export class SqliteJournal implements RetainingJournal {
  readonly path: string;
  readonly #db: DatabaseSync;
  #sql: Statements;
  readonly #blobs: Blobs;
  readonly #shapes: Shapes;
  readonly #codec: Codec;
  readonly #retention: Retention;
  readonly #rows: LogRows;
  readonly #isReadOnly: boolean;
  #closed: boolean = false;

  /**
   * Opens a file, or makes it with the folders that lead to it; `:memory:` is gone with the object.
   * Throws a `Refusal` for a file that is not Baton's or that a newer Baton wrote.
   */
  constructor(path: string, options: SqliteJournalOptions = {}) {
    this.path = path;
    this.#isReadOnly = options.readOnly ?? false;
    this.#db = openDatabase(path, options);
    try {
      this.#sql = statements(this.#db);
      this.#blobs = new Blobs(this.#db, options.blobsFrom ?? 8192);
      this.#shapes = new Shapes(this.#db);
      this.#codec = new Codec(this.#blobs, this.#shapes);
      this.#rows = new LogRows(this.#sql, this.#codec);
      this.#retention = new Retention(this.#db, { blobs: this.#blobs, codec: this.#codec });
    } catch (error) {
      this.#db.close();
      throw unfitSchema(error, path); // the tables are not those that its version says
    }
  }

  append(batch: Batch): void {
    const { run, after, events, texts, head } = batch;
    if (this.#reading(() => this.#rows.addAlone(batch))) return;
    this.#transact([run], () => {
      if (after === 0) this.#rows.forget(run); // it may have been removed, and begun again, by another process
      const log = this.#rows.find(run) ?? this.#rows.create(run, after);
      if (events.length > 0) this.#rows.add(log, run, after, events);
      else if (this.#sql.end.get(log.id)?.["end"] !== after) throw new Conflict(run);
      for (const text of texts) this.#blobs.put(text);
      if (head !== undefined) this.#setHead(log, head, after + events.length);
    });
  }

  read(run: RunId, after: number, limit: number = Number.POSITIVE_INFINITY): readonly Event[] {
    if (limit <= 0) return [];
    return this.#reading(() => {
      const isKnown = this.#rows.knows(run);
      const events = this.#read(run, after, limit);
      if (events.length > 0 || !isKnown) return events;
      this.#rows.forget(run); // it may have been removed, and begun again, by another process
      return this.#read(run, after, limit);
    });
  }

  #read(run: RunId, after: number, limit: number): readonly Event[] {
    const events: Event[] = [];
    const log = this.#rows.find(run);
    if (log === undefined) return events;
    let end = after;
    try {
      for (const columns of this.#sql.rows.iterate(log.id, after)) {
        const row = { run, ...columns } as unknown as Row; // the columns that the statement names
        const isFirst = end === after;
        if (isFirst ? row.after > after : row.after !== end) throw new Error("it is missing");
        this.#codec.decode(row, after, events, limit);
        end = row.after + row.n;
        if (events.length >= limit) break;
      }
      if (events.length < limit) this.#refuseShortened(run, log, end);
    } catch (error) {
      if (error instanceof UnreadableLog || this.#closed) throw error;
      throw new UnreadableLog(run, end + 1, this.#told(error));
    }
    return events;
  }

  /** A log that is shorter than it was when its head was written has lost its end. */
  #refuseShortened(run: RunId, log: Log, end: number): void {
    const had = parseHead(run, this.#sql.head.get(run)?.["head"])?.seq ?? 0;
    if (had <= end) return;
    const now = this.#sql.end.get(log.id)?.["end"] as number; // somebody may have appended since the rows were read
    if (now < had) throw new Error(`it has had ${had} events, and the rest is missing`);
  }

  text(ref: string): string | undefined {
    return this.#reading(() => this.#blobs.get(ref));
  }

  head(run: RunId): RunHead | undefined {
    const row = this.#reading(() => this.#sql.head.get(run));
    return row === undefined || row["head"] === null ? undefined : this.#headIn(run, row["head"]);
  }

  runs({ status, prefix = "", limit, children = false }: RunFilter = {}): readonly RunHead[] {
    const most = limit === undefined || limit === Number.POSITIVE_INFINITY ? -1 : limit;
    const filter = [status ?? null, children ? 1 : 0, prefix, most] as const;
    const rows = this.#reading(() => this.#sql.heads.all(...filter));
    return rows.flatMap(({ name, head }) =>
      typeof name === "string" ? [this.#headIn(name as RunId, head)] : [],
    );
  }

  /** What a list shows of a run: a damaged head is made anew from the log (6). */
  #headIn(run: RunId, text: unknown): RunHead {
    const readLog = () => this.#reading(() => this.#read(run, 0, Number.POSITIVE_INFINITY));
    return parseHead(run, text)?.head ?? headAnew(run, readLog);
  }

  snapshot(run: RunId): StoredSnapshot | undefined {
    const row = this.#sql.snapshot.get(run) as { seq: number; state: string; crc: unknown } | undefined;
    if (row === undefined || !isWhole(row.state, row.crc)) return undefined;
    try {
      return { seq: row.seq, state: JSON.parse(row.state) as StoredSnapshot["state"] };
    } catch {
      return undefined; // only a cache: the log says the same
    }
  }

  saveSnapshot(run: RunId, { seq, state }: StoredSnapshot): void {
    this.#transact([run], () => {
      const log = this.#rows.find(run) ?? this.#rows.create(run, 0);
      const text = JSON.stringify(state);
      this.#sql.saveSnapshot.run(log.id, seq, text, checksum(text));
    });
  }

  weight(run: RunId, after: number): number {
    return this.#reading(() => {
      const log = this.#rows.find(run);
      return log === undefined ? 0 : (this.#sql.weight.get(log.id, after)?.["weight"] as number);
    });
  }

  remove(runs: readonly RunId[]): void {
    this.#transact(runs, () => this.#retention.remove(runs));
    for (const run of runs) this.#rows.forget(run);
  }

  vacuum({ dryRun = false }: VacuumOptions = {}): Vacuumed {
    if (dryRun) return this.#reading(() => this.#retention.estimate());
    let texts = 0;
    this.#transact([], () => {
      texts = this.#retention.dropTexts();
    });
    return { texts, bytes: this.#reading(() => this.#retention.compact()) };
  }

  /** Writes everything to the main file and releases it. May be called again. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    try {
      if (!this.#isReadOnly) this.#db.exec("PRAGMA wal_checkpoint(TRUNCATE)");
    } catch {
      // What did not get into the main file, on a full disk for one, is kept beside it for whoever opens it next.
    } finally {
      this.#db.close();
    }
  }

  #setHead(log: Log, head: RunHead, seq: number): void {
    this.#sql.setHead.run(head.status, head.parent ? 1 : 0, printHead(head, seq), log.id);
  }

  /** Throws what went wrong in words that say what to do; nothing of the work is then kept. */
  #transact(runs: readonly RunId[], work: () => void): void {
    this.#reading(() => this.#sql.begin.run());
    try {
      work();
      this.#sql.commit.run();
    } catch (error) {
      this.#rollBack();
      for (const run of runs) this.#rows.forget(run);
      this.#shapes.reset();
      throw named(error, this.path);
    }
  }

  #reading<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw this.#told(error);
    }
  }

  /** What went wrong, for people. A statement that failed on damage would tell it again at its next use. */
  #told(error: unknown): unknown {
    if (this.#closed) return new Refusal("wrong_state", `${this.path} is closed: open it again to go on.`);
    const told = named(error, this.path);
    if (told instanceof JournalFault && told.kind === "damaged")
      this.#rows.sql = this.#sql = statements(this.#db);
    return told;
  }

  #rollBack(): void {
    try {
      this.#sql.rollback.run();
    } catch {
      // SQLite has rolled back by itself, as it does when the disk is full; the error that counts is the first.
    }
  }
}
