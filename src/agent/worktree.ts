/**
 * The port to folders that work can be done in side by side, away from the one that a person looks at.
 *
 * 1. Every call may be made again after a crash and then goes on where the first one stopped.
 * 2. Work that is not merged is never deleted, and nothing is written to the person's folder but by `land`.
 * 3. Calls return what a person has to know; they throw when a repository cannot do what it should.
 */

export interface Worktrees {
  /** The commit that work begins at, or why it cannot. `own` are paths whose changes do not count. */
  begin(cwd: string, own: readonly string[]): Promise<Begun>;
  /** Makes a worktree or finds it again; returns the folder in it that stands for the person's folder. */
  open(tree: Worktree): Promise<string>;
  /** Commits all that was done in a worktree. */
  seal(tree: Worktree, message: string): Promise<Sealed>;
  /** Merges a commit into a worktree that holds nothing but merges. A conflict leaves no trace there. */
  merge(into: Worktree, commit: string, message: string): Promise<Merged>;
  /** Merges what another worktree has into this one; a conflict stays in its files, for somebody to resolve. */
  bring(tree: Worktree, from: Worktree): Promise<Merged>;
  /** Moves the person's folder on to what a worktree has. */
  land(tree: Worktree): Promise<Landed>;
  /** Removes a worktree whose work has landed; says whether it did. */
  close(tree: Worktree): Promise<boolean>;
}

export interface Worktree {
  /** The person's folder, absolute. */
  readonly cwd: string;
  /** Where the worktree lies, absolute. */
  readonly folder: string;
  /** The branch that keeps its work. */
  readonly branch: string;
  /** The commit that it begins at. */
  readonly base: string;
}

export type Begun =
  | { readonly ok: true; readonly commit: string }
  | { readonly ok: false; readonly why: string };

export type Sealed =
  /** The commit; `null` when nothing was done. */
  | { readonly kind: "sealed"; readonly commit: string | null }
  /** Files with a conflict that nobody has resolved. */
  | { readonly kind: "unresolved"; readonly files: readonly string[] };

export type Merged =
  | { readonly kind: "merged" }
  | { readonly kind: "conflict"; readonly files: readonly string[] };

export type Landed = { readonly ok: true } | { readonly ok: false; readonly why: string };
