/** The rows of the list of runs, of which only those in sight are in the document. */

import { useVirtualizer } from "@tanstack/react-virtual";
import { CornerDownRight } from "lucide-react";
import { memo, useEffect, useRef } from "react";
import { Link } from "wouter";
import { runAddress } from "../../app/address.ts";
import { useNow } from "../../app/now.ts";
import type { RunLine } from "../../model/baton.ts";
import { ago, dollars, duration, tokens, whole } from "../../model/format.ts";
import { standingOf } from "../../model/standing.ts";
import { Status } from "../../parts/status.tsx";
import styles from "./run-list.module.css";

interface RunListProps {
  readonly runs: readonly RunLine[];
  readonly hasMore: boolean;
  readonly onMore: () => void;
}

const ROW = 68;

export function RunList({ runs, hasMore, onMore }: RunListProps) {
  const frame = useRef<HTMLDivElement>(null);
  const now = useNow(30_000);
  const rows = useVirtualizer({
    count: runs.length,
    getScrollElement: () => frame.current,
    estimateSize: () => ROW,
    getItemKey: (index) => runs[index]?.run ?? index,
    overscan: 6,
  });
  const items = rows.getVirtualItems();
  const last = items.at(-1)?.index ?? 0;
  useEffect(() => {
    if (hasMore && last >= runs.length - 10) onMore();
  }, [hasMore, last, runs.length, onMore]);
  return (
    <div ref={frame} className={styles["frame"]} tabIndex={-1}>
      <ul className={styles["list"]} style={{ height: rows.getTotalSize() }} aria-label="Runs">
        {items.map(({ key, index, start }) => {
          const line = runs[index];
          return (
            line && (
              <li key={key} className={styles["item"]} style={{ transform: `translateY(${start}px)` }}>
                <Row line={line} now={now} />
              </li>
            )
          );
        })}
      </ul>
    </div>
  );
}

const Row = memo(function Row({ line, now }: { readonly line: RunLine; readonly now: number }) {
  const { run, program, task, startedAt, updatedAt, parent, questions, usage } = line;
  const { status, reason } = standingOf(line);
  return (
    <Link href={runAddress(run)} className={styles["row"]}>
      <span className={styles["what"]}>
        <span className={styles["title"]}>
          {parent && <CornerDownRight aria-label="part of another run" className={styles["child"]} />}
          <span className={styles["name"]} title={program.name}>
            {program.name}
          </span>
          <span className={styles["dialect"]}>{program.dialect}</span>
        </span>
        <span className={styles["task"]} title={task || run}>
          {task || run}
        </span>
      </span>
      <span className={styles["status"]}>
        <Status status={status} reason={status === "idle" ? null : reason} />
        {status === "idle" && <span className={styles["left"]}>nobody drives it: resume</span>}
        {status === "waiting" && questions > 0 && (
          <span className={styles["questions"]}>
            {questions} {questions === 1 ? "question" : "questions"}
          </span>
        )}
      </span>
      <span className={styles["usage"]}>
        {(program.dialect !== "graph" || usage.tokens > 0) && (
          <>
            <span>{tokens(usage.tokens)} tokens</span>
            <span>{dollars(usage.costUsd)}</span>
          </>
        )}
      </span>
      <span className={styles["time"]} title={whole(startedAt)}>
        <span>{ago(updatedAt, now)}</span>
        <span>{duration((status === "running" ? Math.max(now, updatedAt) : updatedAt) - startedAt)}</span>
      </span>
    </Link>
  );
});
