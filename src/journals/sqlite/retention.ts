/**
 * Retention: runs are removed, and the texts that only they referred to are dropped.
 *
 * 1. The number of a removed run is never given to another one: a process that still knows it finds nothing there.
 *    While the highest number is that of a removed run, a mark without a name holds its place.
 * 2. A text is dropped only while nobody can append, and when no log refers to it.
 */

import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { RunId } from "../../base/names.ts";
import type { Vacuumed } from "../../run/journal.ts";
import { referredIn } from "../referred.ts";
import type { Blobs } from "./blobs.ts";
import type { Codec } from "./codec.ts";

/** No run has this name. */
const MARK = "";

/** The snapshots of runs that somebody removed while another process was still writing one. */
const ORPHANS = "DELETE FROM snapshots WHERE run NOT IN (SELECT id FROM runs WHERE name <> '')";

export class Retention {
  readonly #db: DatabaseSync;
  readonly #blobs: Blobs;
  readonly #codec: Codec;

  constructor(db: DatabaseSync, { blobs, codec }: { readonly blobs: Blobs; readonly codec: Codec }) {
    this.#db = db;
    this.#blobs = blobs;
    this.#codec = codec;
  }

  /** Removes runs. Call it in a transaction. */
  remove(runs: readonly RunId[]): void {
    const last = this.#prepare("SELECT max(id) AS last FROM runs").get()?.["last"] ?? null;
    const find = this.#prepare("SELECT id FROM runs WHERE name = ?");
    const deletions = [
      "DELETE FROM log WHERE id >= ?1 << 32 AND id < (?1 + 1) << 32",
      "DELETE FROM snapshots WHERE run = ?1",
      "DELETE FROM runs WHERE id = ?1",
    ].map((sql) => this.#prepare(sql));
    for (const run of runs) {
      const id = find.get(run)?.["id"];
      if (id !== undefined) for (const deletion of deletions) deletion.run(id);
    }
    if (last === null) return;
    this.#prepare("DELETE FROM runs WHERE name = ?").run(MARK);
    this.#prepare("INSERT OR IGNORE INTO runs (id, name) VALUES (?, ?)").run(last, MARK); // (1)
  }

  /** Drops the texts that no log refers to; says how many. Call it in a transaction (2). */
  dropTexts(): number {
    const unused = this.#unused();
    const drop = this.#prepare("DELETE FROM blobs WHERE ref = ?");
    for (const ref of unused) drop.run(ref);
    this.#db.exec(ORPHANS);
    return unused.length;
  }

  /** Writes the file anew without its gaps. Not in a transaction. */
  compact(): Vacuumed["bytes"] {
    const before = this.#size();
    this.#db.exec("VACUUM; PRAGMA wal_checkpoint(TRUNCATE)");
    return { before, after: this.#size() };
  }

  /** What dropping texts and compacting would come to, about. Changes nothing. */
  estimate(): Vacuumed {
    const unused = this.#unused();
    const size = this.#prepare("SELECT length(CAST(text AS BLOB)) AS size FROM blobs WHERE ref = ?");
    const free = "SELECT freelist_count * page_size AS size FROM pragma_freelist_count, pragma_page_size";
    const before = this.#size();
    const texts = unused.reduce((sum, ref) => sum + (size.get(ref)?.["size"] as number), 0); // `#unused` read them
    const gaps = this.#prepare(free).get()?.["size"] as number; // always one row
    return { texts: unused.length, bytes: { before, after: Math.max(0, before - texts - gaps) } };
  }

  /** The texts that no log refers to. */
  #unused(): readonly string[] {
    const referred = referredIn(this.#logs(), (ref) => this.#blobs.get(ref));
    return this.#prepare("SELECT ref FROM blobs")
      .all()
      .map(({ ref }) => ref as string)
      .filter((ref) => !referred.has(ref));
  }

  *#logs(): Generator<string> {
    for (const { text } of this.#prepare("SELECT text FROM log").iterate())
      yield* this.#codec.print(text as string);
  }

  #size(): number {
    const sql = "SELECT page_count * page_size AS size FROM pragma_page_count, pragma_page_size";
    return this.#prepare(sql).get()?.["size"] as number; // always one row
  }

  #prepare(sql: string): StatementSync {
    return this.#db.prepare(sql);
  }
}
