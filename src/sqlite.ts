/** The door to journals in SQLite files. */

export type { DatabaseOptions } from "./journals/sqlite/database.ts";
export { SqliteJournal, type SqliteJournalOptions } from "./journals/sqlite/sqlite-journal.ts";
