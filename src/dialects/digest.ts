/** A digest of 64 bits, for telling versions of a definition apart; not for anything that somebody might forge. */

import { hash32 } from "../base/random.ts";

/** 16 hex digits. */
export function digest64(text: string): string {
  return [text, `${text.length}:${text}`].map((part) => hash32(part).toString(16).padStart(8, "0")).join("");
}
