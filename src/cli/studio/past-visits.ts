/**
 * The past visits of nodes, newest first, page by page, at a cost that the length of the run does not touch.
 *
 * 1. The log is read backwards, and no more of it than `MOST_READ` events for a page: a page may have fewer visits than
 *    were asked for, or none, and says where to go on.
 * 2. What a visit refers to stands in the events after the one that opened it, and no more than `MOST_OF_VISIT` of them
 *    are looked at.
 */

import { isJsonObject, type Json } from "../../base/json.ts";
import type { RunId, TaskId } from "../../base/names.ts";
import type { Event } from "../../kernel/event.ts";
import type { PastVisit, VisitsPage } from "../../protocol/studio.ts";
import type { Journal } from "../../run/journal.ts";
import type { VisitsQuery } from "../../server/studio.ts";
import { type TextRef, textsIn } from "../../views/texts.ts";

const MOST_READ = 5000;
const MOST_OF_VISIT = 400;
const PAGE = 500;

interface Wanted extends VisitsQuery {
  /** The number of the last event. */
  readonly seq: number;
}

/** A page of the visits of some nodes. */
export async function pastVisits(journal: Journal, run: RunId, wanted: Wanted): Promise<VisitsPage> {
  const { nodes, before = wanted.seq + 1, limit } = wanted;
  const visits: PastVisit[] = [];
  let end = Math.min(before - 1, wanted.seq);
  for (const least = Math.max(0, end - MOST_READ); end > least && visits.length < limit; ) {
    const from = Math.max(least, end - PAGE);
    for (const event of (await journal.read(run, from, end - from)).toReversed()) {
      if (visits.length >= limit) break;
      end = event.seq - 1;
      if (event.type !== "step.opened") continue;
      for (const { task, node } of event.tasks.toReversed()) {
        if (nodes.includes(node)) visits.push(await visitOf(journal, run, { event, task, node }));
      }
    }
  }
  return { visits, next: end > 0 ? end + 1 : null }; // (1)
}

interface Opened {
  readonly event: Event & { readonly step: number };
  readonly task: TaskId;
  readonly node: string;
}

/** (2) */
async function visitOf(journal: Journal, run: RunId, { event, task, node }: Opened): Promise<PastVisit> {
  const { seq, at, step } = event;
  const texts: TextRef[] = [];
  let about: Pick<PastVisit, "item" | "title"> = { item: null, title: null };
  for (const told of await journal.read(run, seq, MOST_OF_VISIT)) {
    if (!("task" in told) || told.task !== task) continue;
    if (told.type === "task.noted" && told.kind.endsWith(".entered")) about = aboutIn(told.data);
    for (const text of textsIn(valueIn(told))) {
      if (!texts.some(({ kind, ref }) => kind === text.kind && ref === text.ref)) texts.push(text);
    }
    if (told.type === "task.finished") break;
  }
  return { task, node, step, seq, at, ...about, texts };
}

function valueIn(event: Event): Json {
  if (event.type === "task.noted") return event.data;
  return event.type === "task.remembered" ? event.value : null;
}

function aboutIn(data: Json): Pick<PastVisit, "item" | "title"> {
  const { item, title } = isJsonObject(data) ? data : {};
  return { item: typeof item === "string" ? item : null, title: typeof title === "string" ? title : null };
}
