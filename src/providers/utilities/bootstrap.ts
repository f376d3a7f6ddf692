/**
 * Bootstrapping gives a run a working copy of its own: clean, and on the run's branch.
 *
 * 1. Uncommitted work is never carried along or left behind by accident: a working copy that has any is refused.
 * 2. Doing it again changes nothing: who is on the branch already stays there, also with changes.
 */

import { Declined } from "./request.ts";

/** The port to one repository's working copy. */
export interface WorkingCopy {
  readonly kind: "git" | "jj";
  readonly root: string;
  /** Looks, with a branch (in jj: a bookmark) in mind. */
  look(branch: string): Promise<Sight>;
  /** Makes the branch here and goes on it. */
  create(branch: string): Promise<void>;
  /** Goes to a branch that exists. */
  switchTo(branch: string): Promise<void>;
}

export interface Sight {
  readonly branchExists: boolean;
  /** True when work done now lands on the branch. */
  readonly isOnBranch: boolean;
  /** The commit that the branch began at, or will begin at; `null` before the first commit. */
  readonly base: string | null;
  /** Paths with uncommitted changes. */
  readonly changes: readonly string[];
}

export interface Bootstrapped {
  readonly kind: "git" | "jj";
  readonly root: string;
  readonly branch: string;
  readonly base: string | null;
  readonly clean: boolean;
  /** True when the branch was made now. */
  readonly created: boolean;
}

export type Move = "stay" | "switch" | "create" | "refuse";

/** Decides what to do about what was seen. */
export function moveFor({ branchExists, isOnBranch, changes }: Sight, allowDirty: boolean): Move {
  if (isOnBranch) return "stay";
  if (changes.length > 0 && !allowDirty) return "refuse";
  return branchExists ? "switch" : "create";
}

/** Brings a working copy to the branch. */
export async function bootstrap(
  copy: WorkingCopy,
  branch: string,
  allowDirty: boolean,
): Promise<Bootstrapped> {
  const { kind, root } = copy;
  const sight = await copy.look(branch);
  const move = moveFor(sight, allowDirty);
  if (move === "refuse") throw new Declined(whyDirty(root, sight.changes));
  if (move === "switch") await copy.switchTo(branch);
  if (move === "create") await copy.create(branch);
  const { base, changes } = sight;
  return { kind, root, branch, base, clean: changes.length === 0, created: move === "create" };
}

/** How many paths a refusal names. */
const NAMED = 3;

function whyDirty(root: string, changes: readonly string[]): string {
  const count = changes.length === 1 ? "1 uncommitted change" : `${changes.length} uncommitted changes`;
  const names = changes.slice(0, NAMED).join(", ") + (changes.length > NAMED ? ", …" : "");
  return `The working copy at ${root} has ${count} (${names}): commit or stash them, or set params.allowDirty to true.`;
}
