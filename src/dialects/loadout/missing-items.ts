/**
 * Missing items are lists that a loop works on and nothing in the loadout can make: a run has to begin with them.
 *
 * 1. A utility that prints JSON may put anything into the state, so beside one nothing is known to be missing.
 */

import type { JsonObject } from "../../base/json.ts";
import { type Chart, type Circuit, chartOf } from "./chart.ts";
import type { LoadoutDefinition } from "./definition.ts";
import { typeOf } from "./facts.ts";
import { parseTarget } from "./path.ts";

/** What is missing from the inputs of a run, in one sentence; `undefined` when nothing is. */
export function missingItems(definition: LoadoutDefinition, inputs: JsonObject): string | undefined {
  const chart = chartOf(definition);
  const made = madeBy(chart);
  if (made === undefined) return undefined; // (1)
  const isMissing = ({ items: [key = ""] }: Circuit) => !made.has(key) && !Object.hasOwn(inputs, key);
  const loop = chart.loops.find(isMissing);
  if (loop === undefined) return undefined;
  const [input] = loop.items;
  const who = loop.id.startsWith("~") ? `${loop.advancer}` : `Loop ${loop.id}`;
  return `${who} works on the list state.${loop.items.join(".")}, and nothing makes it: give it as the input ${input}.`;
}

/** The keys of the state that sockets assign; `undefined` when a socket may write any (1). */
function madeBy({ places }: Chart): ReadonlySet<string> | undefined {
  const made = new Set<string>();
  for (const { materia, contract, assignments } of places.values()) {
    if (typeOf(materia) === "utility" && contract.parse === "json") return undefined;
    for (const target of Object.keys(assignments)) made.add(parseTarget(target)?.[0] ?? target);
  }
  return made;
}
