/** Performing an edit of a loadout: the rules of `take`, with what is wrong with a loadout. */

import { type Issue, type Json, readLoadout } from "../../model/baton.ts";
import type { Edit } from "../take.ts";
import { type Performed, take } from "../take.ts";
import type { Draft } from "./draft.ts";

export function perform(draft: Draft, edit: Edit): Performed {
  const { below, name, names } = draft;
  const options = { below, ...(names.length > 0 && { name }) };
  const errorsOf = (json: Json): readonly Issue[] => {
    const read = readLoadout(json, options);
    return read.ok ? [] : read.errors.filter((issue) => !isBlank(issue));
  };
  return take(draft.text, edit, errorsOf);
}

/** A loadout without sockets is no fault of an edit: taking the last one away leaves a blank canvas. */
function isBlank({ pointer, code }: Issue): boolean {
  return code === "unknown_socket" && pointer.endsWith("/entry");
}
