/** A seat is a node as its turns know it: who it is, and whom it may write to. */

import { canonical, type Json } from "../../base/json.ts";
import type { NodeName } from "../../base/names.ts";
import { digest64 } from "../digest.ts";
import { DEFAULT_TOOLS, type InboxDefinition, type InboxNode } from "./definition.ts";
import type { Network } from "./network.ts";

export interface Seat {
  readonly id: NodeName;
  readonly node: InboxNode;
  readonly network: Network;
  readonly definition: InboxDefinition;
  /** Names everything that the full prompt says and a delta leaves out; another role needs a full prompt again. */
  readonly role: string;
}

export function seatOf(id: NodeName, definition: InboxDefinition, network: Network): Seat {
  const node = definition.nodes[id] as InboxNode; // the id is one of its keys
  const contacts = network.contacts(id).map(([to, { type }]) => [to, type]);
  const { kind, label = null, prompt = null, tools = DEFAULT_TOOLS[kind], model = null } = node;
  const role: Json = { kind, label, prompt, tools, model, contacts };
  return { id, node, network, definition, role: digest64(canonical(role)) };
}

/** Says whether the node takes the automatic turns of its run. */
export function isConductor({ node, definition }: Seat): boolean {
  return definition.mode === "auto" && node.kind === "orchestrator";
}
