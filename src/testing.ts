/** The door to what adapters are tested with: an adapter is whatever passes the suite of its port. */

export { Crash, type CrashPlan, FaultyJournal } from "./testing/faulty-journal.ts";
export {
  type JournalCase,
  type JournalSubject,
  journalConformance,
  retentionConformance,
} from "./testing/journal.ts";
