/** A line diff says which lines of one text became which of another: the shortest such list (Myers, "An O(ND) Difference Algorithm", 1986). */

export interface DiffLine {
  readonly op: "same" | "removed" | "added";
  readonly line: string;
}

/** More changed lines than this are not aligned: all of one side is removed, all of the other added. */
const MOST_CHANGES = 1000;

/** The lines of both texts, in order, with what became of each. */
export function lineDiff(before: string, after: string): readonly DiffLine[] {
  const [a, b] = [before.split("\n"), after.split("\n")];
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start++;
  let end = 0;
  const most = Math.min(a.length, b.length) - start;
  while (end < most && a[a.length - 1 - end] === b[b.length - 1 - end]) end++;
  return [
    ...lines("same", a.slice(0, start)),
    ...middle(a.slice(start, a.length - end), b.slice(start, b.length - end)),
    ...lines("same", a.slice(a.length - end)),
  ];
}

function lines(op: DiffLine["op"], all: readonly string[]): DiffLine[] {
  return all.map((line) => ({ op, line }));
}

function middle(a: readonly string[], b: readonly string[]): DiffLine[] {
  const trace = shortestTrace(a, b);
  if (trace === undefined) return [...lines("removed", a), ...lines("added", b)];
  return walkBack(a, b, trace);
}

/** For each number of changes, how far into `a` each diagonal gets; nothing when there are too many changes. */
function shortestTrace(a: readonly string[], b: readonly string[]): Map<number, number>[] | undefined {
  const trace: Map<number, number>[] = [];
  let reach = new Map([[1, 0]]);
  for (let changes = 0; changes <= Math.min(a.length + b.length, MOST_CHANGES); changes++) {
    const next = new Map(reach);
    trace.push(reach);
    for (let k = -changes; k <= changes; k += 2) {
      let x = comesDown(reach, k, changes) ? (reach.get(k + 1) ?? 0) : (reach.get(k - 1) ?? 0) + 1;
      while (x < a.length && x - k < b.length && a[x] === b[x - k]) x++;
      next.set(k, x);
      if (x >= a.length && x - k >= b.length) return trace;
    }
    reach = next;
  }
  return undefined;
}

/** Whether a diagonal is reached from the one above, by an addition. */
function comesDown(reach: ReadonlyMap<number, number>, k: number, changes: number): boolean {
  return k === -changes || (k !== changes && (reach.get(k - 1) ?? -1) < (reach.get(k + 1) ?? -1));
}

function walkBack(
  a: readonly string[],
  b: readonly string[],
  trace: readonly ReadonlyMap<number, number>[],
): DiffLine[] {
  const found: DiffLine[] = [];
  let [x, y] = [a.length, b.length];
  for (let changes = trace.length - 1; changes >= 0; changes--) {
    const reach = trace[changes] as ReadonlyMap<number, number>; // one for each number of changes
    const k = x - y;
    const isDown = comesDown(reach, k, changes);
    const fromX = changes === 0 ? 0 : (reach.get(isDown ? k + 1 : k - 1) ?? 0);
    const fromY = changes === 0 ? 0 : fromX - (isDown ? k + 1 : k - 1);
    const [stopX, stopY] = changes === 0 ? [0, 0] : isDown ? [fromX, fromY + 1] : [fromX + 1, fromY];
    while (x > stopX && y > stopY) {
      found.push({ op: "same", line: a[--x] as string });
      y--;
    }
    if (changes === 0) break;
    if (isDown) found.push({ op: "added", line: b[--y] as string });
    else found.push({ op: "removed", line: a[--x] as string });
  }
  return found.reverse();
}
