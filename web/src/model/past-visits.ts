/** The past visits of nodes of a run, newest first, of which more are asked for when they are wanted. */

import { useInfiniteQuery } from "@tanstack/react-query";
import { api } from "./api.ts";
import type { PastVisit } from "./baton.ts";

export interface PastVisits {
  /** Nothing before the first of them are known. */
  readonly visits: readonly PastVisit[] | undefined;
  readonly error: Error | null;
  /** Asks for earlier ones; nothing at the beginning of the log. */
  readonly more: (() => void) | undefined;
}

export function usePastVisits(run: string, nodes: readonly string[]): PastVisits {
  const { data, error, hasNextPage, isFetching, fetchNextPage } = useInfiniteQuery({
    queryKey: ["visits", run, ...nodes],
    enabled: nodes.length > 0,
    staleTime: 60_000,
    initialPageParam: undefined as number | undefined,
    queryFn: ({ pageParam }) => {
      return api.visits(run, { nodes, ...(pageParam !== undefined && { before: pageParam }) });
    },
    getNextPageParam: ({ next }) => next ?? undefined,
  });
  const known = data?.pages.flatMap(({ visits }) => visits);
  const visits = nodes.length === 0 ? [] : known;
  return { visits, error, more: hasNextPage && !isFetching ? () => void fetchNextPage() : undefined };
}
