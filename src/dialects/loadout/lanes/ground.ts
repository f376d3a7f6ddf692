/**
 * The ground is where the lanes of one loop work: the folder of the run when nobody writes, else a worktree for each,
 * named after the run, the task and the item, so that any process finds it again.
 */

import type { Worktree, Worktrees } from "../../../agent/worktree.ts";
import { failure, messageOf } from "../../../base/failure.ts";
import { hash32 } from "../../../base/random.ts";
import type { Outcome, TaskContext } from "../../../kernel/program.ts";
import type { LoadoutServices } from "../ports.ts";
import type { Item } from "../visit.ts";

export type Ground =
  | { readonly kind: "shared" }
  | { readonly kind: "worktrees"; readonly worktrees: Worktrees; readonly tree: (key: string) => Worktree }
  /** There can be no worktrees, and a sentence says why. */
  | { readonly kind: "none"; readonly why: string };

/** A ground that can be worked on. */
export type Work = Exclude<Ground, { kind: "none" }>;

/** The ground for lanes that may write. The commit that they begin at is recorded, so that it stays the same. */
export async function groundFor(services: LoadoutServices, context: TaskContext): Promise<Ground> {
  const { worktrees, cwd, runDir } = services;
  if (worktrees === undefined) return { kind: "none", why: "This engine has no folders for them." };
  let base = context.recall(BASE);
  if (base === undefined) {
    const begun = await worktrees.begin(cwd, [".baton", runDir]);
    if (!begun.ok) return { kind: "none", why: begun.why };
    base = await context.once(BASE, () => begun.commit);
  }
  const name = slug(`${context.run}-${context.task}`);
  const tree = (key: string): Worktree => ({
    ...{ cwd, base: String(base) },
    folder: `${runDir}/lanes/${name}/${slug(key)}`,
    branch: `baton/${name}/${slug(key)}`,
  });
  return { kind: "worktrees", worktrees, tree };
}

const BASE = "lanes:base";

/** A text as part of paths and of names of branches; texts that look alike in it are told apart by their hash. */
function slug(text: string): string {
  const plain = text.replace(/[^A-Za-z0-9]+/g, "-").replace(/^-|-$/g, "");
  return plain === text ? text : `${plain.slice(0, 40)}-${hash32(text).toString(36)}`;
}

type Grounded<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly outcome: Outcome };

/** The folder of an item's lane; none where nobody writes. */
export async function folderIn(ground: Work, item: Item): Promise<Grounded<string | undefined>> {
  if (ground.kind === "shared") return { ok: true, value: undefined };
  return withGit(item, async () => ({ ok: true, value: await ground.worktrees.open(ground.tree(item.key)) }));
}

/** The commit with what a lane did. */
export async function sealedIn(ground: Work, item: Item): Promise<Grounded<string | null>> {
  if (ground.kind === "shared") return { ok: true, value: null };
  return withGit(item, async () => {
    const tree = ground.tree(item.key);
    const sealed = await ground.worktrees.seal(tree, item.label);
    if (sealed.kind === "sealed") return { ok: true, value: sealed.commit };
    const files = sealed.files.join(", ");
    return broken(
      item,
      `It left conflicts in ${files}. Resolve them in ${tree.folder}, then resume the run.`,
    );
  });
}

/** What a repository cannot do fails the lane, not the ones beside it. */
async function withGit<T>(item: Item, work: () => Promise<Grounded<T>>): Promise<Grounded<T>> {
  try {
    return await work();
  } catch (error) {
    return broken(item, messageOf(error));
  }
}

function broken(item: Item, why: string): { readonly ok: false; readonly outcome: Outcome } {
  const message = `The worktree of ${item.key} (${item.label}) cannot be used. ${why}`;
  return { ok: false, outcome: { kind: "failed", failure: failure("child_failed", message) } };
}
