/** The mail of an inbox run: every letter that was delivered, newest last, what was refused and why, and what waits in each inbox. */

import { useVirtualizer } from "@tanstack/react-virtual";
import { ArrowRight } from "lucide-react";
import { useMemo, useRef } from "react";
import { isJsonObject } from "../../../model/baton.ts";
import type { Moment } from "../../../model/moment.ts";
import { Empty } from "../../../parts/notice.tsx";
import styles from "./mail.module.css";

export function Mail({ moment }: { readonly moment: Moment }) {
  const { deliveries, nodes } = moment;
  const rejections = useMemo(() => rejectionsIn(moment), [moment]);
  const frame = useRef<HTMLDivElement>(null);
  const list = useVirtualizer({
    count: deliveries.length,
    getScrollElement: () => frame.current,
    estimateSize: () => 60,
    overscan: 6,
  });
  const waiting = [...nodes].filter(([, { inbox = 0 }]) => inbox > 0);
  return (
    <>
      {waiting.length > 0 && (
        <p className={styles["waiting"]}>
          Waiting: {waiting.map(([node, { inbox }]) => `${node} ${inbox}`).join(", ")}
        </p>
      )}
      {rejections.length > 0 && (
        <details className={styles["rejections"]}>
          <summary>{rejections.length} not delivered</summary>
          <ul aria-label="Not delivered">
            {rejections.map(({ key, from, to, code, message }) => (
              <li key={key}>
                <b>{from}</b> <ArrowRight aria-label="to" /> <b>{to}</b>: {message}{" "}
                <span className={styles["code"]}>[{code}]</span>
              </li>
            ))}
          </ul>
        </details>
      )}
      {deliveries.length === 0 ? (
        <Empty title="No node has written to another yet" />
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls and holds no button is scrolled by key
        <div ref={frame} className={styles["frame"]} tabIndex={0}>
          <ol className={styles["list"]} style={{ height: list.getTotalSize() }} aria-label="Letters">
            {list.getVirtualItems().map(({ key, index, start }) => {
              const letter = deliveries[index];
              if (letter === undefined) return null;
              const { from, to, type, seq, message, artifacts } = letter;
              return (
                <li
                  key={key}
                  ref={list.measureElement}
                  data-index={index}
                  className={styles["letter"]}
                  style={{ transform: `translateY(${start}px)` }}
                >
                  <p className={styles["ways"]}>
                    <b>{from}</b> <ArrowRight aria-label="to" /> <b>{to}</b>
                    <span className={styles["type"]}>
                      {type} #{seq}
                      {artifacts.length > 0 && `, ${artifacts.length} attached`}
                    </span>
                  </p>
                  <p className={styles["message"]}>{message}</p>
                </li>
              );
            })}
          </ol>
        </div>
      )}
    </>
  );
}

interface Rejection {
  readonly key: string;
  readonly from: string;
  readonly to: string;
  readonly code: string;
  readonly message: string;
}

/** What nodes wrote and nobody got, with the reason. */
export function rejectionsIn({ visits }: Moment): readonly Rejection[] {
  return visits.flatMap(({ node, notes }) =>
    notes.flatMap(({ seq, kind, data }, index) => {
      if (kind !== "inbox.rejected" || !isJsonObject(data)) return [];
      const { to, code, message } = data;
      return [
        {
          ...{ key: `${seq} ${index}`, from: node },
          ...{ to: String(to), code: String(code), message: String(message) },
        },
      ];
    }),
  );
}
