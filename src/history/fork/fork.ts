/**
 * A fork is a new run that has the past of another one up to a moment, and goes on by itself.
 *
 * 1. Its log begins with that past, so it can be shown, compared, exported and replayed without the run it came from;
 *    texts are stored under their content and not copied.
 * 2. `run.forked` says where it came from. What follows is its own.
 * 3. Tasks that were open then are open again. Child runs of open tasks are forked with them, as they were at that time.
 * 4. The run that it came from is not touched: a fork that gets a folder is asked for with that folder, and it has none
 *    of that run's worktrees, but those that were made for it.
 */

import { isJsonObject, type JsonObject } from "../../base/json.ts";
import type { RunId } from "../../base/names.ts";
import { Refusal } from "../../base/refusal.ts";
import { archiveState } from "../../kernel/archive.ts";
import type { Event } from "../../kernel/event.ts";
import { evolve } from "../../kernel/evolve.ts";
import { emptyState, type RunState } from "../../kernel/state.ts";
import { standingOf } from "../../run/head.ts";
import type { Journal, RunHead, Standing } from "../../run/journal.ts";
import { readEvents } from "../../run/load.ts";
import { putLog } from "../copy.ts";
import { familyOf, newRunId, renamed } from "../family.ts";
import { renameEvent } from "../rename.ts";
import { type Edit, patchesOf } from "./edit.ts";
import { type ForkedWorktrees, withWorktrees } from "./forked-worktrees.ts";

/** From which moment a fork goes on, under which id, and what is changed there. */
export interface ForkOptions {
  /** The sequence number of the last event that both share; the whole past when absent. */
  readonly at?: number;
  /** The id of the new run. */
  readonly id: string;
  /** Changes of the state that the new run begins with. */
  readonly edit?: readonly Edit[];
  /** Where the new run works, absolute; where the old one did when absent. */
  readonly cwd?: string;
  /** The worktrees that nodes of the new run have, by the folders of those that they stand for; none when absent. */
  readonly worktrees?: ForkedWorktrees["made"];
  /** The time of the fork, in milliseconds since 1970 UTC. */
  readonly now: number;
}

export interface Forked {
  readonly run: RunId;
  readonly from: { readonly run: RunId; readonly seq: number };
  /** How it stands: a paused or failed one is resumed, a running one is driven. */
  readonly status: Standing;
  /** The nodes of the tasks that are open in it. */
  readonly open: readonly string[];
  /** The child runs that were forked with it. */
  readonly children: readonly RunId[];
}

/** Makes a run that begins where another one stood. Refuses an id that is taken and a moment that is not there. */
export async function forkRun(journal: Journal, from: RunId, options: ForkOptions): Promise<Forked> {
  const to = await newRunId(journal, options.id);
  const family = await familyOf(journal, from);
  const past = await pastOf(journal, from, options.at);
  const moment = past.at(-1) as Event; // `pastOf` refuses an empty past
  const events = past.map((event) => within(renameEvent(event, { from, to }), options.cwd));
  const state = emptyState(to);
  for (const event of events) evolve(state, event);
  const patches = patchesOf(state, options.edit ?? []);
  const open = openTasks(from, state);
  const children = await forkChildren(journal, family.slice(1), { from, to, open, at: moment.at });
  const place = (index: number) => ({ run: to, seq: past.length + index, at: options.now });
  const origin = { run: from, seq: moment.seq };
  const archive = JSON.parse(JSON.stringify(archiveState(state))) as JsonObject; // printing drops what is absent
  const isInbox = state.program?.dialect === "inbox"; // whose nodes may have worktrees of their own
  const begins = isInbox ? withWorktrees(archive, options.worktrees ?? NONE) : archive;
  const own: Event[] = [{ type: "run.forked", from: origin, state: begins, ...place(1) }];
  if (patches.length > 0) own.push({ type: "state.updated", patches, route: [], ...place(2) });
  const forked = await putLog(journal, to, { events: [...events, ...plain(own)] });
  return {
    run: to,
    from: origin,
    status: standingOf(forked),
    open: [...forked.tasks.values()].map(({ node }) => node),
    children,
  };
}

/** The request of a run names its folder. */
function within(event: Event, cwd: string | undefined): Event {
  if (cwd === undefined || event.type !== "run.started" || !isJsonObject(event.request)) return event;
  return { ...event, request: { ...event.request, cwd } };
}

const NONE: ForkedWorktrees["made"] = new Map();

interface Birth {
  readonly from: RunId;
  readonly to: RunId;
  /** What is under way in the runs that were forked so far. */
  readonly open: Set<string>;
  readonly at: number;
}

/** Forks the descendants that open tasks started, parents before their children (3). */
async function forkChildren(
  journal: Journal,
  below: readonly RunHead[],
  { from, to, open, at }: Birth,
): Promise<RunId[]> {
  const children: RunId[] = [];
  for (const { run, parent } of below) {
    if (parent === undefined || !open.has(`${parent.run}/${parent.task}`)) continue;
    const log = await logUntil(journal, run, at);
    if (log.length === 0) continue;
    const child = await putLog(journal, renamed(run, from, to), {
      events: log.map((event) => renameEvent(event, { from, to })),
    });
    for (const task of openTasks(run, child)) open.add(task);
    children.push(child.run);
  }
  return children;
}

/** What is under way in a run, by the name that a child has of it. */
function openTasks(run: RunId, state: RunState): Set<string> {
  const open = [...state.tasks.values()].filter(({ phase }) => phase === "ready" || phase === "asked");
  return new Set(open.map(({ id }) => `${run}/${id}`));
}

async function pastOf(journal: Journal, run: RunId, at: number | undefined): Promise<Event[]> {
  const past: Event[] = [];
  for await (const event of readEvents(journal, run, 0)) {
    if (at !== undefined && event.seq > at) break;
    past.push(event);
  }
  const isThere = at === undefined || (Number.isInteger(at) && at > 0 && past.length === at);
  if (isThere && past.length > 0) return past;
  throw new Refusal("invalid_value", `Run ${run} has no event ${at}: it has the events 1 to ${past.length}.`);
}

/** The events of a child until a time. The clock of one machine orders the logs of a family. */
async function logUntil(journal: Journal, run: RunId, at: number): Promise<Event[]> {
  const log: Event[] = [];
  for await (const event of readEvents(journal, run, 0)) {
    if (event.at > at) break;
    log.push(event);
  }
  return log;
}

/** As a journal would give them back: archives hold keys without values. */
function plain(events: readonly Event[]): Event[] {
  return JSON.parse(JSON.stringify(events)) as Event[];
}
