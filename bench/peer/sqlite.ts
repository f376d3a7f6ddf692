/**
 * The peer's SQLite saver on the SQLite that Node brings, so that both sides write through the same library and nothing
 * has to be compiled. Of `better-sqlite3`, for which it was written, the saver asks no more than stands here.
 */

import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
import { SqliteSaver } from "@langchain/langgraph-checkpoint-sqlite";

/** A statement that takes `undefined` for NULL. */
class Statement {
  readonly #statement: StatementSync;

  constructor(statement: StatementSync) {
    this.#statement = statement;
  }

  run(...values: readonly (SQLInputValue | undefined)[]): unknown {
    return this.#statement.run(...values.map(orNull));
  }

  get(...values: readonly (SQLInputValue | undefined)[]): unknown {
    return this.#statement.get(...values.map(orNull));
  }

  all(...values: readonly (SQLInputValue | undefined)[]): unknown[] {
    return this.#statement.all(...values.map(orNull));
  }
}

function orNull(value: SQLInputValue | undefined): SQLInputValue {
  return value === undefined ? null : value;
}

class Database {
  readonly #db: DatabaseSync;
  readonly #begin: StatementSync;
  readonly #commit: StatementSync;

  constructor(path: string) {
    this.#db = new DatabaseSync(path);
    this.#begin = this.#db.prepare("BEGIN");
    this.#commit = this.#db.prepare("COMMIT");
  }

  pragma(text: string): void {
    this.#db.exec(`PRAGMA ${text}`);
  }

  exec(sql: string): void {
    this.#db.exec(sql);
  }

  prepare(sql: string): Statement {
    return new Statement(this.#db.prepare(sql));
  }

  /** The same function inside of a transaction. */
  transaction<Args extends readonly unknown[]>(work: (...args: Args) => void): (...args: Args) => void {
    return (...args) => {
      this.#begin.run();
      work(...args);
      this.#commit.run();
    };
  }

  close(): void {
    this.#db.exec("PRAGMA wal_checkpoint(TRUNCATE)");
    this.#db.close();
  }
}

export interface PeerSaver {
  readonly saver: SqliteSaver;
  close(): void;
}

/** A saver on a file, in WAL mode (which the saver sets) and with the same `synchronous` as Baton's journal. */
export function openPeerSaver(path: string): PeerSaver {
  const db = new Database(path);
  db.pragma("synchronous = NORMAL");
  return { saver: new SqliteSaver(db), close: () => db.close() };
}
