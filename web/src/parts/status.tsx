/** How a run or a node stands, as a word with an icon: colour alone says nothing. */

import {
  Ban,
  CircleCheck,
  CircleDashed,
  CirclePause,
  CircleX,
  Hand,
  LoaderCircle,
  type LucideIcon,
} from "lucide-react";
import { cx } from "./cx.ts";
import styles from "./status.module.css";

const LOOKS: Readonly<Record<string, { readonly icon: LucideIcon; readonly tone: string }>> = {
  new: { icon: CircleDashed, tone: "idle" },
  idle: { icon: CircleDashed, tone: "idle" },
  running: { icon: LoaderCircle, tone: "busy" },
  retrying: { icon: LoaderCircle, tone: "busy" },
  waiting: { icon: Hand, tone: "ask" },
  asking: { icon: Hand, tone: "ask" },
  blocked: { icon: CirclePause, tone: "ask" },
  paused: { icon: CirclePause, tone: "ask" },
  interrupted: { icon: Ban, tone: "ask" },
  completed: { icon: CircleCheck, tone: "good" },
  finished: { icon: CircleCheck, tone: "good" },
  done: { icon: CircleCheck, tone: "good" },
  failed: { icon: CircleX, tone: "bad" },
  cancelled: { icon: Ban, tone: "idle" },
};

interface StatusProps {
  readonly status: string;
  readonly reason?: string | null | undefined;
  /** `icon` leaves the word to screen readers. */
  readonly as?: "pill" | "icon";
}

export function Status({ status, reason, as = "pill" }: StatusProps) {
  const { icon: Icon, tone } = LOOKS[status] ?? { icon: CircleDashed, tone: "idle" };
  const why = reason ? ` (${reason.replaceAll("_", " ")})` : "";
  return (
    <span className={cx(styles[as], styles[tone])} data-status={status} title={status + why}>
      <Icon aria-hidden className={cx(tone === "busy" && styles["spin"])} />
      <span className={as === "icon" ? "visually-hidden" : styles["text"]}>
        {status}
        {why !== "" && <span data-why>{why}</span>}
      </span>
    </span>
  );
}
