/** Parse finds the JSON object that an agent meant to say: bare, in a fenced block, or inside prose. */

import { isJsonObject, type Json, type JsonObject } from "../../base/json.ts";
import { DEEPEST, isTooDeep } from "../depth.ts";

export type Parsed =
  | { readonly ok: true; readonly value: JsonObject }
  /** One sentence that says what is wrong with the text. */
  | { readonly ok: false; readonly message: string };

/** The object in a text. Broken JSON is not mended. */
export function parseObject(text: string): Parsed {
  const found = objectIn(text);
  if (!found.ok || !isTooDeep(found.value)) return found;
  return { ok: false, message: `The output is nested deeper than ${DEEPEST} levels.` };
}

function objectIn(text: string): Parsed {
  const trimmed = text.trim();
  if (trimmed === "") return { ok: false, message: "The output is empty." };
  const whole = parsed(trimmed);
  if (isJsonObject(whole)) return { ok: true, value: whole };
  if (whole !== undefined) return { ok: false, message: "The output is JSON, but not an object." };
  for (const candidate of candidates(text)) {
    const value = parsed(candidate);
    if (isJsonObject(value)) return { ok: true, value };
  }
  return { ok: false, message: "The output holds no complete JSON object." };
}

/** Fenced blocks first, then the first balanced object outside of them. */
function* candidates(text: string): Generator<string> {
  for (const [, block = ""] of text.matchAll(/^[ \t]*```[^\n]*\n([\s\S]*?)^[ \t]*```/gm)) yield block.trim();
  const balanced = firstBalanced(text);
  if (balanced !== undefined) yield balanced;
}

/** The first `{…}` whose braces match, those inside JSON strings left out; one pass over the text. */
function firstBalanced(text: string): string | undefined {
  const start = text.indexOf("{");
  if (start === -1) return undefined;
  let depth = 0;
  let inString = false;
  for (let i = start; i < text.length; i++) {
    const char = text[i];
    if (inString) {
      if (char === "\\") i++;
      else if (char === '"') inString = false;
    } else if (char === '"') inString = true;
    else if (char === "{") depth++;
    else if (char === "}" && --depth === 0) return text.slice(start, i + 1);
  }
  return undefined;
}

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}
