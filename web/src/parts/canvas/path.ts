/** The way of an edge, as the path that is drawn. */

export interface Point {
  readonly x: number;
  readonly y: number;
}

const ROUND = 8;

/** A path with round corners. */
export function pathOf(points: readonly Point[]): string {
  const [first, ...rest] = points;
  if (first === undefined) return "";
  const parts = [`M${first.x},${first.y}`];
  for (const [index, at] of rest.entries()) {
    const before = points[index] as Point; // the one in front of it
    const after = rest[index + 1];
    if (after === undefined) parts.push(`L${at.x},${at.y}`);
    else {
      const enter = towards(at, before);
      const leave = towards(at, after);
      parts.push(`L${enter.x},${enter.y}Q${at.x},${at.y} ${leave.x},${leave.y}`);
    }
  }
  return parts.join("");
}

function towards(from: Point, to: Point): Point {
  const length = Math.hypot(to.x - from.x, to.y - from.y);
  const step = length === 0 ? 0 : Math.min(ROUND, length / 2) / length;
  return { x: from.x + (to.x - from.x) * step, y: from.y + (to.y - from.y) * step };
}
