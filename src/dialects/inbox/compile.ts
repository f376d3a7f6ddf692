/** Compile turns a checked inbox graph into a program: one node with its inbox per session, at the pace of turns. */

import { canonical, type Json } from "../../base/json.ts";
import type { Plan, PlanNode } from "../../kernel/plan.ts";
import type { Handler, Program } from "../../kernel/program.ts";
import { TURN_ATTEMPTS } from "../attempts.ts";
import { digest64 } from "../digest.ts";
import { grave } from "./amend.ts";
import {
  AUTO_TURNS,
  BUDGET,
  channelsOf,
  deskOf,
  GOAL,
  inboxOf,
  NUDGE,
  QUIET,
  RESULTS,
  reducers,
  USAGE,
} from "./channels.ts";
import type { InboxDefinition } from "./definition.ts";
import { drawingOf } from "./draw.ts";
import { Network } from "./network.ts";
import { conductorOf, NUDGER, nudge, nudger } from "./orchestrator.ts";
import type { InboxServices } from "./ports.ts";
import { seatOf } from "./seat.ts";
import { turnHandler } from "./turn.ts";
import { FOLDER, settleWorkspaces } from "./workspace.ts";

/** The program of a definition that `readInbox` accepted, or that the log of a run kept. */
export function compileInbox(authored: InboxDefinition, services: InboxServices): Program {
  const definition = settleWorkspaces(authored, services);
  const network = new Network(definition);
  const conductor = conductorOf(definition);
  const turns = Object.keys(definition.nodes).map((id): [string, Handler] => {
    return [id, turnHandler(seatOf(id, definition, network), services)];
  });
  const graves = (definition.removed ?? []).map((id): [string, Handler] => [id, grave(id)]);
  const json = definition as unknown as Json; // it was read from JSON
  return {
    id: { dialect: "inbox", name: definition.name, revision: digest64(canonical(json)) },
    plan: planOf(definition),
    definition: json,
    handlers: {
      ...Object.fromEntries([...turns, ...graves]),
      ...(conductor !== undefined && { [NUDGER]: nudge(definition, conductor) }),
    },
    reducers,
  };
}

function planOf(definition: InboxDefinition): Plan {
  const { name, nodes, removed = [], limits } = definition;
  const conductor = conductorOf(definition);
  const sessions = Object.entries(nodes).map(([id, { workspace }]): [string, PlanNode] => [
    id,
    {
      triggers: id === conductor ? [inboxOf(id), NUDGE] : [inboxOf(id)],
      reads: [deskOf(id), USAGE, BUDGET, RESULTS, GOAL, AUTO_TURNS],
      attempts: TURN_ATTEMPTS,
      ...(workspace === "exclusive" && { exclusive: FOLDER }),
    },
  ]);
  const graves = removed.map((id): [string, PlanNode] => [id, { triggers: [inboxOf(id)], reads: [] }]);
  return {
    name,
    pace: "turn",
    channels: channelsOf(definition),
    nodes: {
      ...Object.fromEntries([...sessions, ...graves]),
      ...(conductor !== undefined && { [NUDGER]: nudger }),
    },
    entry: conductor === undefined ? [] : [QUIET],
    output: [USAGE, GOAL],
    limits: { concurrency: limits.maxConcurrentTurns },
    onFailure: "hold",
    drawing: drawingOf(definition) as unknown as Json, // plain data
  };
}
