/**
 * Files keep conversations for later processes: one for each, a line for each entry.
 *
 * 1. A line that was cut off by a crash is dropped, and what comes after it begins a line of its own.
 * 2. Only its owner may read a file: a conversation has what was read for it.
 */

import { appendFile, mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { isJsonObject, type Json } from "../../base/json.ts";
import type { Conversations, Entry } from "./conversations.ts";

export class FileConversations implements Conversations {
  readonly #folder: string;

  /** @param folder Made when it is first needed. */
  constructor(folder: string) {
    this.#folder = folder;
  }

  async read(id: string): Promise<readonly Entry[] | undefined> {
    const text = await readFile(this.#file(id), "utf8").catch(() => undefined);
    return text?.split("\n").flatMap((line) => entryOf(line) ?? []);
  }

  async add(id: string, entries: readonly Entry[]): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    // Each line begins with its own break, so one that was cut off takes nothing with it (1).
    const lines = entries.map((entry) => `\n${JSON.stringify(entry)}`).join("");
    await appendFile(this.#file(id), lines, { mode: 0o600 });
  }

  #file(id: string): string {
    if (!/^[\w-]+$/.test(id)) throw new Error(`${JSON.stringify(id)} is no name of a conversation.`);
    return join(this.#folder, `${id}.jsonl`);
  }
}

function entryOf(line: string): Entry | undefined {
  try {
    const json = JSON.parse(line) as Json;
    return isJsonObject(json) && typeof json["kind"] === "string" ? (json as unknown as Entry) : undefined; // from `add`
  } catch {
    return undefined;
  }
}
