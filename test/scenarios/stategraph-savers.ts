/** The ways in which a graph may keep its threads: every promise about threads holds for all of them. */

import { MemorySaver } from "batonjs";
import { SqliteJournal } from "../../src/journals/sqlite/sqlite-journal.ts";
import type { RetainingJournal } from "../../src/run/journal.ts";

export const SAVERS: [name: string, make: () => RetainingJournal][] = [
  ["MemorySaver", () => new MemorySaver()],
  ["SqliteSaver", () => new SqliteJournal(":memory:")],
];

let threads = 0;

/** The config of a thread that nobody else uses. */
export function newThread(): { configurable: { thread_id: string } } {
  return { configurable: { thread_id: `thread-${++threads}` } };
}
