/**
 * A pictured visit is one whose files are compared: as they were when it began, and as it left them.
 *
 * 1. The first picture is recorded before any work, and a visit that is taken up again keeps it. So its diff tells
 *    everything that was done, whichever process did it.
 * 2. What became of the files is a note of the outcome: it is recorded together with it, or not at all.
 * 3. Where no picture can be had the visit is made all the same. Where there should be one, a warning says why not.
 */

import type { WorkingTree } from "../../agent/working-tree.ts";
import { messageOf } from "../../base/failure.ts";
import type { Json } from "../../base/json.ts";
import type { TaskContext } from "../../kernel/program.ts";
import { typeOf } from "./facts.ts";
import type { LoadoutServices } from "./ports.ts";
import type { Perform } from "./socket.ts";
import type { Visit } from "./visit.ts";

/** The key under which a task remembers the mark of the files that it found. */
export const FOUND = "files:found";
/** The most paths that a note names. */
const MOST_PATHS = 50;

/** The same work, with pictures of the folder before and after it. */
export function pictured(perform: Perform, { tree, agent }: LoadoutServices): Perform {
  if (tree === undefined) return perform;
  return async (visit, context) => {
    if (isKnownToRead(visit, agent)) return perform(visit, context);
    const found = await find(tree, visit, context);
    const performed = await perform(visit, context);
    const counts = !context.signal.aborted || context.interrupted !== undefined;
    if (found !== undefined && counts) await tell(tree, { visit, context, found });
    return performed;
  };
}

/** Says whether the visit is that of an agent that never writes, such as a script without files. */
function isKnownToRead({ place, item }: Visit, agent: LoadoutServices["agent"]): boolean {
  const { id, role, materia, loop } = place;
  if (loop?.parallel !== undefined || typeOf(materia) !== "agent") return false;
  return agent(materia.agent).mayWrite?.({ node: id, role, ...(item && { item: item.key }) }) === false;
}

async function find(tree: WorkingTree, visit: Visit, context: TaskContext): Promise<Json | undefined> {
  const known = context.recall(FOUND);
  if (known !== undefined) return known; // (1)
  let mark: Json | undefined;
  try {
    mark = await tree.mark();
  } catch (error) {
    visit.warn("no_diff", messageOf(error)); // (3)
  }
  return mark === undefined ? undefined : context.once(FOUND, () => mark);
}

interface Work {
  readonly visit: Visit;
  readonly context: TaskContext;
  readonly found: Json;
}

async function tell(tree: WorkingTree, { visit, context, found }: Work): Promise<void> {
  try {
    const changes = await tree.changes(found);
    if (changes === undefined) return;
    const { diff, paths, after } = changes;
    const more = paths.length - MOST_PATHS;
    visit.note("files", {
      paths: paths.slice(0, MOST_PATHS),
      ...(more > 0 && { more }),
      ...(diff !== "" && { artifact: { ...context.keep("diff", diff) } }),
      ...(after !== undefined && { files: after }),
    });
  } catch (error) {
    visit.warn("no_diff", messageOf(error)); // (3)
  }
}

/** The same files, seen from a folder of their own. */
export function treeIn(tree: WorkingTree, folder: string): WorkingTree {
  return {
    mark: (at = folder, how) => tree.mark(at, how),
    changes: (mark, at = folder) => tree.changes(mark, at),
    restore: (mark, paths, at = folder) => tree.restore(mark, paths, at),
  };
}
