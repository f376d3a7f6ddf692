/** Inputs are what a run begins with besides its task: flags, a file, or standard input. */

import { readFileSync } from "node:fs";
import { messageOf } from "../../base/failure.ts";
import { assign, isJsonObject, type Json, type JsonObject } from "../../base/json.ts";
import { Misuse } from "../misuse.ts";
import type { Options } from "../verb.ts";

/** All inputs that were given; a flag wins over the file. `undefined` when there are none. */
export function readInputs({ input, inputFile }: Options): JsonObject | undefined {
  if (input === undefined && inputFile === undefined) return undefined;
  const inputs: Record<string, Json> = {};
  if (inputFile !== undefined) {
    const what = inputFile === "-" ? "Standard input" : inputFile;
    const json = parseJson(readText(inputFile), what);
    if (!isJsonObject(json)) throw new Misuse("invalid_input", `${what} has to hold one JSON object.`);
    for (const [key, value] of Object.entries(json)) assign(inputs, key, value);
  }
  for (const pair of input ?? []) {
    const at = pair.indexOf("=");
    if (at < 1) throw new Misuse("usage", `--input ${pair} is not key=value.`);
    assign(inputs, pair.slice(0, at), jsonOrText(pair.slice(at + 1)));
  }
  return inputs;
}

/** Reads a text as JSON where it parses, else as the text that it is. */
export function jsonOrText(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return text;
  }
}

/** Reads JSON that has to be some. */
export function parseJson(text: string, what: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch (error) {
    const why = messageOf(error);
    throw new Misuse("invalid_input", `${what} is not JSON: ${why}.`);
  }
}

/** Reads a text file; `-` is standard input. A byte order mark, as some editors write it, is no part of the text. */
export function readText(path: string): string {
  try {
    return readFileSync(path === "-" ? 0 : path, "utf8").replace(/^\u{FEFF}/u, "");
  } catch (error) {
    throw unreadable(path, error);
  }
}

function unreadable(path: string, error: unknown): Misuse {
  const { code, message } = error as NodeJS.ErrnoException; // what reading throws is always one
  if (code === "ENOENT") return new Misuse("not_found", `There is no file ${path}.`);
  if (code === "EISDIR") return new Misuse("unreadable", `${path} is a folder.`);
  return new Misuse("unreadable", `${path} cannot be read: ${message}.`);
}
