/** The ports of an inbox graph: everything outside of a run that its turns reach. */

import type { Agent } from "../../agent/agent.ts";
import type { Json } from "../../base/json.ts";

export interface InboxServices {
  /** The agent with this name, or the default one. */
  agent(name: string | undefined): Agent;
  /** Compares the working tree before and after a turn; without it there are no diffs. */
  readonly diff?: WorkingTree;
}

export interface WorkingTree {
  /** Marks the tree as it is before a turn of this node. The mark is recorded, and may be used by a later process. */
  before(node: string): Promise<Json>;
  /** What has changed since the mark, as a unified diff; nothing when nothing has. */
  after(node: string, mark: Json): Promise<string | undefined>;
}
