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
import { type Issue, pointer } from "../../../base/issue.ts";
import type { Json, JsonObject } from "../../../base/json.ts";
import { closest } from "../../../base/names.ts";
import {
  array,
  integer,
  type ObjectRules,
  object,
  oneOf,
  optional,
  passes,
  type Shape,
  string,
} from "../../../base/shape.ts";
import { type Chart, chartOf } from "../chart.ts";
import type { LoadoutDefinition } from "../definition.ts";
import { type Invariant, type Per, scopesOf } from "./invariant.ts";

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

/** A misspelt law would be kept by every run, so unknown fields are errors here. */
const CLOSED: ObjectRules = { unknown: { severity: "error" } };
const socket = (description: string): Shape<string> => string(description, { filled: true });
const per = optional(
  oneOf<Per>("Whether the whole run counts (the default) or each work item.", ["run", "item"]),
);

/** The failures that the rules of a loadout know. */
const FAILURES: readonly FailureCode[] = [
  ...(["edge_exhausted", "no_progress", "handoff_invalid", "output_invalid", "output_too_large"] as const),
  ...(["utility_failed", "child_failed", "invalid_input", "step_limit", "node_failed"] as const),
];

const never: Shape<Never> = object(
  "What no run may do: exactly one of end, visit and fail.",
  {
    end: optional(
      object("A run that completes.", { before: socket("The socket that it has to have visited.") }, CLOSED),
    ),
    visit: optional(
      object(
        "A visit that comes too early.",
        { socket: socket("The socket visited."), before: socket("The socket that has to come first."), per },
        CLOSED,
      ),
    ),
    fail: optional(
      object("A run that fails.", { with: oneOf("The code of the failure.", FAILURES) }, CLOSED),
    ),
  },
  CLOSED,
);

const atMost: Shape<AtMost> = object(
  "How often a socket may be visited.",
  { visits: integer("The most visits.", { least: 0 }), of: socket("The socket that is counted."), per },
  CLOSED,
);

const always: Shape<Always> = object(
  "What has to follow in a run that completes.",
  { after: socket("The socket visited."), eventually: socket("The socket that has to follow."), per },
  CLOSED,
);

/** The shape of a file of laws. */
export const lawsShape: Shape<Laws> = object(
  "Laws that every run of a loadout keeps.",
  {
    $schema: optional(string("The address of this schema, for editors.")),
    never: optional(array("What no run may do.", never)),
    atMost: optional(array("How often something may happen.", atMost)),
    always: optional(array("What has to follow.", always)),
  },
  CLOSED,
);

/** The JSON Schema of files of laws, draft 2020-12. */
export function lawsJsonSchema(): JsonObject {
  const title = "Baton invariants";
  return { $schema: "https://json-schema.org/draft/2020-12/schema", title, ...lawsShape.schema };
}

export type ReadLaws =
  | { readonly ok: true; readonly invariants: readonly Invariant[] }
  | { readonly ok: false; readonly issues: readonly Issue[] };

/** Reads the laws of a loadout from JSON. Everything that is wrong with them comes back at once. */
export function readLaws(json: Json, definition: LoadoutDefinition): ReadLaws {
  const issues = lawsShape.validate(json, "");
  if (!passes(issues)) return { ok: false, issues };
  const laws = json as unknown as Laws; // the shape has just said so
  const chart = chartOf(definition);
  const wrong = [
    ...(laws.never ?? []).flatMap((law, index) => neverIssues(law, pointer("never", index), chart)),
    ...(laws.atMost ?? []).flatMap(({ of, per: scope }, index) =>
      socketIssues({ of }, pointer("atMost", index), { chart, per: scope }),
    ),
    ...(laws.always ?? []).flatMap(({ after, eventually, per: scope }, index) =>
      socketIssues({ after, eventually }, pointer("always", index), { chart, per: scope }),
    ),
  ];
  if (wrong.length > 0) return { ok: false, issues: wrong };
  const invariants = [
    ...(laws.never ?? []).flatMap(neverLaws),
    ...(laws.atMost ?? []).map(atMostLaw),
    ...(laws.always ?? []).map(alwaysLaw),
  ];
  return { ok: true, invariants };
}

function neverIssues({ end, visit, fail }: Never, at: string, chart: Chart): Issue[] {
  const count = [end, visit, fail].filter((part) => part !== undefined).length;
  if (count !== 1) {
    const message = `The law has ${count === 0 ? "none" : "several"} of end, visit and fail.`;
    const hint = 'Give exactly one, such as { "end": { "before": "Socket-6" } }.';
    return [{ severity: "error", code: "not_one_law", pointer: at, message, hint }];
  }
  if (end !== undefined) return socketIssues({ ...end }, at + pointer("end"), { chart, per: "run" });
  if (visit === undefined) return [];
  const { socket: id, before, per: scope } = visit;
  return socketIssues({ socket: id, before }, at + pointer("visit"), { chart, per: scope });
}

/** The sockets that a law names have to be there, and in a loop where it is about items. */
function socketIssues(
  named: Readonly<Record<string, string>>,
  at: string,
  { chart, per: scope }: { readonly chart: Chart; readonly per: Per | undefined },
): Issue[] {
  const known = [...chart.places.keys()];
  return Object.entries(named).flatMap(([field, id]): Issue[] => {
    const where = { severity: "error", pointer: at + pointer(field) } as const;
    const place = chart.places.get(id);
    if (place === undefined) {
      const meant = closest(id, known);
      const hint = meant === undefined ? `Known: ${known.join(", ")}.` : `Did you mean ${meant}?`;
      return [{ ...where, code: "unknown_socket", message: `${id} is no socket of the loadout.`, hint }];
    }
    if (scope !== "item" || place.loop !== undefined) return [];
    const message = `${id} is in no loop, so it never works on an item and the law says nothing.`;
    return [{ ...where, code: "no_items", message, hint: 'Leave out "per", or name a member of a loop.' }];
  });
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
