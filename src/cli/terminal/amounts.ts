/** Amounts as people write them: `30d`, `500M`, `12`. */

import { Misuse } from "../misuse.ts";

/** What one of a unit is worth; the empty unit, where there is one, may be left out. */
export type Units = Readonly<Record<string, number>>;

/** In milliseconds. */
export const TIMES: Units = { ms: 1, s: 1e3, m: 6e4, h: 36e5, d: 864e5 };
/** In bytes. */
export const SIZES: Units = { "": 1, k: 1e3, m: 1e6, g: 1e9 };

/** The amount that a flag holds, in the smallest unit. */
export function positiveAmount(flag: string, text: string, units: Units): number {
  const [, digits = "", unit = ""] = /^(\d+(?:\.\d+)?)([a-z]*)$/i.exec(text.trim()) ?? [];
  const worth = Object.hasOwn(units, unit.toLowerCase()) ? units[unit.toLowerCase()] : undefined;
  if (digits !== "" && worth !== undefined) return Number(digits) * worth;
  const known = Object.keys(units).filter((name) => name !== "");
  throw new Misuse("usage", `${flag} is a number with a unit (${known.join(", ")}), and not ${text}.`);
}

/** The whole number from 1 on that a flag holds; `undefined` when the flag was not given. */
export function positiveInteger(flag: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (text.trim() !== "" && Number.isSafeInteger(Number(text)) && Number(text) >= 1) return Number(text);
  throw new Misuse("usage", `${flag} is a whole number from 1 on, and not ${text}.`);
}

/** The whole number from 0 on that a flag holds. */
export function nonNegativeInteger(flag: string, text: string): number {
  return text.trim() === "0" ? 0 : (positiveInteger(flag, text) ?? 0);
}
