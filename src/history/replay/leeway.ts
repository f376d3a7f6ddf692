/**
 * Leeway is what may differ between a replay and a log though both decided alike.
 *
 * 1. The id of a run is part of the names of its branches; a run that was forked or imported has another one.
 * 2. Under a changed definition prompts, and whom a turn was told it can write to, are others; what was said to them
 *    still counts.
 */

import { isJsonObject, type Json } from "../../base/json.ts";

const SAID: ReadonlySet<string> = new Set(["prompt", "full", "sent", "form", "contacts"]);

/** The value of now with what may differ as it was recorded. */
export function underOther(recorded: Json, now: Json, { isChanged }: { readonly isChanged: boolean }): Json {
  const settled = (before: Json | undefined, value: Json, key: string): Json => {
    if (before === undefined) return value;
    if (key === "branch" && isSameBranch(before, value)) return before; // (1)
    if (isChanged && (SAID.has(key) || isRole(key, before, value))) return before; // (2)
    if (Array.isArray(value) && Array.isArray(before)) {
      return value.map((item, index) => settled(before[index] as Json | undefined, item as Json, ""));
    }
    if (!isJsonObject(value) || !isJsonObject(before)) return value;
    const entries = Object.entries(value).map(([name, held]): [string, Json] => {
      return [name, settled(Object.hasOwn(before, name) ? before[name] : undefined, held, name)];
    });
    return Object.fromEntries(entries);
  };
  return settled(recorded, now, "");
}

/** The digest of what an agent was told to be, which its session keeps. */
function isRole(key: string, ...values: readonly Json[]): boolean {
  return key === "role" && values.every((value) => typeof value === "string" && /^[0-9a-f]{16}$/.test(value));
}

/** `baton/<run>/<rest>`, with the same rest. */
function isSameBranch(one: Json, other: Json): boolean {
  if (typeof one !== "string" || typeof other !== "string") return false;
  const [a = [], b = []] = [one.split("/"), other.split("/")];
  return a[0] === "baton" && b[0] === "baton" && a.at(-1) === b.at(-1);
}
