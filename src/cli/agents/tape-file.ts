/**
 * A tape file is what real agents said in a run, a line for each turn: `--record` writes one, and `--script` plays it.
 *
 * 1. A line is written when its turn has ended, so a run that is killed leaves what it had.
 */

import { appendFileSync, existsSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { TapeEntry } from "../../agent/recorded.ts";
import { isJsonObject, type Json } from "../../base/json.ts";
import { Misuse } from "../misuse.ts";

const HEADER = { kind: "baton.tape", version: 1 } as const;

/** Refuses a file that is there, and one whose folder is not. */
export function requireRoom(file: string): void {
  if (existsSync(file))
    throw new Misuse("usage", `There is a file ${file} already; name another one with --record.`);
  const folder = dirname(resolve(file));
  if (existsSync(folder)) return;
  throw new Misuse("not_found", `There is no folder ${folder}: make it, or name another file with --record.`);
}

/** Begins a file; what is returned adds an entry to it. */
export function beginTape(file: string): (entry: TapeEntry) => void {
  requireRoom(file);
  writeFileSync(file, `${JSON.stringify(HEADER)}\n`, { flag: "wx", mode: 0o600 });
  return (entry) => appendFileSync(file, `${JSON.stringify(entry)}\n`);
}

/** Says whether a text is a tape. */
export function isTape(text: string): boolean {
  return text.startsWith(`{"kind":"${HEADER.kind}"`);
}

/** The entries of a tape. Throws a `Misuse` that names the line which is none. */
export function readTape(text: string, named: string): readonly TapeEntry[] {
  const [, ...lines] = text.split("\n");
  return lines.flatMap((line, index) => (line === "" ? [] : [entryOf(line, { named, number: index + 2 })]));
}

function entryOf(
  line: string,
  { named, number }: { readonly named: string; readonly number: number },
): TapeEntry {
  const json = parse(line);
  const { session, prompt, progress, turn } = isJsonObject(json) ? json : {};
  const isEntry = typeof session === "string" && typeof prompt === "string" && Array.isArray(progress);
  if (isEntry && isJsonObject(turn) && typeof turn["kind"] === "string") return json as unknown as TapeEntry; // looked at
  throw new Misuse("invalid_script", `Line ${number} of ${named} is no entry of a tape.`);
}

function parse(line: string): Json | undefined {
  try {
    return JSON.parse(line) as Json;
  } catch {
    return undefined;
  }
}
