/** Rework is the reason why work came back: captured on a chosen `not_satisfied` edge, shown once to who gets it. */

import type { JsonObject } from "../../base/json.ts";
import { type Rework, reworkOf } from "./scope.ts";

/** The most characters of a reason. */
const REASON = 900;
/** The most entries that a prompt shows, and the most characters of all of them. */
const ENTRIES = 5;
const CHARACTERS = 2400;

/** The reason in an output: its `context`, else the beginning of its text; white space is folded. */
export function reasonOf(output: { readonly text: string; readonly json?: JsonObject | undefined }): string {
  const context = output.json?.["context"];
  const said = typeof context === "string" && context.trim() !== "" ? context : output.text;
  return clip(said.replace(/\s+/g, " ").trim(), REASON);
}

/** The open rework of a socket with one more entry; what is too old to be shown is dropped. */
export function capture(scope: JsonObject, target: string, entry: Rework): readonly Rework[] {
  return [...reworkOf(scope, target), entry].slice(-ENTRIES);
}

/** The part of a prompt that tells of open rework: the newest entries that fit. */
export function renderRework(entries: readonly Rework[]): string | undefined {
  const lines: string[] = [];
  let room = CHARACTERS;
  for (const { label, from, item, reason } of entries.slice(-ENTRIES).toReversed()) {
    const line = clip(`- ${label} (${from}${item === undefined ? "" : `, ${item}`}): ${reason}`, room);
    if (line.length < 2) break;
    lines.unshift(line);
    room -= line.length + 1;
  }
  return lines.length === 0 ? undefined : lines.join("\n");
}

/** A text cut to a length, with a sign where it was cut. */
export function clip(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, Math.max(0, most - 1))}…`;
}
