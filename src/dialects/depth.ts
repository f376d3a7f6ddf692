/** How deep what an agent says may be nested: a log that nobody could read again would end its run for good. */

import type { Json } from "../base/json.ts";

/** Levels of objects and lists. */
export const DEEPEST = 500;

/** Says whether a value is nested deeper than that. It looks level by level: a recursion is what it guards against. */
export function isTooDeep(value: Json): boolean {
  let level: readonly Json[] = [value];
  for (let depth = 0; depth < DEEPEST && level.length > 0; depth++) {
    level = level.flatMap((one) => {
      if (typeof one !== "object" || one === null) return [];
      return Object.values(one).filter((inner) => typeof inner === "object" && inner !== null) as Json[]; // it holds JSON
    });
  }
  return level.length > 0;
}
