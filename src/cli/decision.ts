/** A decision is why a loadout went where it went last: the edge that was chosen, those that were not, and the counters. */

import { isJsonObject, type Json } from "../base/json.ts";
import type { LoadoutRoute } from "../dialects/loadout/view.ts";

/** A decision in one sentence, and as data. */
export interface Decision {
  readonly sentence: string;
  readonly data: Json;
}

/** Explains the route that was chosen last. */
export function decisionOf({ socket, item, chosen, tried, satisfied, counters }: LoadoutRoute): Decision {
  const on = item === undefined ? "" : ` on ${item}`;
  const untaken = listOf(tried).map(
    (edge) => `edge ${text(edge["edge"])} to ${text(edge["to"])} ${text(edge["why"])}`,
  );
  const counted = isJsonObject(counters) ? Object.entries(counters) : [];
  const rest = [
    untaken.length === 0 ? undefined : `not taken: ${untaken.join(", ")}`,
    counted.length === 0
      ? undefined
      : `counters: ${counted.map(([key, n]) => `${key} ${text(n)}`).join(", ")}`,
  ].filter((part) => part !== undefined);
  return {
    sentence: [`${socket}${on} ${wentTo(chosen, satisfied)}`, ...rest].join("; "),
    data: { socket, item: item ?? null, chosen, tried, satisfied, counters },
  };
}

function wentTo(chosen: Json, satisfied: Json): string {
  const { via, to, when, loop, exit, edge, why, exhausted } = isJsonObject(chosen) ? chosen : {};
  const said =
    typeof satisfied === "boolean" ? `the output says satisfied: ${satisfied}` : "the output says neither";
  switch (via) {
    case "exit":
      return `left the loop ${text(loop)} for ${text(to)} by ${exit === null ? "no exit" : `its exit ${text(exit)}`}, since all items are done`;
    case "none":
      return `ended the run: no edge matches, ${said}`;
    case "end":
      return `ended the run: ${text(why)}`;
    default: {
      const reason = when === "always" ? "which is always taken" : `which wants ${text(when)}: ${said}`;
      if (exhausted === true)
        return `could not take edge ${text(edge)} to ${text(to)}: it was passed as often as it may be`;
      return `took edge ${text(edge)} to ${text(to)}, ${reason}`;
    }
  }
}

function listOf(value: Json): readonly Readonly<Record<string, Json>>[] {
  return Array.isArray(value) ? (value as readonly Json[]).filter(isJsonObject) : [];
}

function text(value: Json | undefined): string {
  return typeof value === "string" ? value : JSON.stringify(value ?? null);
}
