/** `batonjs/sqlite`: runs kept in a file, which several processes may use at once. */

export type { DatabaseOptions } from "./journals/sqlite/database.ts";
export {
  SqliteJournal,
  SqliteJournal as SqliteSaver,
  type SqliteJournalOptions,
} from "./journals/sqlite/sqlite-journal.ts";
export { JournalFault } from "./journals/sqlite/trouble.ts";
