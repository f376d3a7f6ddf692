/** A setting is a value, or a value in an object, that may be absent; an object without one is absent too. */

import type { Json, JsonObject } from "../../model/baton.ts";
import type { Change } from "./change.ts";
import { objectAt } from "./held.ts";
import { setOrRemove } from "./set.ts";

/** Sets it in what is held; `undefined` takes it away, with the object around it when nothing else is in there. */
export function settingIn(held: JsonObject, path: readonly string[], value: Json | undefined): Change {
  const [first, second] = path;
  const isLast =
    value === undefined &&
    first !== undefined &&
    second !== undefined &&
    Object.keys(objectAt(held, first)).every((key) => key === second);
  return setOrRemove(isLast ? [first] : path, value);
}
