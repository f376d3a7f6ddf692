/**
 * Passing failures are those on the way to a model that another try, a little later, may not meet: the server is busy or
 * down, or the connection broke. Agents tell of them in words of their own.
 */

/** A status that says "later", where it is told as one. */
const STATUS =
  /(?:^|\b(?:http|status|code|error|api|server|failed|answered|responded)\b[^\n\d]{0,24})(?:408|409|425|429|5\d\d)(?!\d)/i;

const WORDS = new RegExp(
  [
    ...["too many requests", "rate[ _-]?limit", "overloaded", "service unavailable", "bad gateway"],
    ...[
      "gateway time-?out",
      "internal server error",
      "server had an error",
      "fetch failed",
      "socket hang up",
    ],
    ...["network error", "connection (?:was )?(?:refused|reset|closed|error|lost)"],
    ...["ECONN(?:REFUSED|RESET|ABORTED)", "EPIPE", "ETIMEDOUT", "EAI_AGAIN", "UND_ERR"],
  ].join("|"),
  "i",
);

/** Says whether what an agent tells of its failure is one of them. */
export function isPassing(told: string): boolean {
  return STATUS.test(told) || WORDS.test(told);
}
