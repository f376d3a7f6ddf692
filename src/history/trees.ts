/**
 * The trees of a run are the pictures of its files that its log names: what they were at which event, and where.
 *
 * 1. A turn of an inbox graph that may write names a picture when it begins, and one when it has changed something.
 * 2. A visit of a loadout that may write does the same. Those inside a lane show the folder of the lane, which has a log
 *    of its own.
 * 3. The lanes of a parallel loop begin at a commit, and what each did is one; once they have landed in the person's
 *    folder, that folder is as no picture shows it until the visit of the loop names one.
 * 4. A picture is git's name of a tree or a commit. It says what the files were, not where they can be had.
 */

import { isJsonObject, type Json } from "../base/json.ts";
import type { TaskId } from "../base/names.ts";
import { LANDED } from "../dialects/loadout/lanes/integration.ts";
import { FOUND } from "../dialects/loadout/pictured.ts";
import type { Event } from "../kernel/event.ts";

export interface RecordedTree {
  /** The event that names it. */
  readonly seq: number;
  readonly task: TaskId;
  /** Git's name of a tree, or of a commit: 40 or 64 hex digits. */
  readonly object: string;
  /** The folder that it shows, absolute; that of the run when absent. */
  readonly folder?: string;
}

/** From here on nobody knows what the folder of the run holds. */
interface Unknown {
  readonly seq: number;
  readonly object: undefined;
  readonly folder?: undefined;
}

const NAME = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;
const PLACE = /^begin:\d+$/;
const LANE = /^lane:/;
/** The notes that name what a turn or a visit left. */
const NOTES: ReadonlySet<string> = new Set(["inbox.turn", "loadout.files"]);

/** Every picture that a log names, in the order of the log. */
export function treesOf(events: readonly Event[]): readonly RecordedTree[] {
  return told(events).filter((tree): tree is RecordedTree => tree.object !== undefined);
}

/**
 * What the folder of a run held right after an event, if the log names it. Before the first turn that may write began,
 * that is what this turn found.
 */
export function treeAt(events: readonly Event[], seq: number): RecordedTree | undefined {
  const own = told(events).filter(({ folder }) => folder === undefined);
  const tree = own.findLast((each) => each.seq <= seq) ?? own[0];
  return tree?.object === undefined ? undefined : tree;
}

function told(events: readonly Event[]): readonly (RecordedTree | Unknown)[] {
  const folders = new Map<TaskId, string | undefined>();
  return events.flatMap((event): readonly (RecordedTree | Unknown)[] => {
    if (event.type === "task.remembered") return remembered(event, folders);
    if (event.type !== "task.noted" || !NOTES.has(event.kind) || !isJsonObject(event.data)) return [];
    return picture(event, event.data["files"], folders.get(event.task)); // (1, 2)
  });
}

type Remembered = Extract<Event, { type: "task.remembered" }>;

function remembered(
  event: Remembered,
  folders: Map<TaskId, string | undefined>,
): readonly (RecordedTree | Unknown)[] {
  const { key, value, task, seq } = event;
  if (key === "lanes:base" && typeof value === "string" && NAME.test(value))
    return [{ seq, task, object: value }];
  if (key === LANDED) return [{ seq, object: undefined }]; // (3)
  if (key === FOUND) return picture(event, value, undefined); // (2)
  if (!isJsonObject(value)) return [];
  if (LANE.test(key)) return commit(event, value["commit"], key);
  const place = PLACE.test(key) ? value["place"] : undefined;
  if (!isJsonObject(place)) return [];
  const folder = typeof place["folder"] === "string" ? place["folder"] : undefined;
  folders.set(task, folder);
  return picture(event, place["mark"], folder);
}

function picture(
  { seq, task }: { readonly seq: number; readonly task: TaskId },
  mark: Json | undefined,
  folder: string | undefined,
): readonly RecordedTree[] {
  const object = isJsonObject(mark) ? mark["tree"] : undefined;
  if (typeof object !== "string" || !NAME.test(object)) return [];
  return [{ seq, task, object, ...(folder !== undefined && { folder }) }];
}

/** A lane works in a folder of its own, which its key stands for. */
function commit({ seq, task }: Remembered, object: Json | undefined, key: string): readonly RecordedTree[] {
  return typeof object === "string" && NAME.test(object) ? [{ seq, task, object, folder: key }] : [];
}
