/** What is selected stands in the address, so that it can be shared and the back button works. */

import { useCallback } from "react";
import { useSearchParams } from "wouter";

export type Change = Readonly<Record<string, string | undefined>>;

/** The parameters of the address, and how to change some of them; a change replaces the entry in the history. */
export function useAddress(): readonly [URLSearchParams, (change: Change) => void] {
  const [search, setSearch] = useSearchParams();
  const change = useCallback(
    (change: Change) => {
      setSearch(
        (before) => {
          const after = new URLSearchParams(before);
          for (const [key, value] of Object.entries(change)) {
            if (value === undefined || value === "") after.delete(key);
            else after.set(key, value);
          }
          return after;
        },
        { replace: true },
      );
    },
    [setSearch],
  );
  return [search, change];
}

/** The page of a run. Its id may hold slashes. */
export function runAddress(run: string, more: Change = {}): string {
  const search = new URLSearchParams();
  for (const [key, value] of Object.entries(more)) if (value !== undefined) search.set(key, value);
  return `/runs/${encodeURIComponent(run)}${search.size === 0 ? "" : `?${search}`}`;
}
