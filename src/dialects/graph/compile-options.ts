/** The options of compile() are how a graph runs, wherever its threads are kept. */

import type { Issue } from "../../base/issue.ts";
import type { NodeName } from "../../base/names.ts";
import type { Pace } from "../../kernel/plan.ts";
import type { Cache } from "./cache.ts";
import type { NodeDefaults } from "./node-options.ts";

export interface CompileOptions {
  readonly name?: string;
  /** `step` (the default) commits a superstep together; `turn` commits each node as it ends. */
  readonly pace?: Pace;
  /** Nodes before which the run pauses; `"*"` is all of them. */
  readonly interruptBefore?: readonly NodeName[] | "*";
  readonly interruptAfter?: readonly NodeName[] | "*";
  /** The most nodes that run at once; no limit by default. */
  readonly maxConcurrency?: number;
  /** Holds for every node that does not say otherwise. */
  readonly defaults?: NodeDefaults;
  /** Where nodes with the option `cache` keep their results; in memory by default, for this graph alone. */
  readonly cache?: Cache;
  /** What whoever compiles has found wrong already. */
  readonly found?: readonly Issue[];
}
