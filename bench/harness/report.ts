/** A report is what a case found: times as they were, and figures beside their targets. */

import type { Timings } from "./contest.ts";
import type { Spread } from "./spread.ts";

export interface Case {
  readonly title: string;
  /** What is done and how it is measured, for the reader of the results. */
  readonly about: string;
  run(): Promise<Report>;
}

export interface Report {
  readonly rows: readonly Row[];
  readonly figures: readonly Figure[];
}

/** Something that was measured. */
export interface Row {
  readonly what: string;
  readonly value: Spread;
  readonly unit: string;
}

/** Something that was measured and has a target. */
export interface Figure {
  readonly what: string;
  readonly value: Spread;
  readonly unit: string;
  readonly target: Target;
  /** True when the value is only known to be at least this. */
  readonly isBound?: boolean;
}

export interface Target {
  readonly kind: "at least" | "at most";
  readonly value: number;
  /** Better than the target, where there is such an aim. */
  readonly aim?: number;
}

/** The times of a contest, per unit. */
export function timesOf(timings: Timings, per: string): Row[] {
  return timings.names.map((what) => ({ what, value: timings.of(what), unit: `µs per ${per}` }));
}

export function atLeast(what: string, value: Spread, target: number, aim?: number): Figure {
  return { what, value, unit: "×", target: { kind: "at least", value: target, ...(aim && { aim }) } };
}

export function atMost(what: string, value: Spread, target: number, unit: string = "×"): Figure {
  return { what, value, unit, target: { kind: "at most", value: target } };
}

/** Says whether a figure reaches its target: its median counts. */
export function isReached({ value, target }: Figure): boolean {
  return target.kind === "at least" ? value.median >= target.value : value.median <= target.value;
}
