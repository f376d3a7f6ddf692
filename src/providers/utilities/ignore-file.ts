/** An ignore file, as text: patterns are added at its end, and everything that stands there stays as it is. */

export interface IgnoreEdit {
  readonly text: string;
  readonly added: readonly string[];
  /** Those that stood there before. */
  readonly present: readonly string[];
}

/** Adds the patterns that are missing, with the line endings that the file has, and ends it as it ended. */
export function addPatterns(text: string, patterns: readonly string[]): IgnoreEdit {
  const lines = new Set(
    text
      .replace(/^\uFEFF/, "")
      .split(/\r?\n/)
      .map(trimmed),
  );
  const wanted = [...new Set(patterns.map(trimmed))];
  const present = wanted.filter((pattern) => lines.has(pattern));
  const added = wanted.filter((pattern) => !lines.has(pattern));
  if (added.length === 0) return { text, added, present };
  const eol = /\r?\n/.exec(text)?.[0] ?? "\n";
  const isEnded = text === "" || text.endsWith("\n");
  const body = added.join(eol);
  return { text: isEnded ? `${text}${body}${eol}` : `${text}${eol}${body}`, added, present };
}

/** Says why a text cannot be an ignore pattern. */
export function patternIssue(pattern: string): string | undefined {
  if (/[\r\n\0]/.test(pattern)) return "it has more than one line";
  if (trimmed(pattern) === "") return "it is blank";
  if (pattern.startsWith("#")) return "it is a comment";
  return undefined;
}

/**
 * Moves a pattern that was written for a folder to a file that counts from the top of the repository. One without
 * a slash, except at its end, matches at any depth and stays as it is.
 * @param prefix The folder, from the top, with a slash at its end; empty for the top itself.
 */
export function anchored(pattern: string, prefix: string): string {
  const [, not = "", body = ""] = /^(!?)(.*)$/.exec(pattern) ?? [];
  if (prefix === "" || !body.slice(0, -1).includes("/")) return pattern;
  return `${not}/${prefix}${body.replace(/^\//, "")}`;
}

/** Blanks at the end mean nothing in a pattern, unless they are escaped. */
function trimmed(line: string): string {
  return line.replace(/(?<!\\)[ \t]+$/, "");
}
