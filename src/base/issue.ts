/** An issue is one thing that an author should change in a definition; a check returns all of them at once. */

export interface Issue {
  readonly severity: "error" | "warning";
  readonly code: string;
  /** Where: a JSON pointer (RFC 6901) into the definition; the empty string is the whole of it. */
  readonly pointer: string;
  /** One sentence that says what is wrong. */
  readonly message: string;
  /** One sentence that says what to do. */
  readonly hint: string;
}

/** Joins path segments to a JSON pointer, escaped by RFC 6901 (`~` is `~0`, `/` is `~1`). */
export function pointer(...segments: readonly (string | number)[]): string {
  return segments
    .map((segment) => `/${String(segment).replaceAll("~", "~0").replaceAll("/", "~1")}`)
    .join("");
}
