/** A termination is what can be said about the end of a definition's runs before there is one. */

export interface Termination {
  readonly verdict: "terminates" | "may_not_terminate" | "unknown";
  /** The most turns as a formula in the number of items, such as `3 + 4·items`; null unless it is proven. */
  readonly bound: string | null;
  /** A way that can be gone for ever, each node leading to the next; the first is also the last. */
  readonly cycle: readonly string[] | null;
}

/** Nothing can be said. */
export const UNKNOWN_TERMINATION: Termination = { verdict: "unknown", bound: null, cycle: null };
