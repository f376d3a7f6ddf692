/** Compile turns a checked loadout into a program: one node per socket, and a pulse that makes it run. */

import { canonical, type Json, type JsonObject } from "../../base/json.ts";
import { Refusal } from "../../base/refusal.ts";
import type { Command } from "../../kernel/command.ts";
import type { ChannelSpec, Plan, PlanNode } from "../../kernel/plan.ts";
import type { Handler, Program } from "../../kernel/program.ts";
import { TURN_ATTEMPTS } from "../attempts.ts";
import { digest64 } from "../digest.ts";
import { performAgent } from "./agent-socket.ts";
import { innerPurse, type Purse } from "./budget.ts";
import { CONTEXT, dataChannels, LAST, pulseOf, REQUEST, reducers, STATE, USAGE } from "./channels.ts";
import { type Chart, chartOf, type Place } from "./chart.ts";
import type { LoadoutDefinition } from "./definition.ts";
import { drawingOf } from "./draw.ts";
import { typeOf } from "./facts.ts";
import { performGraph } from "./graph-socket.ts";
import { performHuman } from "./human-socket.ts";
import { laneDefinition, materiaMayWrite, mayWrite } from "./lanes/lane.ts";
import { performLanes } from "./lanes/perform-lanes.ts";
import { missingItems } from "./missing-items.ts";
import { pictured } from "./pictured.ts";
import type { LoadoutServices } from "./ports.ts";
import { innerLoadout } from "./read.ts";
import { type Perform, type Setting, socketHandler } from "./socket.ts";
import { performUtility } from "./utility-socket.ts";

/** The program of a definition that `readLoadout` accepted, or that the log of a run kept. */
export function compileLoadout(definition: LoadoutDefinition, services: LoadoutServices): Program {
  return compileWithin(definition, services, undefined);
}

/** The program of a loadout that spends from a purse around it, too. */
function compileWithin(
  definition: LoadoutDefinition,
  services: LoadoutServices,
  purse: Purse | undefined,
): Program {
  const chart = chartOf(definition);
  const setting = { chart, services, purse };
  const handlers = [...chart.places.values()].map((place): [string, Handler] => {
    return [place.id, socketHandler(setting, place, lookedAt(place, setting))];
  });
  const json = definition as unknown as Json; // it was read from JSON
  const text = canonical(json);
  return {
    id: { dialect: "loadout", name: definition.name, revision: digest64(text) },
    plan: planOf(chart),
    definition: json,
    handlers: Object.fromEntries(handlers),
    reducers,
  };
}

interface Compiling extends Setting {
  readonly services: LoadoutServices;
}

/** The work of a place; where it may change files, with pictures of them. */
function lookedAt(place: Place, setting: Compiling): Perform {
  const perform = performOf(place, setting);
  const { chart, services } = setting;
  const { loop, materia, id } = place;
  const isWriting = loop?.parallel
    ? mayWrite(laneDefinition(chart, loop, id))
    : materiaMayWrite(materia, chart.definition);
  return isWriting ? pictured(perform, services) : perform;
}

function performOf(place: Place, { chart, services, purse }: Compiling): Perform {
  if (place.loop?.parallel !== undefined) {
    const compile: typeof compileLoadout = (lane, within) => compileWithin(lane, within, purse);
    return performLanes({ chart, place, loop: place.loop, services, compile });
  }
  switch (typeOf(place.materia)) {
    case "agent":
      return performAgent(chart, place, services);
    case "utility":
      return performUtility(place, services);
    case "human":
      return performHuman(place);
    case "graph":
      return performGraph(place, (visit) => {
        const inner = innerLoadout(chart.definition, place.materia);
        return compileWithin(inner, services, innerPurse(visit, purse));
      });
  }
}

function planOf({ definition, places, loops }: Chart): Plan {
  const nodes = [...places.values()].map(({ id, materia }): [string, PlanNode] => [
    id,
    { triggers: [pulseOf(id)], reads: [], ...(typeOf(materia) === "agent" && { attempts: TURN_ATTEMPTS }) },
  ]);
  const pulses = [...places.keys()].map((id): [string, ChannelSpec] => [pulseOf(id), { kind: "pulse" }]);
  const data = dataChannels(
    loops.map(({ id }) => id),
    { ...definition.budget } as JsonObject, // it was read from JSON
  );
  const { maxSteps } = definition.limits ?? {};
  return {
    name: definition.name,
    pace: "step",
    channels: { ...data, ...Object.fromEntries(pulses) },
    nodes: Object.fromEntries(nodes),
    entry: [pulseOf(definition.entry)],
    output: [STATE, CONTEXT, USAGE, LAST],
    limits: maxSteps === undefined ? {} : { steps: maxSteps },
    onFailure: "stop",
    drawing: drawingOf(definition) as unknown as Json, // plain data
  };
}

/**
 * The command that starts a run: what it is asked to do, and what its state begins with. Throws a `Refusal` when a loop
 * would find no list.
 */
export function startLoadout(
  definition: LoadoutDefinition,
  request: string,
  inputs: JsonObject = {},
): Extract<Command, { type: "start" }> {
  const missing = missingItems(definition, inputs);
  if (missing !== undefined) throw new Refusal("invalid_value", missing);
  return {
    type: "start",
    writes: [
      { channel: REQUEST, value: request },
      ...(Object.keys(inputs).length > 0 ? [{ channel: STATE, value: inputs }] : []),
    ],
    request: { loadout: definition.name, task: request, ...(Object.keys(inputs).length > 0 && { inputs }) },
  };
}
