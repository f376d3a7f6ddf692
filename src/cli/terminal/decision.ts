/** A decision is why a loadout went where it went last: what was chosen, what was asked before it, and what had been counted. */

import { isJsonObject, type Json } from "../../base/json.ts";
import type { LoadoutRoute } from "../../dialects/loadout/view.ts";

/** A decision in one sentence, and as data. */
export interface Decision {
  readonly sentence: string;
  readonly data: Json;
}

/** Explains the route that was chosen last. Edges are named as they stand in the file: `edges[0]` is the first. */
export function decisionOf(route: LoadoutRoute): Decision {
  const { socket, item, chosen, tried, satisfied, counters } = route;
  const parts = [wentTo(route), ...listOf(tried).map(passedOver), ...countsOf(route)];
  return {
    sentence: parts.join("; "),
    data: { socket, item: item ?? null, chosen, tried, satisfied, counters },
  };
}

function wentTo({ chosen, satisfied, ...route }: LoadoutRoute): string {
  const who = whoOf(route);
  const { via, to, when, loop, exit, edge, exhausted } = isJsonObject(chosen) ? chosen : {};
  const said = typeof satisfied === "boolean" ? ` said satisfied: ${satisfied}` : "";
  switch (via) {
    case "exit": {
      // A loop is entered with an item in hand; without one it was passed by.
      const items =
        route.item === undefined
          ? `loop ${text(loop)} has no items`
          : `all items of loop ${text(loop)} are done`;
      const over = `${who}${said === "" ? ":" : `${said}, and`} ${items}`;
      if (exit === null) return `${over}; no exit of the loop matches, so the run ended`;
      return `${over}, so the run left the loop by its exit ${text(exit)} to ${text(to)}`;
    }
    case "none":
      return `${who}${said || " did not say whether it is satisfied"}, and none of its edges matches, so the run ended`;
    case "end":
      return `${who} has no edges, so the run ended`;
    default: {
      const way = `edges[${text(edge)}] to ${text(to)}`;
      if (exhausted === true) {
        return `${who}${said}, and would take ${way}, but has passed it as often as its maxTraversals allows`;
      }
      const reason = when === "always" ? "which is always taken" : `which wants ${text(when)}`;
      return `${who}${said === "" || when === "always" ? "" : `${said} and`} took ${way}, ${reason}`;
    }
  }
}

/** `Socket-5 (Auto-Eval) on WI-1`. */
function whoOf({ socket, label, item }: Pick<LoadoutRoute, "socket" | "label" | "item">): string {
  const named = label === undefined || label === socket ? socket : `${socket} (${label})`;
  return item === undefined ? named : `${named} on ${item}`;
}

/** An edge or exit that was asked and not taken. What was said stands in the sentence already. */
function passedOver({ edge, exit, to, why }: Readonly<Record<string, Json>>): string {
  const way = exit === undefined ? `edges[${text(edge)}]` : `exit ${text(exit)}`;
  return `${way} to ${text(to)} ${text(why).split(";")[0]}`;
}

/** How often the item had passed the chosen edge before, and how often it went in a circle. */
function countsOf({ socket, item, chosen, counters }: LoadoutRoute): string[] {
  const { via, edge } = isJsonObject(chosen) ? chosen : {};
  const counted = isJsonObject(counters) ? counters : {};
  const passes = via === "edge" ? counted[`edge:${socket}/${text(edge)}`] : undefined;
  const cycles = counted["cycles"];
  const who = item ?? "the run";
  return [
    ...(typeof passes === "number" ? [`${who} had passed edges[${text(edge)}] ${times(passes)} before`] : []),
    ...(typeof cycles === "number" ? [`${who} had gone in a circle ${times(cycles)} without advancing`] : []),
  ];
}

function times(count: number): string {
  return count === 1 ? "once" : count === 2 ? "twice" : `${count} times`;
}

function listOf(value: Json): readonly Readonly<Record<string, Json>>[] {
  return Array.isArray(value) ? (value as readonly Json[]).filter(isJsonObject) : [];
}

function text(value: Json | undefined): string {
  return typeof value === "string" ? value : JSON.stringify(value ?? null);
}
