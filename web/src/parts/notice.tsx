/** What stands where there is nothing to show, or something to know first: a sentence and the one thing that helps. */

import { CircleAlert, Info, type LucideIcon, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { StudioError } from "../model/baton.ts";
import { cx } from "./cx.ts";
import styles from "./notice.module.css";

interface EmptyProps {
  readonly title: string;
  readonly children?: ReactNode;
  readonly action?: ReactNode;
}

export function Empty({ title, children, action }: EmptyProps) {
  return (
    <div className={styles["empty"]}>
      <p className={styles["title"]}>{title}</p>
      {children && <div className={styles["text"]}>{children}</div>}
      {action}
    </div>
  );
}

const ICONS: Readonly<Record<"info" | "ask" | "bad", LucideIcon>> = {
  info: Info,
  ask: TriangleAlert,
  bad: CircleAlert,
};

interface BannerProps {
  readonly tone: "info" | "ask" | "bad";
  readonly children: ReactNode;
  readonly action?: ReactNode;
}

export function Banner({ tone, children, action }: BannerProps) {
  const Icon = ICONS[tone];
  return (
    <div
      className={cx(styles["banner"], styles[tone], action !== undefined && styles["acting"])}
      role={tone === "bad" ? "alert" : "status"}
    >
      <Icon aria-hidden />
      <div className={styles["said"]}>{children}</div>
      {action}
    </div>
  );
}

/** A sentence in which what stands between backticks is to be typed. */
export function Marked({ text }: { readonly text: string }) {
  return text.split("`").map((part, index) => {
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text have no other name
    return index % 2 === 1 ? <code key={index}>{part}</code> : part;
  });
}

/** Why something was refused, with the hint that came along. */
export function Problem({ error }: { readonly error: unknown }) {
  const { hint, issues = [] } = error instanceof StudioError ? error.error : {};
  return (
    <Banner tone="bad">
      <p>{error instanceof Error ? error.message : String(error)}</p>
      {hint && (
        <p className={styles["hint"]}>
          <Marked text={hint} />
        </p>
      )}
      {issues.map(({ pointer, message }) => (
        <p key={`${pointer} ${message}`} className={styles["hint"]}>
          <code>{pointer}</code> {message}
        </p>
      ))}
    </Banner>
  );
}
