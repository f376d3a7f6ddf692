/** The flags that every verb takes. */

import type { Flag } from "./verb.ts";

/** Where runs are kept when `--db` does not say. */
export const DEFAULT_DB = ".baton/baton.db";

export const GLOBAL_FLAGS: readonly Flag[] = [
  ["--db <file>", `the database of runs (default ${DEFAULT_DB}; :memory: lasts as long as the command)`],
  ["--json", "print exactly one JSON document"],
  ["--jsonl", "print events, one JSON document per line"],
  ["--no-color", "print no colours (also: NO_COLOR=1)"],
  ["-q, --quiet", "tell no progress"],
  ["-v, --verbose", "tell more"],
];
