/** A stable list keeps the items that did not change, so that what is drawn for them is not drawn again. */

import { useMemo, useRef } from "react";

/** The list, with every item that is equal to the one of its id before in the form of that one. */
export function useStable<Item extends { readonly id: string }>(list: readonly Item[]): Item[] {
  const before = useRef<ReadonlyMap<string, Item>>(new Map());
  return useMemo(() => {
    const stable = list.map((item) => {
      const known = before.current.get(item.id);
      return known !== undefined && isSame(known, item) ? known : item;
    });
    before.current = new Map(stable.map((item) => [item.id, item]));
    return stable;
  }, [list]);
}

/** Equal through and through; what is no plain data is equal to itself alone. */
export function isSame(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (!isHolder(a) || !isHolder(b)) return false;
  const keys = Object.keys(a);
  if (Array.isArray(a) !== Array.isArray(b) || keys.length !== Object.keys(b).length) return false;
  return keys.every((key) => Object.hasOwn(b, key) && isSame(a[key], b[key]));
}

function isHolder(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null) return false;
  const kind = Object.getPrototypeOf(value) as unknown; // whatever it is, it is only compared
  return kind === Object.prototype || kind === Array.prototype || kind === null;
}
