/** The shape of inbox files: the one source of their validation and of their JSON Schema. */

import type { Tools } from "../../agent/agent.ts";
import type { JsonObject } from "../../base/json.ts";
import { object, optional } from "../../base/object-shape.ts";
import {
  array,
  boolean,
  integer,
  oneOf,
  record,
  type Shape,
  string,
  textOrObject,
} from "../../base/shape.ts";
import { budgetShape } from "../budget.ts";
import type { AuthoredEdge, InboxFile, InboxNode, Limits, Mode, Phase } from "./definition.ts";

const tools: Shape<Tools> = textOrObject(
  oneOf(
    "What the agent may use: none, readOnly, coding, or a list of tools. Where it is absent, a task gets coding, and any other node readOnly.",
    ["none", "readOnly", "coding"],
  ),
  object<Exclude<Tools, string>>("The named tools only.", {
    type: oneOf("Always custom.", ["custom"]),
    tools: array("The names of the tools.", string("The name of a tool.", { filled: true })),
  }),
);

export const nodeShape: Shape<InboxNode> = object("An agent session with an inbox.", {
  kind: oneOf("What it is there for: orchestrator, task or verifier.", ["orchestrator", "task", "verifier"]),
  label: optional(string("What people call it; its id when absent.", { filled: true })),
  agent: optional(string("Which agent takes its turns; the default one when absent.", { filled: true })),
  prompt: optional(string("Its role.", { filled: true })),
  tools: optional(tools),
  workspace: optional(
    oneOf(
      "shared (the folder of the run), exclusive (no turn of another exclusive node at the same time) or worktree (a git worktree of its own). Where it is absent, a node whose agent may change files is exclusive, and any other is shared.",
      ["shared", "exclusive", "worktree"],
    ),
  ),
  model: optional(string("The model that the agent should use.", { filled: true })),
  thinking: optional(string("How hard the agent should think.", { filled: true })),
});

export const edgeShape: Shape<AuthoredEdge> = object("A way for envelopes from one node to another.", {
  id: optional(string("Unique among the edges; made of its ends when absent.", { filled: true })),
  from: string("The id of a node.", { filled: true }),
  to: string("The id of a node.", { filled: true }),
  type: optional(
    oneOf("handoff (work, the default) or report (results).", ["handoff", "report"], "unknown_edge_type"),
  ),
  direction: optional(oneOf("bidirectional (the default) or directional.", ["bidirectional", "directional"])),
  auto: optional(boolean("Carries the final message of every completed turn forwards; false when absent.")),
});

export const limitsShape: Shape<Limits> = object("Limits of the run.", {
  maxConcurrentTurns: optional(integer("Turns at once; 4 when absent.", { least: 1 })),
  stallAfter: optional(integer("Identical results before the run pauses; 3 when absent.", { least: 2 })),
  maxAutoTurns: optional(integer("Automatic turns without new input; 3 when absent.", { least: 1 })),
});

export const modeShape: Shape<Mode> = oneOf("interactive (the default) or auto.", ["auto", "interactive"]);

export const phaseShape: Shape<Phase> = oneOf(
  "implementation (the default), or planning, where nothing but documents is written.",
  ["planning", "implementation"],
);

export const inboxShape: Shape<InboxFile> = object("An inbox graph.", {
  $schema: optional(string("The address of this schema, for editors.")),
  name: optional(string("What people call it.", { filled: true })),
  mode: optional(modeShape),
  phase: optional(phaseShape),
  nodes: record("Nodes by id.", nodeShape),
  edges: optional(array("Who may send to whom.", edgeShape)),
  limits: optional(limitsShape),
  budget: optional(budgetShape),
});

/** The JSON Schema of inbox files, draft 2020-12. */
export function inboxJsonSchema(): JsonObject {
  const $schema = "https://json-schema.org/draft/2020-12/schema";
  return { $schema, title: "Baton inbox graph", ...inboxShape.schema };
}
