/** A check says everything that is wrong with a loadout file before anything runs. */

import type { Issue } from "../../../base/issue.ts";
import type { Json } from "../../../base/json.ts";
import { passes } from "../../../base/shape.ts";
import { partsOf, type ReadOptions, readAll } from "../read.ts";
import { sketchOf } from "./sketch.ts";
import { type Termination, terminationOf } from "./termination.ts";

export type { Termination } from "./termination.ts";

export interface LoadoutCheck {
  readonly ok: boolean;
  readonly errors: readonly Issue[];
  readonly warnings: readonly Issue[];
  /** Of the loadout that would run; `unknown` when it has errors. */
  readonly termination: Termination;
}

const UNKNOWN: Termination = { verdict: "unknown", bound: null, cycle: null };

/** Checks a file with everything in it. It never throws, whatever the file holds. */
export function checkLoadout(json: Json, options: ReadOptions = {}): LoadoutCheck {
  const { issues, active } = readAll(json, options);
  return {
    ok: passes(issues),
    errors: issues.filter(({ severity }) => severity === "error"),
    warnings: issues.filter(({ severity }) => severity === "warning"),
    termination: active.ok ? terminationOf(sketchOf(partsOf(active.definition))) : UNKNOWN,
  };
}
