/** The mail of an inbox run: every letter, newest last, those that were rejected with the reason, and what waits in each inbox. */

import { useVirtualizer } from "@tanstack/react-virtual";
import { ArrowRight, Ban } from "lucide-react";
import { useRef } from "react";
import type { Moment } from "../../../model/moment.ts";
import type { Delivered, Letter } from "../../../model/post.ts";
import { cx } from "../../../parts/cx.ts";
import { Empty } from "../../../parts/notice.tsx";
import styles from "./mail.module.css";

export function Mail({ moment: { letters, nodes } }: { readonly moment: Moment }) {
  const frame = useRef<HTMLDivElement>(null);
  const list = useVirtualizer({
    count: letters.length,
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
      {letters.length === 0 ? (
        <Empty title="No node has written to another yet" />
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls and holds no button is scrolled by key
        <div ref={frame} className={styles["frame"]} tabIndex={0}>
          <ol className={styles["list"]} style={{ height: list.getTotalSize() }} aria-label="Letters">
            {list.getVirtualItems().map(({ key, index, start }) => {
              const letter = letters[index];
              return (
                letter && (
                  <li
                    key={key}
                    ref={list.measureElement}
                    data-index={index}
                    className={cx(styles["letter"], letter.kind === "rejected" && styles["rejected"])}
                    style={{ transform: `translateY(${start}px)` }}
                  >
                    <LetterView letter={letter} />
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

function LetterView({ letter }: { readonly letter: Letter }) {
  const { from, to, message } = letter;
  return (
    <>
      <p className={styles["ways"]}>
        <b>{from}</b> <ArrowRight aria-label="to" /> <b>{to}</b>
        {letter.kind === "rejected" ? (
          <span className={styles["mark"]}>
            <Ban aria-hidden /> not delivered
          </span>
        ) : (
          <span className={styles["type"]}>{sortOf(letter)}</span>
        )}
      </p>
      <p className={styles["message"]}>
        {message}
        {letter.kind === "rejected" && <span className={styles["code"]}> [{letter.code}]</span>}
      </p>
    </>
  );
}

function sortOf({ type, seq, artifacts }: Delivered): string {
  return `${type} #${seq}${artifacts.length > 0 ? `, ${artifacts.length} attached` : ""}`;
}
