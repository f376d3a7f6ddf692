/**
 * A graph's visit: another loadout runs as a child, with the state of this one to begin with; its last output counts.
 * It spends from the budget of this run as well as from its own. Rework is told to whoever is prompted first in it.
 */

import { NO_USAGE, type Usage } from "../../agent/agent.ts";
import { failure } from "../../base/failure.ts";
import { isJsonObject, type Json } from "../../base/json.ts";
import type { Write } from "../../kernel/event.ts";
import type { Program } from "../../kernel/program.ts";
import { LAST, REQUEST, STATE, scopeOf, USAGE } from "./channels.ts";
import type { Place } from "./chart.ts";
import { handoffIssues } from "./handoff.ts";
import { parseObject } from "./parse.ts";
import { reworkWrites } from "./scope.ts";
import type { Perform, Performed } from "./socket.ts";
import { invalid } from "./unfit.ts";
import type { Visit } from "./visit.ts";

export function performGraph(place: Place, compile: (visit: Visit) => Program): Perform {
  return async (visit, context): Promise<Performed> => {
    const writes: Write[] = [
      { channel: REQUEST, value: visit.read(REQUEST) ?? "" },
      { channel: STATE, value: visit.state() },
      ...reworkWrites(scopeOf(undefined), visit.rework),
    ];
    const child = await context.child({ key: "", program: compile(visit), writes });
    if (child.kind === "stopped") return { kind: "stopped", outcome: child.outcome };
    const usage = usageOf(child.output[USAGE]);
    visit.note("child", { run: child.run, usage: { ...usage } });
    const last = child.output[LAST];
    const ref = isJsonObject(last) ? last["ref"] : undefined;
    const text = typeof ref === "string" ? ((await context.fetch(ref)) ?? "") : "";
    const artifact = context.keep("output", text);
    const common = { text, artifact, usage, sessions: {} };
    if (place.contract.parse === "text") return { kind: "output", output: common };
    const parsed = parseObject(text);
    if (parsed.ok) {
      const issues = handoffIssues(place.contract, parsed.value);
      if (issues.length === 0) return { kind: "output", output: { ...common, json: parsed.value } };
      return { kind: "stopped", outcome: { kind: "failed", failure: invalid(place, issues) } };
    }
    const message = `${place.id} (${place.label}) should end with a JSON object. ${parsed.message}`;
    const why = failure("output_invalid", message, { at: place.id });
    return { kind: "stopped", outcome: { kind: "failed", failure: why } };
  };
}

function usageOf(spent: Json | undefined): Usage {
  if (!isJsonObject(spent)) return NO_USAGE;
  const { tokens, costUsd } = spent;
  return {
    tokens: typeof tokens === "number" ? tokens : 0,
    costUsd: typeof costUsd === "number" ? costUsd : null,
  };
}
