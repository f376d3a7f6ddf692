/**
 * Conclude applies what follows from a socket's output, in this order: state patch, context, assignments, advance,
 * route. All of it is committed together with the visit, also when the route then fails the run.
 */

import type { Usage } from "../../agent/agent.ts";
import { type Failure, failure } from "../../base/failure.ts";
import { isJsonObject, type Json, type JsonObject } from "../../base/json.ts";
import type { Halt } from "../../kernel/event.ts";
import type { Artifact, Outcome } from "../../kernel/program.ts";
import { budgetWarnings } from "./budget.ts";
import * as channels from "./channels.ts";
import type { Chart } from "./chart.ts";
import { typeOf } from "./facts.ts";
import { type Left, leave, moveOn } from "./onward.ts";
import { parseSource, parseTarget, readPath } from "./path.ts";
import { REWORK_FROM_AROUND, reworkFromAround, reworkKey, reworkOf } from "./scope.ts";
import type { Visit } from "./visit.ts";

/** What a socket said. */
export interface Output {
  readonly text: string;
  /** Present when the socket parses JSON; it keeps the contract. */
  readonly json?: JsonObject;
  readonly artifact: Artifact;
  readonly usage: Usage;
  /** Where the agents' sessions stand now. */
  readonly sessions: Readonly<Record<string, Json>>;
}

/** The outcome of a visit that came to an output. */
export function conclude(chart: Chart, visit: Visit, output: Output): Outcome {
  const { place } = visit;
  const { json, artifact, usage, sessions } = output;
  visit.note("output", { artifact: { ...artifact }, format: place.contract.parse });
  visit.write(channels.LAST, { socket: place.id, label: place.label, ref: artifact.ref });
  budgetWarnings(visit, usage);
  visit.spend(usage, sessions);
  settleScopes(visit);
  const changed = json === undefined ? [] : patchState(visit, json);
  if (json !== undefined) logContext(visit, json);
  const assigned = assignAll(visit, json);
  if ("failure" in assigned) return done(visit, { halt: failed(assigned.failure) });
  restartLoops(chart, visit, [...changed, ...assigned.keys]);
  const satisfied = typeof json?.["satisfied"] === "boolean" ? json["satisfied"] : undefined;
  const before = visit.scope(place.loop);
  return done(visit, leave(chart, visit, { output, satisfied, before, moved: moveOn(visit, satisfied) }));
}

/** The outcome of a visit that goes on, ends or fails as its route says. */
export function done(visit: Visit, { target, halt }: Left): Outcome {
  return {
    kind: "done",
    writes: visit.writes(),
    route: target === undefined ? [] : [channels.pulseOf(target)],
    ...(halt && { halt }),
    notes: visit.notes,
  };
}

function failed(why: Failure): Halt {
  return { status: "failed", failure: why };
}

/** Rework that was shown is used up, and a visit ends a row of empty loops. A program is shown nothing. */
export function settleScopes(visit: Visit): void {
  const { loop, id, materia } = visit.place;
  const scope = visit.scope(loop);
  if (reworkOf(scope, id).length > 0) visit.changeScope(loop, { [reworkKey(id)]: [] });
  const outside = visit.scope(undefined);
  if (typeOf(materia) !== "utility" && reworkFromAround(outside).length > 0) {
    visit.changeScope(undefined, { [REWORK_FROM_AROUND]: [] });
  }
  if (outside["skips"] !== undefined && outside["skips"] !== 0) visit.changeScope(undefined, { skips: 0 });
}

/** A utility's patch of the state, key by key. */
function patchState(visit: Visit, json: JsonObject): string[] {
  const patch = json["state"];
  if (visit.place.contract.author !== "utility" || !isJsonObject(patch)) return [];
  for (const [key, value] of Object.entries(patch)) visit.setState([key], value);
  visit.note("patched", { keys: Object.keys(patch) });
  return Object.keys(patch);
}

function logContext(visit: Visit, json: JsonObject): void {
  const text = json["context"];
  if (typeof text !== "string" || text.trim() === "") return;
  const { label } = visit.place;
  visit.write(channels.CONTEXT, [{ label, ...(visit.item && { item: visit.item.key }), text }]);
  visit.note("context", { label, size: text.length });
}

function assignAll(
  visit: Visit,
  json: JsonObject | undefined,
): { readonly keys: string[] } | { readonly failure: Failure } {
  const keys: string[] = [];
  for (const [target, source] of Object.entries(visit.place.assignments)) {
    const from = parseSource(source);
    const to = parseTarget(target);
    const value = from?.root === "$" ? readPath(json, from.keys) : visit.stateAt(from?.keys ?? []);
    if (value === undefined || to === undefined) {
      const message = `${visit.place.id} assigns ${target} from ${source}, which is not there.`;
      return { failure: failure("handoff_invalid", message, { at: visit.place.id }) };
    }
    visit.setState(to, value);
    visit.note("assigned", { target, source });
    if (to[0] !== undefined) keys.push(to[0]);
  }
  return { keys };
}

/** A loop whose list was written from outside of it begins that list at its first item. */
export function restartLoops(chart: Chart, visit: Visit, keys: readonly string[]): void {
  for (const loop of chart.loops) {
    if (loop.members.has(visit.place.id) || !keys.includes(loop.items[0] ?? "")) continue;
    visit.resetScope(loop, 0);
  }
}
