/**
 * Taking an edit gives a new text, or says in a sentence why there is none.
 *
 * 1. A text that reads stays one that reads: an edit that would bring in a fault is refused with what is wrong.
 * 2. A text that has faults may be edited, as long as there come no others to them: that is how it is mended.
 */

import type { Issue, Json } from "../model/baton.ts";
import { type Change, changed } from "./text/change.ts";

/** What an edit comes to: changes of the text, or the sentence why there are none. */
export type Edit = readonly Change[] | string;

export type Performed =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly why: string };

export function take(before: string, edit: Edit, errorsOf: (json: Json) => readonly Issue[]): Performed {
  if (typeof edit === "string") return { ok: false, why: edit };
  const text = changed(before, edit);
  if (text === before) return { ok: true, text };
  const errors = errorsOf(JSON.parse(text) as Json);
  if (errors.length === 0) return { ok: true, text };
  const known = new Set(errorsOf(JSON.parse(before) as Json).map(({ message }) => message));
  const fresh = errors.find(({ message }) => !known.has(message));
  if (fresh === undefined) return { ok: true, text };
  return { ok: false, why: [fresh.message, fresh.hint].filter((part) => part !== "").join(" ") };
}
