/** The few colours of the command line, and the rule that makes foreign text harmless on a terminal. */

const CODES = { bold: "1", dim: "2", red: "31", green: "32", yellow: "33", cyan: "36" } as const;

export type Ink = keyof typeof CODES;
/** Colours a text, or hands it back as it is where there are no colours. */
export type Paint = (ink: Ink, text: string) => string;

export const noPaint: Paint = (_, text) => text;
export const paint: Paint = (ink, text) => (text === "" ? "" : `\u001b[${CODES[ink]}m${text}\u001b[0m`);

/** What acts on a terminal, or turns the direction or the lines of what stands beside it. */
const ACTING =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;
/** What `paint` writes. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: it is what is looked for
const PAINTED = /(\u001b\[(?:[012]|3[1236])m)/;

/**
 * Text from a log as it may be printed: escape sequences and other control characters show instead of acting. JSON means
 * the same afterwards.
 */
export function harmless(text: string): string {
  return text.replace(ACTING, (char) => {
    return char === "\r" ? "" : `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
}

/** Whatever is about to be printed: colours may stay, and nothing else in it acts. */
export function harmlessButPainted(text: string): string {
  return text
    .split(PAINTED)
    .map((part, index) => (index % 2 === 1 ? part : harmless(part)))
    .join("");
}

/** Characters that take two columns: those of East Asia, and pictures. */
const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Extended_Pictographic}/u;

/** The same on one line of at most `width` columns. */
export function oneLine(text: string, width: number = Number.POSITIVE_INFINITY): string {
  const line = harmless(text.slice(0, 4 * width))
    .replace(/\s+/g, " ")
    .trim();
  return clipped(line, width);
}

/** As much of a line as fits into `width` columns. */
export function clipped(line: string, width: number): string {
  let used = 0;
  let kept = "";
  for (const char of line) {
    used += WIDE.test(char) ? 2 : 1;
    if (used > width) return `${kept.slice(0, -1)}…`;
    kept += char;
  }
  return kept;
}

/** A duration as people say it: `0.4s`, `12s`, `3m05s`, `2h10m`. */
export function duration(milliseconds: number): string {
  const seconds = Math.max(0, milliseconds) / 1000;
  if (seconds < 10) return `${seconds.toFixed(1)}s`;
  if (seconds < 60) return `${Math.floor(seconds)}s`;
  const two = (value: number) => String(Math.floor(value)).padStart(2, "0");
  if (seconds < 3600) return `${Math.floor(seconds / 60)}m${two(seconds % 60)}s`;
  return `${Math.floor(seconds / 3600)}h${two((seconds % 3600) / 60)}m`;
}

/** A whole number as people read it: `1,234,567`. */
export function grouped(count: number): string {
  return count.toLocaleString("en-US");
}

/** Columns, padded; the last one runs on. */
export function table(rows: readonly (readonly string[])[]): string {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [at, cell] of row.entries()) widths[at] = Math.max(widths[at] ?? 0, cell.length);
  }
  return rows
    .map((row) =>
      row.map((cell, at) => (at === row.length - 1 ? cell : cell.padEnd(widths[at] ?? 0))).join("  "),
    )
    .join("\n");
}
