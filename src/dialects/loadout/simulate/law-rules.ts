/**
 * Laws are invariants as a file has them: never this, at most so often that, always one thing after another.
 *
 * | in the file                                          | a run breaks it that                                     |
 * | ---------------------------------------------------- | -------------------------------------------------------- |
 * | `never: [{ end: { before: X } }]`                    | completes and has not visited X                          |
 * | `never: [{ visit: { socket: X, before: Y, per } }]`  | visits X before its first visit of Y                     |
 * | `never: [{ fail: { with: CODE } }]`                  | fails with this code                                     |
 * | `atMost: [{ visits: N, of: X, per }]`                | visits X more than N times                               |
 * | `always: [{ after: X, eventually: Y, per }]`         | completes and has not visited Y since its last visit of X |
 *
 * `per` is `run` when absent; with `item` each work item is looked at by itself.
 */

import type { FailureCode } from "../../../base/failure.ts";
import { type Invariant, type Per, scopesOf } from "./invariant.ts";

/** What a file of laws holds. */
export interface Laws {
  readonly $schema?: string;
  readonly never?: readonly Never[];
  readonly atMost?: readonly AtMost[];
  readonly always?: readonly Always[];
}

/** Exactly one of its parts is there. */
export interface Never {
  readonly end?: { readonly before: string };
  readonly visit?: { readonly socket: string; readonly before: string; readonly per?: Per };
  readonly fail?: { readonly with: FailureCode };
}

export interface AtMost {
  readonly visits: number;
  readonly of: string;
  readonly per?: Per;
}

export interface Always {
  readonly after: string;
  readonly eventually: string;
  readonly per?: Per;
}

/** The failures that the rules of a loadout know. */
export const FAILURES: readonly FailureCode[] = [
  ...(["edge_exhausted", "no_progress", "handoff_invalid", "output_invalid", "output_too_large"] as const),
  ...(["utility_failed", "child_failed", "invalid_input", "step_limit", "node_failed"] as const),
];

/** The invariants that laws stand for, in the order of the file. */
export function invariantsOf({ never = [], atMost = [], always = [] }: Laws): Invariant[] {
  return [...never.flatMap(neverLaws), ...atMost.map(atMostLaw), ...always.map(alwaysLaw)];
}

function neverLaws({ end, visit, fail }: Never): Invariant[] {
  return [
    ...(end === undefined ? [] : [neverEnd(end.before)]),
    ...(visit === undefined ? [] : [neverVisit(visit)]),
    ...(fail === undefined ? [] : [neverFail(fail.with)]),
  ];
}

function neverEnd(before: string): Invariant {
  return {
    name: `never end before ${before}`,
    broken({ visits, end }) {
      if (end.kind !== "completed" || visits.some(({ socket: id }) => id === before)) return undefined;
      return `The run completed and never visited ${before}.`;
    },
  };
}

function neverVisit({ socket: id, before, per: scope = "run" }: NonNullable<Never["visit"]>): Invariant {
  return {
    name: `never ${id} before ${before}${suffix(scope)}`,
    broken(walk) {
      for (const visits of scopesOf(walk, scope)) {
        const first = visits.find((visit) => visit.socket === id || visit.socket === before);
        if (id !== before && first?.socket === id)
          return `${id} was visited${of(first.item)} before ${before}.`;
      }
      return undefined;
    },
  };
}

function neverFail(code: FailureCode): Invariant {
  return {
    name: `never fail with ${code}`,
    broken: ({ end }) => (end.kind === "failed" && end.code === code ? end.message : undefined),
  };
}

function atMostLaw({ visits: most, of: id, per: scope = "run" }: AtMost): Invariant {
  return {
    name: `at most ${most} visits of ${id}${suffix(scope)}`,
    broken(walk) {
      for (const visits of scopesOf(walk, scope)) {
        const found = visits.filter((visit) => visit.socket === id);
        if (found.length > most) {
          return `${id} was visited ${found.length} times${of(found[0]?.item)}, more than ${most}.`;
        }
      }
      return undefined;
    },
  };
}

function alwaysLaw({ after, eventually, per: scope = "run" }: Always): Invariant {
  return {
    name: `always ${eventually} after ${after}${suffix(scope)}`,
    broken(walk) {
      if (walk.end.kind !== "completed") return undefined;
      for (const visits of scopesOf(walk, scope)) {
        const last = visits.findLastIndex((visit) => visit.socket === after);
        const follows = visits.findLastIndex((visit) => visit.socket === eventually) > last;
        if (last !== -1 && !follows) {
          return `${after} was visited${of(visits[last]?.item)}, and ${eventually} never after it.`;
        }
      }
      return undefined;
    },
  };
}

function suffix(scope: Per): string {
  return scope === "item" ? " per item" : "";
}

function of(item: string | undefined): string {
  return item === undefined ? "" : ` for ${item}`;
}
