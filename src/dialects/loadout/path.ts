/**
 * A path points into JSON: `$.a.b` into the output of the socket, `state.a.b` into the state of the run.
 *
 * 1. Only own keys are followed; a list is entered by its index.
 * 2. Writing copies what it changes and nothing else.
 */

import { assign, isJsonObject, type Json, type JsonObject } from "../../base/json.ts";

export interface Path {
  readonly root: "$" | "state";
  readonly keys: readonly string[];
}

/** Reads a source such as `$.review.verdict`, `$` or `state.plan.0`; nothing when it is none. */
export function parseSource(text: string): Path | undefined {
  const [root, ...keys] = text.split(".");
  if ((root !== "$" && root !== "state") || keys.some((key) => key === "")) return undefined;
  return { root, keys };
}

/** Reads the target of an assignment: `review` and `state.review` are the same. Nothing when it is none. */
export function parseTarget(text: string): readonly string[] | undefined {
  const keys = text.split(".");
  const target = keys.length > 1 && keys[0] === "state" ? keys.slice(1) : keys;
  return target.some((key) => key === "" || key === "$" || key === "__proto__") ? undefined : target;
}

/** What stands at a path, or `undefined` when nothing does. */
export function readPath(value: Json | undefined, keys: readonly string[]): Json | undefined {
  let here = value;
  for (const key of keys) {
    if (Array.isArray(here))
      here = /^(0|[1-9]\d*)$/.test(key) ? (here[Number(key)] as Json | undefined) : undefined;
    else if (isJsonObject(here) && Object.hasOwn(here, key)) here = here[key];
    else return undefined;
  }
  return here;
}

/** The object with a value put at a path; what stood in the way of the path is replaced. */
export function writePath(
  object: JsonObject,
  [key = "", ...rest]: readonly string[],
  value: Json,
): JsonObject {
  const copy: Record<string, Json> = { ...object };
  const inner = Object.hasOwn(object, key) ? object[key] : undefined;
  assign(copy, key, rest.length === 0 ? value : writePath(isJsonObject(inner) ? inner : {}, rest, value));
  return copy;
}
