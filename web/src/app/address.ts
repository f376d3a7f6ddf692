/** What is selected stands in the address, so that it can be shared and the back button works. */

import { useCallback } from "react";
import { useSearchParams } from "wouter";

export type Change = Readonly<Record<string, string | undefined>>;

/** How an address is changed: in place, or as a step that the back button undoes. */
export type Step = "in place" | "a step";

/** The parameters of the address, and how to change some of them. */
export function useAddress(): readonly [URLSearchParams, (change: Change, step?: Step) => void] {
  const [search, setSearch] = useSearchParams();
  const change = useCallback(
    (change: Change, step: Step = "in place") => {
      const before = new URLSearchParams(location.search);
      const isNew = Object.entries(change).some(([key, value]) => (before.get(key) ?? "") !== (value ?? ""));
      setSearch((before) => changed(before, change), { replace: step === "in place" || !isNew });
    },
    [setSearch],
  );
  return [search, change];
}

function changed(before: URLSearchParams, change: Change): URLSearchParams {
  const after = new URLSearchParams(before);
  for (const [key, value] of Object.entries(change)) {
    if (value === undefined || value === "") after.delete(key);
    else after.set(key, value);
  }
  return after;
}

/** The page of a run. Its id may hold slashes. */
export function runAddress(run: string, more: Change = {}): string {
  const search = new URLSearchParams();
  for (const [key, value] of Object.entries(more)) if (value !== undefined) search.set(key, value);
  return `/runs/${encodeURIComponent(run)}${search.size === 0 ? "" : `?${search}`}`;
}
