/** The scrubber goes through the log, event by event: everything on the page shows that moment. */

import { ChevronFirst, ChevronLeft, ChevronRight, Radio } from "lucide-react";
import { useMemo } from "react";
import type { Event } from "../../model/baton.ts";
import { clock, duration } from "../../model/format.ts";
import type { Moment } from "../../model/moment.ts";
import type { LogView } from "../../model/run-log.ts";
import { Button } from "../../parts/button.tsx";
import { cx } from "../../parts/cx.ts";
import styles from "./scrubber.module.css";

/** After these nothing comes, unless somebody takes the run up again. */
const OVER: ReadonlySet<string> = new Set(["run.finished", "run.cancelled", "run.failed"]);

interface ScrubberProps {
  readonly log: LogView;
  readonly moment: Moment;
  readonly onSeq: (seq: number | undefined) => void;
}

export function Scrubber({ log, moment, onSeq }: ScrubberProps) {
  const { length, events } = log;
  const { seq, at, startedAt, isLive } = moment;
  const isOver = OVER.has(events[length - 1]?.type ?? "");
  const go = (to: number) => onSeq(to >= length ? undefined : Math.max(1, to));
  const said = `Event ${seq} of ${length}, ${events[seq - 1]?.type ?? "none"}, ${duration(at - startedAt)} after the start`;
  return (
    <section className={styles["bar"]} aria-label="Moment">
      <div className={styles["steps"]}>
        <Button
          look="quiet"
          size="s"
          label="First event"
          icon={<ChevronFirst aria-hidden />}
          onClick={() => go(1)}
        />
        <Button
          look="quiet"
          size="s"
          label="Event before"
          icon={<ChevronLeft aria-hidden />}
          onClick={() => go(seq - 1)}
        />
        <Button
          look="quiet"
          size="s"
          label="Event after"
          icon={<ChevronRight aria-hidden />}
          onClick={() => go(seq + 1)}
        />
      </div>
      <div className={styles["track"]}>
        <Marks events={events} length={length} />
        <input
          type="range"
          min={Math.min(1, length)}
          max={length}
          value={seq}
          aria-label="Event of the log"
          aria-valuetext={said}
          onChange={(event) => go(Number(event.target.value))}
        />
      </div>
      <span className={styles["where"]}>
        <span>
          {seq} / {length}
        </span>
        <span className={styles["time"]}>{at > 0 ? clock(at) : ""}</span>
      </span>
      <Button
        size="s"
        className={cx(isLive && styles["live"])}
        aria-pressed={isLive}
        icon={<Radio aria-hidden />}
        onClick={() => onSeq(undefined)}
      >
        {isLive ? (isOver ? "Newest" : "Live") : isOver ? "Go to the end" : "Go to live"}
      </Button>
    </section>
  );
}

const TONES: Readonly<Partial<Record<Event["type"], string>>> = {
  "task.asked": "ask",
  "task.failed": "bad",
  "run.failed": "bad",
  "run.paused": "ask",
  "run.finished": "good",
  "run.resumed": "busy",
  "task.answered": "busy",
  "run.forked": "busy",
};

const MOST = 200;

/** Where somebody was asked, or something failed, as marks above the track. */
function Marks({ events, length }: { readonly events: readonly Event[]; readonly length: number }) {
  const marks = useMemo(
    () =>
      events
        .slice(0, length)
        .filter(({ type }) => TONES[type] !== undefined)
        .slice(-MOST),
    [events, length],
  );
  return (
    <div className={styles["marks"]} aria-hidden>
      {marks.map(({ seq, type }) => (
        <span
          key={seq}
          className={styles[TONES[type] ?? "busy"]}
          style={{ left: `${length < 2 ? 0 : ((seq - 1) / (length - 1)) * 100}%` }}
        />
      ))}
    </div>
  );
}
