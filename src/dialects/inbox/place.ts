/**
 * A place is a workspace as one turn found it: its folder, and the mark of its files.
 *
 * 1. A turn that takes over from one that died keeps that one's mark, so that its diff tells everything that was done.
 * 2. Only turns that may write are compared: in a shared folder, a reader would be given the changes of others.
 * 3. What a turn must not write is put back as it was, unless others may have written it: in a shared folder it is
 *    only told. The diff, which is kept, has it in any case.
 * 4. Ignored files are in no diff, as secrets are among them. Where only documents may be written, a change of one is
 *    told; it does not fail the turn, as tools leave such files behind.
 */

import { isDocument } from "../../agent/documents.ts";
import type { WorkingTree } from "../../agent/working-tree.ts";
import type { Worktree } from "../../agent/worktree.ts";
import { messageOf } from "../../base/failure.ts";
import type { Json } from "../../base/json.ts";
import type { RunId } from "../../base/names.ts";
import { digest64 } from "../digest.ts";
import type { Workspace } from "./definition.ts";
import type { InboxServices, WorktreeGround } from "./ports.ts";
import type { Seat } from "./seat.ts";
import { type Writes, writesOf } from "./workspace.ts";

export type Place = {
  readonly workspace: Workspace;
  readonly writes: Writes;
  /** Absolute; the folder of the run when absent. */
  readonly folder?: string;
  readonly worktree?: Worktree;
  readonly mark?: Json;
  /** Why there is no mark though there should be one. */
  readonly unmarked?: string;
};

export interface Opening {
  readonly seat: Seat;
  readonly services: InboxServices;
  readonly run: RunId;
  /** False for an agent that never writes. */
  readonly canWrite: boolean;
  /** The place of the turn that died over the same inputs (1). */
  readonly left: Place | undefined;
  /** The worktree that the node has from earlier turns. */
  readonly worktree: Worktree | undefined;
}

/** The place of a turn that begins, or a sentence that says why it has none. */
export async function openPlace({
  seat,
  services,
  run,
  canWrite,
  left,
  worktree,
}: Opening): Promise<Place | string> {
  const { node, definition, id } = seat;
  const { workspace = "exclusive" } = node;
  const writes = writesOf(node, definition.phase);
  const known = left?.workspace === workspace ? left : undefined;
  let place: Place = { workspace, writes };
  if (workspace === "worktree") {
    const own = await openWorktree(services.worktrees, { run, node: id, known: known?.worktree ?? worktree });
    if (typeof own === "string") return `${id} cannot have a worktree of its own. ${own}`;
    place = { ...place, ...own };
  }
  if (writes === "none" || (workspace === "shared" && !canWrite)) return place; // (2)
  if (known?.mark !== undefined) return { ...place, mark: known.mark };
  try {
    const mark = await services.tree?.mark(place.folder, { ignored: writes === "docs" });
    return mark === undefined ? place : { ...place, mark };
  } catch (error) {
    return { ...place, unmarked: messageOf(error) };
  }
}

interface Wanted {
  readonly run: RunId;
  readonly node: string;
  readonly known: Worktree | undefined;
}

async function openWorktree(
  ground: WorktreeGround | undefined,
  { run, node, known }: Wanted,
): Promise<{ readonly folder: string; readonly worktree: Worktree } | string> {
  if (ground === undefined) return "This engine has no folders for worktrees.";
  try {
    let worktree = known;
    if (worktree === undefined) {
      const begun = await ground.port.begin(ground.cwd, [ground.folder, ...(ground.own ?? [])]);
      if (!begun.ok) return begun.why;
      const [folder, branch] = [`${ground.folder}/${slug(node)}`, `baton/${slug(run)}/${slug(node)}`];
      worktree = { cwd: ground.cwd, folder, branch, base: begun.commit };
    }
    return { folder: await ground.port.open(worktree), worktree };
  } catch (error) {
    return messageOf(error);
  }
}

/** A text as part of paths and of names of branches; texts that look alike in it are told apart by their hash. */
function slug(text: string): string {
  const plain = text.replace(/[^A-Za-z0-9]+/g, "-").slice(0, 40);
  return `${plain}-${digest64(text).slice(0, 8)}`;
}

/** What became of the files over a turn. */
export interface Review {
  readonly diff?: string;
  /** The mark of the files that the turn left. */
  readonly files?: Json;
  /** Why the turn must not count: it wrote what it may not. */
  readonly forbidden?: string;
  /** That it changed ignored files, where it may only write documents (4). */
  readonly ignored?: string;
  /** Why nothing can be said about the files. */
  readonly unknown?: string;
}

/** Looks at what a turn changed, and undoes what it may not have changed (3). */
export async function reviewPlace(
  place: Place,
  tree: WorkingTree | undefined,
  node: string,
): Promise<Review> {
  const { mark, unmarked, folder } = place;
  if (unmarked !== undefined) return { unknown: unmarked };
  if (mark === undefined || tree === undefined) return {};
  try {
    const changes = await tree.changes(mark, folder);
    if (changes === undefined) return {};
    const paths = place.writes === "docs" ? changes.paths.filter((path) => !isDocument(path)) : [];
    const { diff, after: files, ignored = [] } = changes;
    const seen = {
      ...(diff !== "" && { diff }),
      ...(ignored.length > 0 && {
        ignored: `${node} changed ${named(ignored)}, which git ignores: look at it.`,
      }),
    };
    if (paths.length === 0) return { ...seen, ...(files !== undefined && { files }) };
    const undone = await undo(place, mark, tree);
    const what = `${node} changed ${named(paths)}, and in the planning phase only documents may be written.`;
    return { ...seen, forbidden: `${what} ${undone}` };
  } catch (error) {
    return { unknown: messageOf(error) };
  }
}

function named(paths: readonly string[]): string {
  return paths.length === 1 ? String(paths[0]) : `${paths[0]} and ${paths.length - 1} more`;
}

/** Files that an ignore file of the turn's had hidden come to light when that file is put back. */
const ROUNDS = 3;

async function undo({ workspace, folder }: Place, mark: Json, tree: WorkingTree): Promise<string> {
  if (workspace === "shared") return "Its workspace is shared, so the change stands: look at it.";
  try {
    for (let round = 1; round <= ROUNDS; round++) {
      const { paths = [] } = (await tree.changes(mark, folder)) ?? {};
      const left = paths.filter((path) => !isDocument(path));
      if (left.length === 0) return "That was undone.";
      await tree.restore(mark, left, folder);
    }
    return "Some of it could not be undone: look at it.";
  } catch (error) {
    return `It could not be undone: ${messageOf(error)}`;
  }
}
