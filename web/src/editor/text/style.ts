/** The style of a text is how its author sets JSON: with which indentation and line ends, and when in one line. */

import { isJsonObject, type Json } from "../../model/baton.ts";

export interface Style {
  readonly unit: string;
  readonly newline: string;
  /** A text without a line break stays one. */
  readonly isFlat: boolean;
}

/** The longest line that is made. */
export const WIDEST = 110;

export function styleOf(text: string): Style {
  const [, unit = "  "] = /\n([ \t]+)\S/.exec(text) ?? [];
  const newline = text.includes("\r\n") ? "\r\n" : "\n";
  return { unit, newline, isFlat: text.length > 2 && !text.trim().includes("\n") };
}

/** Sets a value that begins on a line with this indentation, after so many characters. */
export function print(value: Json, style: Style, place: Place): string {
  const flat = inline(value);
  const fits = place.indent.length + place.before + flat.length <= WIDEST && isSmall(value);
  if (typeof value !== "object" || value === null || style.isFlat || fits) return flat;
  const inner = place.indent + style.unit;
  const [open, close] = Array.isArray(value) ? "[]" : "{}";
  const lines = entries(value).map(([key, held]) => {
    const name = key === undefined ? "" : `${JSON.stringify(key)}: `;
    return inner + name + print(held, style, { indent: inner, before: name.length });
  });
  return [open, lines.join(`,${style.newline}`), place.indent + close].join(style.newline);
}

export interface Place {
  readonly indent: string;
  /** What stands on the line before the value, without the indentation. */
  readonly before: number;
}

function inline(value: Json): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const parts = entries(value).map(([key, held]) => {
    return key === undefined ? inline(held) : `${JSON.stringify(key)}: ${inline(held)}`;
  });
  if (Array.isArray(value)) return `[${parts.join(", ")}]`;
  return parts.length === 0 ? "{}" : `{ ${parts.join(", ")} }`;
}

/** Objects of objects, and what is nested deeper than a list of objects, are read more easily over several lines. */
function isSmall(value: Json): boolean {
  if (typeof value !== "object" || value === null) return true;
  const inner = entries(value).map(([, held]) => held);
  if (inner.length === 0) return true;
  return depth(value) <= 2 && !(isJsonObject(value) && inner.some(isJsonObject));
}

function depth(value: Json): number {
  if (typeof value !== "object" || value === null) return 0;
  return 1 + Math.max(0, ...entries(value).map(([, held]) => depth(held)));
}

function entries(value: Json): readonly (readonly [string | undefined, Json])[] {
  if (Array.isArray(value)) return value.map((item) => [undefined, item as Json]);
  return isJsonObject(value) ? Object.entries(value) : [];
}
