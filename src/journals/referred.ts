/** The texts that logs refer to, and those that these refer to in turn: what may not be dropped. */

/** How a log refers to a text. */
export const REF: RegExp = /sha256:[0-9a-f]{64}/g;

/** Goes through printed logs. What merely looks like a reference keeps a text too, which does no harm. */
export function referredIn(
  logs: Iterable<string>,
  textOf: (ref: string) => string | undefined,
): ReadonlySet<string> {
  const referred = new Set<string>();
  for (const log of logs) {
    const open = [log];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      for (const [ref] of next.matchAll(REF)) {
        if (referred.has(ref)) continue;
        referred.add(ref);
        const text = textOf(ref);
        if (text !== undefined) open.push(text);
      }
    }
  }
  return referred;
}
