/**
 * The conformance suite of journals: what passes it is a journal.
 *
 * It is a list of named cases for any test runner:
 *
 *     for (const { name, run } of journalConformance({ open: () => new MyJournal() })) test(name, run);
 *
 * A journal that can forget runs has a second list, `retentionConformance`.
 */

import type { Journal, Maybe, RetainingJournal } from "../run/journal.ts";
import { appendCases } from "./journal/append.ts";
import { contentCases } from "./journal/content.ts";
import { listCases } from "./journal/list.ts";
import { retentionCases, sharedRetentionCases } from "./journal/retention.ts";
import { sharedCases } from "./journal/shared.ts";

export interface JournalSubject<Kind extends Journal = Journal> {
  /** Opens a journal on a new, empty store. */
  open(): Maybe<Kind>;
  /** Opens the store of a journal, which stays open, once more; absent where a store has one user only. */
  reopen?(journal: Kind): Maybe<Kind>;
}

export interface JournalCase {
  readonly name: string;
  /** Rejects with an `AssertionError` when the journal is none. */
  run(): Promise<void>;
}

/** The cases for one kind of journal, each on a store of its own. */
export function journalConformance(subject: JournalSubject): readonly JournalCase[] {
  return casesOf(subject, { ...appendCases, ...contentCases, ...listCases }, sharedCases);
}

/** The cases for a journal that can forget runs, besides those that are for all. */
export function retentionConformance(subject: JournalSubject<RetainingJournal>): readonly JournalCase[] {
  return casesOf(subject, retentionCases, sharedRetentionCases);
}

type Cases<Journals extends readonly Journal[]> = Readonly<
  Record<string, (...journals: Journals) => Promise<void>>
>;

function casesOf<Kind extends Journal>(
  subject: JournalSubject<Kind>,
  alone: Cases<[Kind]>,
  shared: Cases<[Kind, Kind]>,
): readonly JournalCase[] {
  const open = () => subject.open();
  const reopen = subject.reopen?.bind(subject);
  const one = Object.entries(alone).map(
    ([name, check]): JournalCase => ({
      name,
      run: async () => closing([await open()], check),
    }),
  );
  if (reopen === undefined) return one;
  const two = Object.entries(shared).map(
    ([name, check]): JournalCase => ({
      name,
      async run() {
        const first = await open();
        await closing([first, await reopen(first)], check);
      },
    }),
  );
  return [...one, ...two];
}

/** Closes the journals that were checked, the last one first. */
async function closing<Journals extends readonly Journal[]>(
  journals: Journals,
  check: (...journals: Journals) => Promise<void>,
): Promise<void> {
  try {
    await check(...journals);
  } finally {
    for (const journal of journals.toReversed()) await journal.close();
  }
}
