/** The list of runs: searched, filtered and kept up with what happens; the address holds the filter. */

import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { lazy, Suspense } from "react";
import { type Change, useAddress } from "../../app/address.ts";
import { useTitle } from "../../app/questions.ts";
import { api } from "../../model/api.ts";
import type { RunsPage as Page, RunsFilter } from "../../model/baton.ts";
import { Button } from "../../parts/button.tsx";
import { Empty, Problem } from "../../parts/notice.tsx";
import { Filters } from "./filters.tsx";
import { RunList } from "./run-list.tsx";
import styles from "./runs-page.module.css";

const StartDialog = lazy(async () => ({ default: (await import("../start/start-dialog.tsx")).StartDialog }));

const PAGE = 100;

export function RunsPage() {
  useTitle("Runs");
  const [search, change] = useAddress();
  const filter = {
    status: search.get("status") ?? undefined,
    dialect: search.get("dialect") ?? undefined,
    search: search.get("search") ?? undefined,
  };
  const query = useInfiniteQuery({
    queryKey: ["runs", filter],
    queryFn: ({ pageParam: cursor }) => api.runs({ ...given({ ...filter, cursor }), limit: PAGE }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }: Page) => next ?? undefined,
    placeholderData: keepPreviousData,
  });
  const pages = query.data?.pages ?? [];
  const runs = pages.flatMap((page) => page.runs);
  const isFiltered = Object.values(filter).some((value) => value !== undefined);
  return (
    <div className={styles["page"]}>
      <header className={styles["head"]}>
        <h1>Runs</h1>
        <Button look="primary" icon={<Plus aria-hidden />} onClick={() => change({ start: "1" })}>
          Start a run
        </Button>
      </header>
      <Filters filter={filter} counts={pages[0]?.counts ?? {}} onChange={change} />
      {query.error && <Problem error={query.error} />}
      {runs.length > 0 && (
        <RunList
          runs={runs}
          hasMore={query.hasNextPage}
          onMore={() => {
            if (!query.isFetchingNextPage) void query.fetchNextPage();
          }}
        />
      )}
      {query.isSuccess && runs.length === 0 && <NoRuns isFiltered={isFiltered} onChange={change} />}
      {search.has("start") && (
        <Suspense>
          <StartDialog
            definition={search.get("definition") ?? undefined}
            onClose={() => change({ start: undefined, definition: undefined })}
          />
        </Suspense>
      )}
    </div>
  );
}

/** The parts of the address as the studio takes them: a status that there is not gives no runs. */
function given(filter: Readonly<Record<string, string | undefined>>): RunsFilter {
  return Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined));
}

interface NoRunsProps {
  readonly isFiltered: boolean;
  readonly onChange: (change: Change) => void;
}

function NoRuns({ isFiltered, onChange }: NoRunsProps) {
  if (isFiltered) {
    const all = { status: undefined, dialect: undefined, search: undefined };
    return (
      <Empty
        title="No run is like that"
        action={<Button onClick={() => onChange(all)}>Show all runs</Button>}
      >
        Search looks at names, tasks and ids.
      </Empty>
    );
  }
  return (
    <Empty
      title="Nothing has run here yet"
      action={
        <Button look="primary" onClick={() => onChange({ start: "1" })}>
          Start a run
        </Button>
      }
    >
      Choose a definition and say what is to be done. A run that is started in a terminal, with{" "}
      <code>baton run</code>, appears here as well.
    </Empty>
  );
}
