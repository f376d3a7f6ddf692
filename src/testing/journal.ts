/**
 * The conformance suite of journals: what passes it is a journal.
 *
 * It is a list of named cases for any test runner:
 *
 *     for (const { name, run } of journalConformance({ open: () => new MyJournal() })) test(name, run);
 */

import type { Journal, Maybe } from "../run/journal.ts";
import { appendCases } from "./journal/append.ts";
import { contentCases } from "./journal/content.ts";
import { listCases } from "./journal/list.ts";
import { sharedCases } from "./journal/shared.ts";

export interface JournalSubject {
  /** Opens a journal on a new, empty store. */
  open(): Maybe<Journal>;
  /** Opens the store of a journal, which stays open, once more; absent where a store has one user only. */
  reopen?(journal: Journal): Maybe<Journal>;
}

export interface JournalCase {
  readonly name: string;
  /** Rejects with an `AssertionError` when the journal is none. */
  run(): Promise<void>;
}

/** The cases for one kind of journal, each on a store of its own. */
export function journalConformance(subject: JournalSubject): readonly JournalCase[] {
  const alone = Object.entries({ ...appendCases, ...contentCases, ...listCases }).map(
    ([name, check]): JournalCase => ({
      name,
      async run() {
        const journal = await subject.open();
        try {
          await check(journal);
        } finally {
          await journal.close();
        }
      },
    }),
  );
  const { reopen } = subject;
  if (reopen === undefined) return alone;
  const shared = Object.entries(sharedCases).map(
    ([name, check]): JournalCase => ({
      name,
      async run() {
        const one = await subject.open();
        const other = await reopen.call(subject, one);
        try {
          await check(one, other);
        } finally {
          await other.close();
          await one.close();
        }
      },
    }),
  );
  return [...alone, ...shared];
}
