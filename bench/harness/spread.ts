/** A spread is a sample told in three numbers: its median, and the quartiles around it. */

export interface Spread {
  readonly median: number;
  readonly low: number;
  readonly high: number;
}

/** The spread of a sample, at least one number. */
export function spreadOf(sample: readonly number[]): Spread {
  const sorted = [...sample].sort((a, b) => a - b);
  return { median: quantile(sorted, 0.5), low: quantile(sorted, 0.25), high: quantile(sorted, 0.75) };
}

/** A value that was counted and not measured has no spread. */
export function exactly(value: number): Spread {
  return { median: value, low: value, high: value };
}

/** Interpolates between the neighbours of a place in a sorted list. */
function quantile(sorted: readonly number[], share: number): number {
  const place = (sorted.length - 1) * share;
  const below = sorted[Math.floor(place)] ?? Number.NaN;
  const above = sorted[Math.ceil(place)] ?? Number.NaN;
  return below + (above - below) * (place % 1);
}
