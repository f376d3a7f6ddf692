/**
 * The port to the files that turns work on: what they were before a turn, and what has become of them since.
 *
 * A folder is an absolute path; without one it is the folder of the run.
 */

import type { Json } from "../base/json.ts";

export interface WorkingTree {
  /** Marks the files as they are; nothing where they cannot be compared. A mark is as good in a later process. */
  mark(folder?: string, how?: Marking): Promise<Json | undefined>;
  /** What differs from the mark; nothing when nothing does. Rejects with a sentence when it cannot be told any more. */
  changes(mark: Json, folder?: string): Promise<Changes | undefined>;
  /** Puts these paths back as they were at the mark, and touches no other. */
  restore(mark: Json, paths: readonly string[], folder?: string): Promise<void>;
}

export interface Marking {
  /** True to look at files that the repository ignores, too. */
  readonly ignored?: boolean;
}

export interface Changes {
  /** A unified diff; empty when only ignored files differ. */
  readonly diff: string;
  /** The files that were added, changed or removed, relative to the folder, with `/` between their parts. */
  readonly paths: readonly string[];
  /** Ignored files that differ, where they were marked; they are in no diff and cannot be put back. */
  readonly ignored?: readonly string[];
  /** The mark of the files as they are now, where they can be had back later. */
  readonly after?: Json;
}
