/**
 * The tree of what happened inside of nodes: the runs that the visits of unfolded nodes started, at the time of the
 * moment around them.
 *
 * 1. A visit has one run inside (a sub-graph, a loadout) or several, each under a key (the lanes of a parallel loop):
 *    their ids are derived, `RUN/TASK` and `RUN/TASK~KEY`.
 * 2. Every run inside has a path of its own. Of the runs of a node, the latest has the path of the drawing.
 * 3. What is unfolded is said by node: all its visits are, and all their lanes.
 */

import type { Event } from "./baton.ts";
import { modelOf } from "./drawing/model-of.ts";
import { Fold } from "./fold.ts";
import { look, type Moment } from "./moment.ts";

export interface Inside {
  /** The run around it and the task that started it: `RUN/TASK`. */
  readonly outer: string;
  /** The node, with those around it in front, and which of its runs it is: `team/write`, `team#1`, `build~WI-2` (2). */
  readonly path: string;
  /** What nodes inside are unfolded by: the path without what tells runs of a node apart (3). */
  readonly plain: string;
  /** For a lane, where its nodes are drawn: among those around it. */
  readonly drawnIn: string | undefined;
  readonly run: string;
  readonly moment: Moment;
  /** What people call the nodes inside. */
  readonly labels: ReadonlyMap<string, string>;
}

export interface Around {
  readonly run: string;
  readonly moment: Moment;
  readonly unfolded: ReadonlySet<string>;
  /** The runs inside of this one, at any depth. */
  readonly runs: readonly string[];
  readonly logs: ReadonlyMap<string, readonly Event[]>;
  readonly folds: Folds;
}

interface Folded {
  readonly fold: Fold;
  readonly moment: Moment;
  readonly labels: ReadonlyMap<string, string>;
}

/** The folds of runs that were inside of something before. */
export type Folds = Map<string, Folded>;

/** How many runs inside of one node are shown: the newest. */
const MOST = 40;

interface Outer {
  readonly run: string;
  readonly moment: Moment;
  /** In front of the paths of what is inside, and of what it is unfolded by. */
  readonly path: string;
  readonly plain: string;
}

/** What happened inside, outer before inner, and the runs that it has to be read from. */
export function insidesOf(around: Around): {
  readonly insides: readonly Inside[];
  readonly wanted: readonly string[];
} {
  const insides: Inside[] = [];
  const wanted: string[] = [];
  const visit = (outer: Outer): void => {
    for (const found of startedIn(outer, around)) {
      wanted.push(found.run);
      const folded = foldedIn(found.run, around);
      if (folded === undefined) continue;
      const { moment, labels } = folded;
      insides.push({ ...found, moment, labels });
      visit({ run: found.run, moment, path: `${found.path}/`, plain: `${found.plain}/` });
    }
  };
  visit({ run: around.run, moment: around.moment, path: "", plain: "" });
  return { insides, wanted };
}

type Started = Omit<Inside, "moment" | "labels">;

/** The runs that the visits of unfolded nodes started, in the order of the visits. */
function startedIn({ run, moment, path, plain }: Outer, { unfolded, runs }: Around): readonly Started[] {
  const byNode = new Map<string, Started[]>();
  for (const { node, task, number } of moment.visits) {
    if (!unfolded.has(plain + node)) continue;
    const outer = `${run}/${task}`;
    const found = byNode.get(node) ?? [];
    byNode.set(node, found);
    const isLatest = number === moment.nodes.get(node)?.visits;
    const own = path + node + (isLatest ? "" : `#${number}`); // (2)
    for (const { id, key } of insideOf(outer, runs)) {
      const isLane = key !== "";
      const place = { path: own + (isLane ? `~${key}` : ""), plain: plain + node };
      found.push({ outer, run: id, ...place, drawnIn: isLane ? path : undefined });
    }
  }
  return [...byNode.values()].flatMap((found) => found.slice(-MOST));
}

/** The runs that a task started, with their keys (1). */
export function insideOf(
  outer: string,
  runs: readonly string[],
): readonly { readonly id: string; readonly key: string }[] {
  return runs.flatMap((id) => {
    if (id === outer) return [{ id, key: "" }];
    const key = id.startsWith(`${outer}~`) ? id.slice(outer.length + 1) : "";
    return key === "" || key.includes("/") ? [] : [{ id, key }];
  });
}

/** The nodes of a run that have lanes inside: what happened in a loop is only seen in them. */
export function nodesWithLanes(run: string, { visits }: Moment, runs: readonly string[]): readonly string[] {
  if (!runs.some((id) => id.includes("~"))) return [];
  const found = visits.filter(({ task }) => insideOf(`${run}/${task}`, runs).some(({ key }) => key !== ""));
  return [...new Set(found.map(({ node }) => node))];
}

/** A fold is gone on with where that is possible; the same moment is the same object. */
function foldedIn(run: string, { moment: { isLive, at }, logs, folds }: Around): Folded | undefined {
  const events = logs.get(run);
  const count = isLive ? (events?.length ?? 0) : countUntil(at, events ?? []);
  if (events === undefined || count === 0) return undefined;
  const before = folds.get(run);
  if (before?.fold.seq === count) return before;
  const fold = before !== undefined && before.fold.seq < count ? before.fold : new Fold(run);
  fold.upTo(count, events);
  const moment = look(fold, { isLive: true, isDriven: true });
  const folded = { fold, moment, labels: labelsOf(moment, before) };
  folds.set(run, folded);
  return folded;
}

/** How many events were recorded by then. */
function countUntil(time: number, events: readonly Event[]): number {
  let [least, most] = [0, events.length];
  while (least < most) {
    const middle = (least + most) >> 1;
    if ((events[middle]?.at ?? 0) <= time) least = middle + 1;
    else most = middle;
  }
  return least;
}

/** The drawing of a run inside never changes but in an inbox graph, whose nodes are called by their ids. */
function labelsOf({ dialect, state }: Moment, before: Folded | undefined): ReadonlyMap<string, string> {
  if (before !== undefined && before.labels.size > 0) return before.labels;
  return new Map(modelOf(dialect, state.plan.drawing).nodes.map(({ id, label }) => [id, label]));
}
