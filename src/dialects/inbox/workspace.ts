/**
 * A workspace is where the turns of a node work, and what they may write there.
 *
 * 1. Nodes whose agents may write do not work at the same time unless their author says so: they are `exclusive`.
 * 2. What an author left open is settled when the graph is compiled, and the log keeps it: whoever goes on with a run
 *    goes on with the same workspaces.
 */

import type { TurnRequest } from "../../agent/agent.ts";
import {
  DEFAULT_TOOLS,
  type InboxDefinition,
  type InboxNode,
  type Phase,
  type Workspace,
} from "./definition.ts";
import type { InboxServices } from "./ports.ts";

export type Writes = NonNullable<TurnRequest["writes"]>;

/** The key of which one exclusive turn at a time has the folder of the run. */
export const FOLDER = "folder";

/** What a turn of a node may write. */
export function writesOf({ kind, tools = DEFAULT_TOOLS[kind] }: InboxNode, phase: Phase): Writes {
  if (tools === "none" || tools === "readOnly") return "none";
  return phase === "planning" ? "docs" : "all";
}

/** The definition with a workspace for each node (2). */
export function settleWorkspaces(definition: InboxDefinition, services: InboxServices): InboxDefinition {
  const { nodes } = definition;
  if (Object.values(nodes).every(({ workspace }) => workspace !== undefined)) return definition;
  const settled = Object.entries(nodes).map(([id, node]): [string, InboxNode] => {
    const { workspace = safeWorkspace(id, node, services) } = node;
    return [id, { ...node, workspace }];
  });
  return { ...definition, nodes: Object.fromEntries(settled) };
}

/** (1). An agent that never writes, such as a script without files, may work beside others. */
function safeWorkspace(id: string, node: InboxNode, services: InboxServices): Workspace {
  if (writesOf(node, "implementation") === "none") return "shared";
  const agent = services.agent(node.agent);
  return agent.mayWrite?.({ node: id }) === false ? "shared" : "exclusive";
}
