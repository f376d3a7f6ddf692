/** A difference is the first place where two JSON values are not the same. */

import { pointer } from "../base/issue.ts";
import { isJsonObject, type Json, sameJson } from "../base/json.ts";

export interface Difference {
  /** A JSON pointer (RFC 6901); the empty string is the whole of both. */
  readonly path: string;
  /** Absent on the side that has nothing there. */
  readonly left?: Json;
  readonly right?: Json;
}

/** Finds where two values differ first, in the order of the left one's keys; nothing when they are the same. */
export function firstDifference(left: Json | undefined, right: Json | undefined): Difference | undefined {
  for (const difference of differences(left, right)) return difference;
  return undefined;
}

/** Every smallest place where two values differ. */
export function* differences(
  left: Json | undefined,
  right: Json | undefined,
  at: readonly (string | number)[] = [],
): Generator<Difference> {
  if (sameJson(left, right)) return;
  if (Array.isArray(left) && Array.isArray(right)) {
    for (let i = 0; i < Math.max(left.length, right.length); i++) {
      yield* differences(left[i] as Json | undefined, right[i] as Json | undefined, [...at, i]);
    }
  } else if (isJsonObject(left) && isJsonObject(right)) {
    for (const key of new Set([...Object.keys(left), ...Object.keys(right)])) {
      const own = (side: typeof left): Json | undefined => (Object.hasOwn(side, key) ? side[key] : undefined);
      yield* differences(own(left), own(right), [...at, key]);
    }
  } else {
    yield {
      path: pointer(...at),
      ...(left !== undefined && { left }),
      ...(right !== undefined && { right }),
    };
  }
}
