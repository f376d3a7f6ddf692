/** The ports of a loadout: everything outside of a run that its sockets reach. */

import type { Agent } from "../../agent/agent.ts";
import type { Commands } from "../../agent/command.ts";
import type { WorkingTree } from "../../agent/working-tree.ts";
import type { Worktrees } from "../../agent/worktree.ts";

/** What the sockets of a loadout work with. */
export interface LoadoutServices {
  /** The agent with this name, or the default one. */
  agent(name: string | undefined): Agent;
  /** Runs the programs of utilities. */
  readonly commands: Commands;
  /** The program behind a bundled utility; nothing when there is none of this name. */
  utility(name: string): BundledUtility | undefined;
  /** The project folder, absolute: where utilities run. */
  readonly cwd: string;
  /** A folder for the files of this run, absolute. */
  readonly runDir: string;
  /** Folders for the lanes of parallel loops; without it a loop whose lanes may write does not begin. */
  readonly worktrees?: Worktrees;
  /** The files of the project; without it nobody is told what a visit changed, and no fork gets them back. */
  readonly tree?: WorkingTree;
}

/** The program behind a utility that is named by `utility` and not by its `command`. */
export interface BundledUtility {
  /** The program and its arguments. */
  readonly argv: readonly string[];
  /** Names of environment variables that it needs besides the allow-list. */
  readonly env?: readonly string[];
}
