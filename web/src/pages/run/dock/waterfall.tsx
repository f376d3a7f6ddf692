/** The timeline of a run: one bar for each visit, from when it was opened to when it settled. */

import { useVirtualizer } from "@tanstack/react-virtual";
import { ChevronDown, ChevronRight } from "lucide-react";
import { memo, useEffect, useMemo, useRef, useState } from "react";
import { useNow } from "../../../app/now.ts";
import { duration } from "../../../model/format.ts";
import { type Open, standsAs } from "../../../model/moment.ts";
import type { Visit } from "../../../model/visits.ts";
import { cx } from "../../../parts/cx.ts";
import { Empty } from "../../../parts/notice.tsx";
import { Status } from "../../../parts/status.tsx";
import type { DockProps } from "./dock.tsx";
import { type BarRow, type Row, rowsOf, type Scale } from "./rows.ts";
import styles from "./waterfall.module.css";

type WaterfallProps = Omit<DockProps, "onSeq">;

const ROW = 28;
/** In milliseconds: how often the bars of what is at work grow, and how often to look where nothing is. */
const GROWTH = 1000;
const STILL = 60_000;
/** How many rows stay in sight above the one that is scrolled to. */
const ABOVE = 3;

export function Waterfall(props: WaterfallProps) {
  const { log, moment, insides, labels, node, visit, unfolded, runs, onUnfold, onChoose } = props;
  const [scale, setScale] = useState<Scale>("time");
  const frame = useRef<HTMLDivElement>(null);
  // The bar of what is at work grows.
  const now = useNow(moment.isLive && moment.isAtWork ? GROWTH : STILL);
  const at = moment.isLive && moment.isAtWork ? Math.max(now, moment.at) : moment.at;
  const rows = useMemo(
    () => rowsOf({ run: log.run, moment, at, insides, runs, labels }, scale),
    [log.run, moment, at, insides, runs, labels, scale],
  );
  const list = useVirtualizer({
    count: rows.length,
    getScrollElement: () => frame.current,
    estimateSize: () => ROW,
    overscan: 8,
  });
  // What is over is read from its beginning.
  const follows = moment.isLive && moment.status !== "completed" && moment.status !== "cancelled";
  const chosen = rows.findIndex((row) => isShown(row, node, visit));
  useEffect(() => {
    if (rows.length > 0 && follows && chosen < 0) list.scrollToIndex(rows.length - 1);
  }, [rows.length, follows, chosen, list]);
  useEffect(() => {
    const { startIndex = -1, endIndex = -1 } = list.range ?? {};
    const isInSight = chosen >= startIndex && chosen < endIndex;
    if (chosen >= 0 && !isInSight) list.scrollToIndex(Math.max(0, chosen - ABOVE), { align: "start" });
  }, [chosen, list]);
  if (rows.length === 0) return <Empty title="Nothing has begun yet" />;
  const whole = scale === "time" ? duration(at - moment.startedAt) : `${moment.seq} events`;
  return (
    <div className={styles["timeline"]}>
      <div className={styles["scale"]}>
        <label>
          by{" "}
          <select value={scale} onChange={(event) => setScale(event.target.value as Scale)}>
            <option value="time">time</option>
            <option value="events">events</option>
          </select>
        </label>
        <span className={styles["axis"]} aria-hidden>
          <span>0</span>
          <span>{whole}</span>
        </span>
      </div>
      <div ref={frame} className={styles["frame"]}>
        <ul className={styles["list"]} style={{ height: list.getTotalSize() }} aria-label="Visits">
          {list.getVirtualItems().map(({ key, index, start }) => {
            const row = rows[index];
            if (row === undefined) return null;
            const isChosen = isShown(row, node, visit);
            return (
              <li key={key} className={styles["row"]} style={{ transform: `translateY(${start}px)` }}>
                <RowView row={row} open={moment.open} isChosen={isChosen} onChoose={onChoose} />
                {row.kind === "bar" && row.unfoldsBy !== undefined && (
                  <Unfold row={row} isUnfolded={unfolded.has(row.unfoldsBy)} onUnfold={onUnfold} />
                )}
              </li>
            );
          })}
        </ul>
      </div>
    </div>
  );
}

/** Says whether the inspector shows a row: the visit that is chosen, or any of the node's where none is. */
function isShown(row: Row, node: string | undefined, visit: number | undefined): boolean {
  return row.kind === "bar" && row.path === node && (visit === undefined || row.visit.number === visit);
}

interface UnfoldProps {
  readonly row: BarRow;
  readonly isUnfolded: boolean;
  readonly onUnfold: WaterfallProps["onUnfold"];
}

function Unfold({ row: { unfoldsBy = "", label }, isUnfolded, onUnfold }: UnfoldProps) {
  return (
    <button
      type="button"
      className={styles["unfold"]}
      aria-expanded={isUnfolded}
      aria-label={`Inside of ${label}`}
      onClick={() => onUnfold(unfoldsBy)}
    >
      {isUnfolded ? <ChevronDown aria-hidden /> : <ChevronRight aria-hidden />}
    </button>
  );
}

interface RowViewProps {
  readonly row: Row;
  readonly open: Open;
  readonly isChosen: boolean;
  readonly onChoose: WaterfallProps["onChoose"];
}

const RowView = memo(function RowView({ row, open, isChosen, onChoose }: RowViewProps) {
  if (row.kind === "item") {
    return (
      <div className={styles["item"]} style={{ paddingLeft: `${1.25 + row.depth}rem` }}>
        <span className={styles["key"]}>{row.item}</span> {row.title}
      </div>
    );
  }
  const { visit, label, path, depth, from, width } = row;
  const { node, number } = visit;
  const status = standsAs(visit, open);
  return (
    <button
      type="button"
      className={cx(styles["visit"], isChosen && styles["chosen"])}
      aria-pressed={isChosen}
      onClick={() => onChoose(path, number)}
    >
      <span
        className={cx(styles["name"], row.unfoldsBy !== undefined && styles["holds"])}
        style={{ paddingLeft: `${depth}rem` }}
      >
        <Status status={status} as="icon" />
        <span className={styles["node"]} title={node}>
          {label}
        </span>
        {number > 1 && <span className={styles["number"]}>#{number}</span>}
      </span>
      <span className={styles["track"]}>
        <span
          className={cx(styles["bar"], styles[status])}
          style={{ left: `${from * 100}%`, width: `max(3px, ${width * 100}%)` }}
        />
      </span>
      <span className={styles["took"]}>{took(visit)}</span>
    </button>
  );
});

function took({ openedAt, settledAt }: Visit): string {
  return settledAt === undefined ? "" : duration(settledAt - openedAt);
}
