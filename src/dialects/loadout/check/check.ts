/** A check says everything that is wrong with a loadout file before anything runs. */

import type { Issue } from "../../../base/issue.ts";
import type { Json } from "../../../base/json.ts";
import { passes } from "../../../base/shape.ts";
import { type Termination, UNKNOWN_TERMINATION } from "../../termination.ts";
import { type Proof, prove } from "../prove/prove.ts";
import { type ReadOptions, readAll } from "../read.ts";
import { sketchOf } from "./sketch.ts";

export interface LoadoutCheck {
  readonly ok: boolean;
  readonly errors: readonly Issue[];
  readonly warnings: readonly Issue[];
  /** Of the loadout that would run; `unknown` when it has errors. */
  readonly termination: Termination;
  /** What else the prover found out about that loadout; absent when it has errors. */
  readonly proof?: Proof;
}

/** Checks a file with everything in it. It never throws, whatever the file holds. */
export function checkLoadout(json: Json, options: ReadOptions = {}): LoadoutCheck {
  const { issues, active, parts } = readAll(json, options);
  const proof = active.ok && parts ? prove(sketchOf(parts)) : undefined;
  return {
    ok: passes(issues),
    errors: issues.filter(({ severity }) => severity === "error"),
    warnings: issues.filter(({ severity }) => severity === "warning"),
    termination: proof?.termination ?? UNKNOWN_TERMINATION,
    ...(proof && { proof }),
  };
}
