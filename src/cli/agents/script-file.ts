/** The script of a run: a file whose content tells it from every other. */

import { resolve } from "node:path";
import type { TapeEntry } from "../../agent/recorded.ts";
import { parseScript, type Script } from "../../agent/script.ts";
import type { Json } from "../../base/json.ts";
import { sha256 } from "../../engines/local.ts";
import { Misuse } from "../misuse.ts";
import { parseJson, readText } from "../runs/inputs.ts";
import type { ScriptRecord } from "../runs/request.ts";
import { isTape, readTape } from "./tape-file.ts";

export interface ScriptFile {
  /** Absolute. */
  readonly path: string;
  readonly digest: string;
  /** Empty for a tape. */
  readonly script: Script;
  /** What real agents said, where the file is a tape. */
  readonly tape?: readonly TapeEntry[];
}

/** Reads a script, with everything that is wrong in it. */
export function readScript(named: string): ScriptFile {
  const text = readText(named);
  if (isTape(text)) {
    return { path: resolve(named), digest: sha256(text), script: new Map(), tape: readTape(text, named) };
  }
  const parsed = parseScript(jsonOf(text, named));
  if (!parsed.ok) {
    throw new Misuse("invalid_script", `${named} is not a script.`, { issues: parsed.issues });
  }
  return { path: resolve(named), digest: sha256(text), script: parsed.script };
}

/** How the log remembers a script. */
export function recordOf({ path, digest }: ScriptFile): ScriptRecord {
  return { path, digest };
}

function jsonOf(text: string, named: string): Json {
  try {
    return parseJson(text, named);
  } catch (error) {
    throw error instanceof Misuse ? new Misuse("invalid_script", error.message) : error;
  }
}
