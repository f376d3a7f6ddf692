/**
 * What happened inside of nodes that are unfolded: the runs that their latest visits started, as they stood at the time
 * of the moment that is shown.
 *
 * 1. A run inside is read event by event as it grows, and by no stream of its own: a browser has few of them.
 */

import { useQueries, useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo, useRef, useState } from "react";
import { api } from "./api.ts";
import type { Event } from "./baton.ts";
import { Fold } from "./fold.ts";
import { look, type Moment, type NodeLook } from "./moment.ts";
import type { LogView } from "./run-log.ts";

export interface Inside {
  /** The node, with those around it in front: `outer/inner`. */
  readonly path: string;
  readonly run: string;
  readonly moment: Moment;
}

/** In milliseconds: how often to look for new events of a run inside while the one around it is at work. */
const AGAIN = 1000;

export function useInside(
  { run, length }: Pick<LogView, "run" | "length">,
  moment: Moment,
  unfolded: ReadonlySet<string>,
): readonly Inside[] {
  const [wanted, setWanted] = useState<readonly string[]>([]);
  const client = useQueryClient();
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was recorded around may be what happened inside
  useEffect(() => {
    void client.invalidateQueries({ queryKey: ["inside"] });
  }, [client, length]);
  const logs = useLogs(wanted, moment.isAtWork);
  const folds = useRef<Map<string, Folded>>(new Map());
  const { insides, runs } = useMemo(
    () => insidesOf({ run, moment, unfolded, logs, folds: folds.current }),
    [run, moment, unfolded, logs],
  );
  const key = runs.join("\n");
  useEffect(() => setWanted(key === "" ? [] : key.split("\n")), [key]);
  return insides;
}

function useLogs(runs: readonly string[], isGoing: boolean): ReadonlyMap<string, readonly Event[]> {
  const client = useQueryClient();
  const results = useQueries({
    queries: runs.map((run) => ({
      queryKey: ["inside", run],
      queryFn: () => readOn(run, client.getQueryData<readonly Event[]>(["inside", run]) ?? []),
      refetchInterval: isGoing ? AGAIN : (false as const),
      retry: false,
    })),
  });
  const known = results.map(({ data }) => data);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the logs are compared one by one, their list is always new
  return useMemo(
    () => new Map(runs.flatMap((run, index) => (known[index] ? [[run, known[index]] as const] : []))),
    [runs, ...known],
  );
}

/** The log of a run of which the beginning is known (1). */
async function readOn(run: string, known: readonly Event[]): Promise<readonly Event[]> {
  const events = [...known];
  for (let next: number | null = known.length; next !== null; ) {
    const page = await api.events(run, { after: next });
    events.push(...page.events);
    next = page.next;
  }
  return events.length === known.length ? known : events;
}

interface Folded {
  readonly fold: Fold;
  readonly moment: Moment;
}

interface Around {
  readonly run: string;
  readonly moment: Moment;
  readonly unfolded: ReadonlySet<string>;
  readonly logs: ReadonlyMap<string, readonly Event[]>;
  readonly folds: Map<string, Folded>;
}

function insidesOf({ run, moment, unfolded, logs, folds }: Around) {
  const insides: Inside[] = [];
  const runs: string[] = [];
  for (const path of [...unfolded].sort((a, b) => a.length - b.length)) {
    const outer = insides.findLast((inside) => path.startsWith(`${inside.path}/`));
    const node = outer === undefined ? path : path.slice(outer.path.length + 1);
    const visit = (outer?.moment ?? moment).visits.findLast((one) => one.node === node);
    if (visit === undefined) continue;
    const child = `${outer?.run ?? run}/${visit.task}`;
    runs.push(child);
    const events = logs.get(child);
    if (events === undefined) continue;
    const count = moment.isLive ? events.length : events.filter(({ at }) => at <= moment.at).length;
    if (count > 0) insides.push({ path, run: child, moment: foldedTo(child, events.slice(0, count), folds) });
  }
  return { insides, runs };
}

/** A fold is gone on with where that is possible; the same moment is the same object. */
function foldedTo(run: string, events: readonly Event[], folds: Map<string, Folded>): Moment {
  const before = folds.get(run);
  if (before?.fold.seq === events.length) return before.moment;
  const fold = before !== undefined && before.fold.seq < events.length ? before.fold : new Fold(run);
  fold.upTo(events.length, events);
  const moment = look(fold, { isLive: true, isDriven: true });
  folds.set(run, { fold, moment });
  return moment;
}

/** How the nodes look, those inside of others by their path. */
export function looksWithin(moment: Moment, insides: readonly Inside[]): ReadonlyMap<string, NodeLook> {
  return merged(moment.nodes, insides, (inside) => inside.nodes);
}

/** How often edges were passed, those inside of nodes by their path. */
export function trafficWithin(moment: Moment, insides: readonly Inside[]): ReadonlyMap<string, number> {
  return merged(moment.traffic, insides, (inside) => inside.traffic);
}

function merged<T>(
  own: ReadonlyMap<string, T>,
  insides: readonly Inside[],
  of: (moment: Moment) => ReadonlyMap<string, T>,
): ReadonlyMap<string, T> {
  if (insides.length === 0) return own;
  const all = new Map(own);
  for (const { path, moment } of insides) {
    for (const [id, value] of of(moment)) all.set(`${path}/${id}`, value);
  }
  return all;
}
