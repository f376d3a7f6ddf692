/** The changes that most edits are made of. */

import type { Json, JsonObject } from "../../model/baton.ts";
import type { Change } from "./change.ts";
import type { Path } from "./tree.ts";

export function set(path: Path, value: Json): Change {
  return { type: "set", path, value };
}

export function setOrRemove(path: Path, value: Json | undefined): Change {
  return value === undefined ? { type: "remove", path } : set(path, value);
}

/** Removes items of a list, and the list when none is left. */
export function withoutItems(
  path: Path,
  items: readonly JsonObject[],
  goes: (item: JsonObject, index: number) => boolean,
): readonly Change[] {
  const gone = items.flatMap((item, index) => (goes(item, index) ? [index] : []));
  if (gone.length > 0 && gone.length === items.length) return [{ type: "remove", path }];
  return gone.toReversed().map((index) => ({ type: "remove", path: [...path, index] }));
}

/** Removes members of an object, and the object when none is left. */
export function withoutKeys(path: Path, held: JsonObject, gone: readonly string[]): readonly Change[] {
  const there = gone.filter((key) => Object.hasOwn(held, key));
  if (there.length > 0 && there.length === Object.keys(held).length) return [{ type: "remove", path }];
  return there.map((key) => ({ type: "remove", path: [...path, key] }));
}
