/**
 * The rows of logs: how they are added at the end of a run's log, and joined when they are many.
 *
 * 1. A row goes in only when the log ends where the writer thinks.
 * 2. A damaged row is never joined: damage stays where it is, and is named by whoever reads it.
 * 3. What is remembered of a log is checked by the statement that relies on it.
 */

import type { RunId } from "../../base/names.ts";
import type { Event } from "../../kernel/event.ts";
import { type Batch, Conflict } from "../../run/journal.ts";
import { checksum, isWhole } from "./checksum.ts";
import type { Codec, Row } from "./codec.ts";
import type { Statements } from "./statements.ts";

/** How much of a log is joined to one row, in UTF-16 units. */
const SEGMENT = 65_536;
/** How many runs are remembered. */
const MOST_RUNS = 10_000;

export interface Log {
  readonly id: number;
  /** The first row that was not joined, known by the sequence number before it, and how much was added since. */
  looseFrom: number;
  loose: number;
  /** Where the last row begins, as far as this object knows. */
  last?: number | undefined;
}

/** A row as the statements take it. */
type NewRow = readonly [run: number, after: number, n: number, text: string, crc: number];

export class LogRows {
  /** Made anew after damage was met. */
  sql: Statements;
  readonly #codec: Codec;
  readonly #logs: Map<RunId, Log> = new Map();

  constructor(sql: Statements, codec: Codec) {
    this.sql = sql;
    this.#codec = codec;
  }

  /** The log of a run, if there is one. */
  find(run: RunId): Log | undefined {
    const known = this.#logs.get(run);
    if (known !== undefined) return known;
    const row = this.sql.find.get(run) as { id: number } | undefined;
    return row && this.#remember(run, row.id);
  }

  /** Begins a log. Call it in a transaction. */
  create(run: RunId, after: number): Log {
    if (after > 0) throw new Conflict(run);
    return this.#remember(run, Number(this.sql.create.run(run).lastInsertRowid));
  }

  knows(run: RunId): boolean {
    return this.#logs.has(run);
  }

  forget(run: RunId): void {
    this.#logs.delete(run);
  }

  /** Adds a row by one statement, a transaction of its own, where nothing else has to be written. Says whether it did. */
  addAlone({ run, after, events, texts, head }: Batch): boolean {
    if (texts.length > 0 || head !== undefined || events.length === 0) return false;
    const log = this.#logs.get(run);
    if (log?.last === undefined) return false;
    const text = this.#codec.encodeAlone(events);
    if (text === undefined || log.loose + text.length >= SEGMENT) return false;
    return this.#extend(log, [log.id, after, events.length, text, checksum(text)]);
  }

  /** Adds a row. Throws a `Conflict` when the log does not end at `after`. Call it in a transaction. */
  add(log: Log, run: RunId, after: number, events: readonly Event[]): void {
    const text = this.#codec.encode(events);
    const row = [log.id, after, events.length, text, checksum(text)] as const;
    if (!this.#extend(log, row)) {
      if (this.sql.insert.run(...row).changes === 0) throw new Conflict(run);
      log.last = after;
      log.loose += text.length;
    }
    if (log.loose >= SEGMENT) this.#join(log, after + events.length);
  }

  #extend(log: Log, row: NewRow): boolean {
    const { last } = log;
    if (last === undefined || this.sql.extend.run(...row, last).changes === 0) return false;
    log.last = row[1];
    log.loose += row[3].length;
    return true;
  }

  /** Joins the rows that were added since the last time, of which the log ends at `end` (2). */
  #join(log: Log, end: number): void {
    const rows = this.sql.loose.all(log.id, log.looseFrom) as unknown as readonly Row[]; // the columns that it names
    if (rows.every(({ text, crc }) => isWhole(text, crc))) {
      const text = rows.map((row) => row.text).join("\n");
      const n = rows.reduce((sum, row) => sum + row.n, 0);
      this.sql.join.run(log.id, log.looseFrom, n, text, checksum(text));
      this.sql.deleteJoined.run(log.id, log.looseFrom);
    }
    log.looseFrom = end;
    log.loose = 0;
    log.last = undefined;
  }

  #remember(run: RunId, id: number): Log {
    if (this.#logs.size >= MOST_RUNS) this.#logs.clear();
    const end = this.sql.end.get(id)?.["end"] as number;
    const log = { id, looseFrom: end, loose: 0, last: undefined };
    this.#logs.set(run, log);
    return log;
  }
}
