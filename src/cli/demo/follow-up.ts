/** The follow-up context of a run: what a prompt said about work that had come back. */

import { isJsonObject } from "../../base/json.ts";
import type { RunId } from "../../base/names.ts";
import type { Journal } from "../../run/journal.ts";
import { readEvents } from "../../run/load.ts";

const HEADING = "## Runtime follow-up context";

/** Finds the first prompt that was given to a socket after something was sent back to it, and that part of it. */
export async function findFollowUp(journal: Journal, run: RunId): Promise<string | undefined> {
  const returned = new Set<unknown>();
  for await (const event of readEvents(journal, run, 0)) {
    if (event.type !== "task.noted" || !isJsonObject(event.data)) continue;
    const { to, socket, prompt } = event.data;
    if (event.kind === "loadout.rework") returned.add(to);
    if (event.kind !== "loadout.turn" || !returned.has(socket) || typeof prompt !== "string") continue;
    const part = partOf((await journal.text(prompt)) ?? "");
    if (part !== undefined) return part;
  }
  return undefined;
}

function partOf(prompt: string): string | undefined {
  const at = prompt.indexOf(HEADING);
  if (at === -1) return undefined;
  const end = prompt.indexOf("\n## ", at + HEADING.length);
  return prompt.slice(at, end === -1 ? undefined : end).trim();
}
