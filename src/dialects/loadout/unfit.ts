/** Unfit is an output that may not be handed on: the issue of one that is no JSON, and the failure of one that stayed wrong. */

import { type Failure, failure } from "../../base/failure.ts";
import type { Issue } from "../../base/issue.ts";
import type { Place } from "./chart.ts";
import { MOST_ISSUES } from "./handoff.ts";

/** The issue of an output in which no object was found. */
export function unparsable(message: string): Issue {
  const hint = "Answer with one JSON object.";
  return { severity: "error", code: "not_json", pointer: "", message, hint };
}

/** The failure of a handoff that stayed wrong. */
export function invalid(place: Place, issues: readonly Issue[]): Failure {
  const listed = issues.slice(0, MOST_ISSUES).map(({ pointer, message, code, hint }) => {
    const instead = code === "unknown_field" ? hint : ""; // it names the field that was meant
    return `${pointer} ${message} ${instead}`.trim();
  });
  const message = `${place.id} (${place.label}) handed on what it may not: ${listed.join(" ")}`;
  const detail = { issues: issues.slice(0, MOST_ISSUES).map((issue) => ({ ...issue })) };
  return failure("handoff_invalid", message, { at: place.id, detail });
}
