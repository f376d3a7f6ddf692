/**
 * What happened inside of nodes that are unfolded: the runs that their visits started, as they stood at the time of the
 * moment that is shown.
 *
 * 1. A run inside is read event by event as it grows, and by no stream of its own: a browser has few of them.
 * 2. One that is finished is read once: it does not go on.
 */

import { useQueries, useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo, useRef, useState } from "react";
import { api } from "./api.ts";
import type { Event } from "./baton.ts";
import { type Folds, type Inside, insidesOf } from "./inside-tree.ts";
import type { Moment } from "./moment.ts";
import type { LogView } from "./run-log.ts";

/** In milliseconds: how often to look for new events of a run inside while the one around it is at work. */
const AGAIN = 1000;

interface Unfolding {
  readonly moment: Moment;
  readonly unfolded: ReadonlySet<string>;
  /** The runs inside of this one, at any depth. */
  readonly runs: readonly string[];
}

export function useInside(
  { run, length }: Pick<LogView, "run" | "length">,
  { moment, unfolded, runs }: Unfolding,
): readonly Inside[] {
  const [shown, setShown] = useState<readonly string[]>([]);
  const client = useQueryClient();
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was recorded around may be what happened inside
  useEffect(() => {
    void client.invalidateQueries({
      queryKey: ["inside"],
      predicate: ({ state }) => !isOver(state.data as readonly Event[] | undefined),
    });
  }, [client, length]);
  const logs = useLogs(shown, moment.isAtWork);
  const folds = useRef<Folds>(new Map());
  const { insides, wanted } = useMemo(
    () => insidesOf({ run, moment, unfolded, runs, logs, folds: folds.current }),
    [run, moment, unfolded, runs, logs],
  );
  const key = wanted.join("\n");
  useEffect(() => setShown(key === "" ? [] : key.split("\n")), [key]);
  return insides;
}

function useLogs(runs: readonly string[], isGoing: boolean): ReadonlyMap<string, readonly Event[]> {
  const client = useQueryClient();
  const results = useQueries({
    queries: runs.map((run) => ({
      queryKey: ["inside", run],
      queryFn: () => readOn(run, client.getQueryData<readonly Event[]>(["inside", run]) ?? []),
      refetchInterval: ({ state }: { readonly state: { readonly data: readonly Event[] | undefined } }) =>
        isGoing && !isOver(state.data) ? AGAIN : (false as const),
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

/** (2) */
function isOver(events: readonly Event[] | undefined): boolean {
  return events?.at(-1)?.type === "run.finished";
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
