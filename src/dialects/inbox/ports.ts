/** The ports of an inbox graph: everything outside of a run that its turns reach. */

import type { Agent, Usage } from "../../agent/agent.ts";
import type { WorkingTree } from "../../agent/working-tree.ts";
import type { Worktrees } from "../../agent/worktree.ts";
import type { InboxDefinition } from "./definition.ts";

/** What the turns of an inbox graph work with; only `agent` is needed. */
export interface InboxServices {
  /** The agent with this name, or the default one; one whose turns fail where there is none. */
  agent(name: string | undefined): Agent;
  /** Compares files before and after turns; without it there are no diffs, and phases are kept by the agents alone. */
  readonly tree?: WorkingTree;
  /** For the nodes that want a worktree; without it their turns fail and say so. */
  readonly worktrees?: WorktreeGround;
  /** The definition as the log has it by now, for turns that it was changed under; their own when absent. */
  readonly latest?: () => InboxDefinition;
  /** Takes in what others have recorded meanwhile, so that a turn ends on what the log has by now. Never rejects. */
  refresh?(): Promise<unknown>;
  /** What failed turns of the run have cost that is not in its sum yet; what a node knows of its own when absent. */
  readonly arrears?: () => Usage;
  /** Makes ready whoever a changed definition wants. Rejects with a sentence when somebody is not to be had. */
  prepare?(definition: InboxDefinition): Promise<void>;
}

/** Where the worktrees of a run are made. */
export interface WorktreeGround {
  readonly port: Worktrees;
  /** The folder of the run, absolute. */
  readonly cwd: string;
  /** A folder of this run's own, absolute, in which they lie. */
  readonly folder: string;
  /** Paths whose changes are nobody's, absolute or relative to `cwd`. */
  readonly own?: readonly string[];
}
