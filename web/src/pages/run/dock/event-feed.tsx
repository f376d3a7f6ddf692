/** The events of a run as lines, those of a later moment faded; a click goes to the moment of a line. */

import { useVirtualizer } from "@tanstack/react-virtual";
import { memo, useEffect, useMemo, useRef, useState } from "react";
import { clock } from "../../../model/format.ts";
import type { Moment } from "../../../model/moment.ts";
import { renders } from "../../../model/renders.ts";
import type { LogView } from "../../../model/run-log.ts";
import { cx } from "../../../parts/cx.ts";
import { Empty } from "../../../parts/notice.tsx";
import styles from "./event-feed.module.css";
import { type FeedLine, useLines } from "./lines.ts";

interface EventFeedProps {
  readonly log: LogView;
  readonly moment: Moment;
  readonly labels: ReadonlyMap<string, string>;
  readonly onChoose: (node: string | undefined) => void;
  readonly onSeq: (seq: number | undefined) => void;
}

const ROW = 26;

const KINDS: Readonly<Record<string, (line: FeedLine) => boolean>> = {
  "what matters": ({ tone }) => tone !== "detail",
  everything: () => true,
  "questions and answers": ({ type }) => type === "task.asked" || type === "task.answered",
  "failures and rework": ({ tone }) => tone === "bad",
};

export function EventFeed({ log, moment, labels, onChoose, onSeq }: EventFeedProps) {
  const [kind, setKind] = useState("what matters");
  const [words, setWords] = useState("");
  const lines = useLines(log.events, log.length);
  const shown = useMemo(() => {
    const wanted = words.toLowerCase();
    const isKind = KINDS[kind] ?? (() => true);
    const says = ({ text, node = "", type }: FeedLine) =>
      wanted === "" || `${labels.get(node)} ${node} ${text} ${type}`.toLowerCase().includes(wanted);
    return lines.filter((line) => isKind(line) && says(line));
  }, [lines, kind, words, labels]);
  const frame = useRef<HTMLDivElement>(null);
  const list = useVirtualizer({
    count: shown.length,
    getScrollElement: () => frame.current,
    estimateSize: () => ROW,
    overscan: 10,
  });
  const here = shown.findLastIndex(({ seq }) => seq <= moment.seq);
  useEffect(() => {
    if (here >= 0) list.scrollToIndex(here, { align: "auto" });
  }, [here, list]);
  return (
    <>
      <search className={styles["filters"]}>
        <select aria-label="Which events" value={kind} onChange={(event) => setKind(event.target.value)}>
          {Object.keys(KINDS).map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
        <input
          type="search"
          aria-label="Search events"
          placeholder="Search events"
          value={words}
          onChange={(event) => setWords(event.target.value)}
        />
        <span className={styles["count"]}>{shown.length}</span>
      </search>
      {shown.length === 0 ? (
        <Empty title="No event is like that" />
      ) : (
        <div ref={frame} className={styles["frame"]}>
          <ol className={styles["list"]} style={{ height: list.getTotalSize() }} aria-label="Events">
            {list.getVirtualItems().map(({ key, index, start }) => {
              const line = shown[index];
              return (
                line && (
                  <li key={key} className={styles["row"]} style={{ transform: `translateY(${start}px)` }}>
                    <LineView
                      line={line}
                      label={line.node === undefined ? "" : (labels.get(line.node) ?? line.node)}
                      isHere={index === here}
                      isLater={line.seq > moment.seq}
                      onChoose={onChoose}
                      onSeq={onSeq}
                    />
                  </li>
                )
              );
            })}
          </ol>
        </div>
      )}
    </>
  );
}

interface LineViewProps extends Pick<EventFeedProps, "onChoose" | "onSeq"> {
  readonly line: FeedLine;
  readonly label: string;
  readonly isHere: boolean;
  readonly isLater: boolean;
}

const LineView = memo(function LineView({ line, label, isHere, isLater, onChoose, onSeq }: LineViewProps) {
  renders.lines++;
  const { seq, at, node, text, tone, type } = line;
  return (
    <button
      type="button"
      className={cx(styles["line"], isHere && styles["here"], isLater && styles["later"])}
      aria-current={isHere ? "step" : undefined}
      title={`${type}\n${text}`.slice(0, 1000)}
      onClick={() => {
        onSeq(seq);
        if (node !== undefined) onChoose(node);
      }}
    >
      <span className={styles["seq"]}>{seq}</span>
      <span className={styles["time"]}>{clock(at)}</span>
      <span className={styles["node"]} title={node}>
        {label}
      </span>
      <span className={cx(styles["text"], styles[tone])}>{text.slice(0, 400)}</span>
    </button>
  );
});
