/**
 * A file of laws: its shape, its JSON Schema, and what is wrong with it. What the laws in it mean stands in
 * `law-rules.ts`.
 */

import { type Issue, pointer } from "../../../base/issue.ts";
import type { Json, JsonObject } from "../../../base/json.ts";
import { closest } from "../../../base/names.ts";
import { type ObjectRules, object, optional } from "../../../base/object-shape.ts";
import { array, integer, oneOf, passes, type Shape, string } from "../../../base/shape.ts";
import { type Chart, chartOf } from "../chart.ts";
import type { LoadoutDefinition } from "../definition.ts";
import type { Invariant, Per } from "./invariant.ts";
import { type Always, type AtMost, FAILURES, invariantsOf, type Laws, type Never } from "./law-rules.ts";

/** A misspelt law would be kept by every run, so unknown fields are errors here. */
const CLOSED: ObjectRules = { unknown: { severity: "error" } };
const socket = (description: string): Shape<string> => string(description, { filled: true });
const per = optional(
  oneOf<Per>("Whether the whole run counts (the default) or each work item.", ["run", "item"]),
);

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
const lawsShape: Shape<Laws> = object(
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
  return { ok: true, invariants: invariantsOf(laws) };
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
