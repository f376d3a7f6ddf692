/** The statements of a SQLite journal, prepared once; `?1` is the number of a run where not said otherwise. */

import type { DatabaseSync } from "node:sqlite";

const END = `coalesce((
  SELECT (id & 4294967295) + n FROM log
  WHERE id >= ?1 << 32 AND id < (?1 + 1) << 32 ORDER BY id DESC LIMIT 1
), 0)`;

/** The first row that starts at `?2` or later: where that row was once, another process may have joined it. */
const FIRST = "(SELECT min(id) FROM log WHERE id >= ?1 << 32 | ?2 AND id < (?1 + 1) << 32)";

/** The rows with an event after `?2`. */
const AFTER = `
  id >= coalesce((
    SELECT id FROM log WHERE id BETWEEN ?1 << 32 AND ?1 << 32 | ?2 ORDER BY id DESC LIMIT 1
  ), ?1 << 32) AND id < (?1 + 1) << 32 AND (id & 4294967295) + n > ?2`;

type Name =
  | ("begin" | "commit" | "rollback")
  | ("insert" | "extend" | "end" | "rows" | "weight" | "loose" | "join" | "deleteJoined")
  | ("find" | "create" | "head" | "setHead" | "heads" | "snapshot" | "saveSnapshot");

const SQL: Readonly<Record<Name, string>> = {
  begin: "BEGIN IMMEDIATE",
  commit: "COMMIT",
  rollback: "ROLLBACK",

  /** Adds a row (run, after, n, text, crc) when the log ends at `after`. */
  insert: `INSERT INTO log (id, n, text, crc) SELECT ?1 << 32 | ?2, ?3, ?4, ?5 WHERE ?2 = ${END}`,
  /** The same where the log is known to end with the row that starts at `?6`; adds nothing when it does not. */
  extend: `INSERT OR IGNORE INTO log (id, n, text, crc) SELECT ?1 << 32 | ?2, ?3, ?4, ?5
    WHERE EXISTS (SELECT 1 FROM log WHERE id = ?1 << 32 | ?6 AND n = ?2 - ?6)`,
  /** The sequence number of the last event. */
  end: `SELECT ${END} AS "end"`,
  rows: `SELECT id & 4294967295 AS after, n, text, crc FROM log WHERE ${AFTER} ORDER BY id`,
  weight: `SELECT coalesce(sum(octet_length(text)), 0) AS weight FROM log WHERE ${AFTER}`,
  /** The rows from `?2` on. */
  loose: `SELECT id & 4294967295 AS after, n, text, crc FROM log
    WHERE id >= ?1 << 32 | ?2 AND id < (?1 + 1) << 32 ORDER BY id`,
  /** Makes one row (n, text, crc) of them. */
  join: `UPDATE log SET n = ?3, text = ?4, crc = ?5 WHERE id = ${FIRST}`,
  /** Deletes the rows that `join` has joined to the first of them. */
  deleteJoined: `DELETE FROM log WHERE id > ${FIRST} AND id < (?1 + 1) << 32`,

  /** `?1` is the id of a run in the next four. */
  find: "SELECT id FROM runs WHERE name = ?1",
  create: "INSERT INTO runs (name) VALUES (?1)",
  head: "SELECT head FROM runs WHERE name = ?1",
  snapshot: "SELECT seq, state, crc FROM snapshots WHERE run = (SELECT id FROM runs WHERE name = ?1)",
  /** Sets status, child and head of the run `?4`. */
  setHead: `UPDATE runs SET status = ?1, child = ?2, head = ?3,
    changed = (SELECT coalesce(max(changed), 0) + 1 FROM runs) WHERE id = ?4`,
  /** The heads with a status (any when null), with children or not, with a prefix, and how many at most. */
  heads: `SELECT name, head FROM runs
    WHERE changed > 0 AND status = coalesce(?1, status) AND child <= ?2 AND substr(name, 1, length(?3)) = ?3
    ORDER BY changed DESC LIMIT ?4`,
  saveSnapshot: `INSERT INTO snapshots (run, seq, state, crc) VALUES (?1, ?2, ?3, ?4)
    ON CONFLICT DO UPDATE SET seq = excluded.seq, state = excluded.state, crc = excluded.crc`,
};

export type Statements = Readonly<Record<Name, Statement>>;

type Value = string | number | null;
type Columns = Record<string, unknown>;

/** A prepared statement whose parameters are numbered. */
export interface Statement {
  run(...values: Value[]): { readonly changes: number | bigint; readonly lastInsertRowid: number | bigint };
  get(...values: Value[]): Columns | undefined;
  all(...values: Value[]): Columns[];
  iterate(...values: Value[]): Iterable<Columns>;
}

export function statements(db: DatabaseSync): Statements {
  const prepared = Object.entries(SQL).map(([name, sql]) => [name, prepare(db, sql)]);
  return Object.fromEntries(prepared) as Statements; // one for each row of the table
}

/** Node 22.13 cannot bind numbered parameters, so each place gets a parameter, and its value in that order. */
function prepare(db: DatabaseSync, sql: string): Statement {
  const places = [...sql.matchAll(/\?(\d)/g)].map(([, number]) => Number(number) - 1);
  const statement = db.prepare(sql.replaceAll(/\?\d/g, "?"));
  const spread = (values: readonly Value[]) => places.map((place) => values[place] as Value);
  return {
    run: (...values) => statement.run(...spread(values)),
    get: (...values) => statement.get(...spread(values)),
    all: (...values) => statement.all(...spread(values)),
    iterate: (...values) => statement.iterate(...spread(values)) as Iterable<Columns>,
  };
}
